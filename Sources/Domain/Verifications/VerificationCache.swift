/// Verifications as their rows have them. Most requests are about a recent one, and reading its row takes
/// longer than the rest of a check.
struct VerificationCache {
  private static let maxPlaces = 256
  /// By the last bits of the ordinal. They become more with the verifications: most sandboxes have few.
  private var places: [Verification?] = []
  private var count = 0

  func find(_ ordinal: Int) -> Verification? {
    guard !places.isEmpty, let found = places[place(of: ordinal)], found.ordinal == ordinal else {
      return nil
    }
    return found
  }

  /// Replaces the one that has the same place.
  mutating func insert(_ verification: Verification) {
    if count * 2 >= places.count, places.count < Self.maxPlaces { grow() }
    let place = self.place(of: verification.ordinal)
    if places[place] == nil { count += 1 }
    places[place] = verification
  }

  /// Repeats a change of a row. Does nothing if the row is not in the cache.
  mutating func change(_ ordinal: Int, _ change: (inout Verification) -> Void) {
    guard var found = find(ordinal) else { return }
    change(&found)
    places[place(of: ordinal)] = found
  }

  mutating func removeAll() { self = VerificationCache() }

  mutating func removeAll(in ordinals: Range<Int>) {
    for (place, found) in places.enumerated() where found.map({ ordinals.contains($0.ordinal) }) ?? false {
      places[place] = nil
      count -= 1
    }
  }

  private mutating func grow() {
    let known = places.compactMap { $0 }
    places = Array(repeating: nil, count: max(8, places.count * 2))
    for verification in known { places[place(of: verification.ordinal)] = verification }
  }

  /// The number of places is a power of two.
  private func place(of ordinal: Int) -> Int { ordinal & (places.count - 1) }
}
