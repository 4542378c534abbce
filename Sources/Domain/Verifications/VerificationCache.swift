/// Verifications as their rows have them. Most requests are about a recent one, and reading its row takes
/// longer than the rest of a check.
struct VerificationCache {
  private static let size = 256
  /// By the last bits of the ordinal; empty until the first insertion.
  private var places: [Verification?] = []

  func find(_ ordinal: Int) -> Verification? {
    guard !places.isEmpty, let found = places[Self.place(of: ordinal)], found.ordinal == ordinal else {
      return nil
    }
    return found
  }

  /// Replaces the one that has the same place.
  mutating func insert(_ verification: Verification) {
    if places.isEmpty { places = Array(repeating: nil, count: Self.size) }
    places[Self.place(of: verification.ordinal)] = verification
  }

  /// Repeats a change of a row. Does nothing if the row is not in the cache.
  mutating func change(_ ordinal: Int, _ change: (inout Verification) -> Void) {
    guard var found = find(ordinal) else { return }
    change(&found)
    places[Self.place(of: ordinal)] = found
  }

  mutating func removeAll() { places = [] }

  mutating func removeAll(in ordinals: Range<Int>) {
    for (place, found) in places.enumerated() where found.map({ ordinals.contains($0.ordinal) }) ?? false {
      places[place] = nil
    }
  }

  private static func place(of ordinal: Int) -> Int { ordinal & (size - 1) }
}
