/// Finds members of an object by name. A few members are compared one by one; more are hashed, on first use.
struct MemberIndex {
  private static let hashingThreshold = 16
  private var places: [String: Int] = [:]

  /// The place of a member. `members` has to be the array of the last call, with members added at its end or
  /// replaced by others of the same name.
  mutating func find(_ name: String, in members: [JSON.Member]) -> Int? {
    guard members.count > Self.hashingThreshold else { return members.firstIndex { $0.name == name } }
    if places.isEmpty { places.reserveCapacity(2 * members.count) }
    for place in places.count..<members.count { places[members[place].name] = place }
    return places[name]
  }
}
