/// The similarity of two texts by Jaro and Winkler, from 0 to 1. Source: contract 9.1.
///
/// Letters that both texts have at about the same place count, less those in another order, and a common
/// beginning counts more.
enum JaroWinkler {
  /// Time grows with the square of this; longer texts are compared by their beginnings.
  private static let limit = 256

  static func similarity(of one: String, and other: String) -> Double {
    let (left, right) = (Array(one.unicodeScalars.prefix(limit)), Array(other.unicodeScalars.prefix(limit)))
    guard !left.isEmpty, !right.isEmpty else { return left.isEmpty && right.isEmpty ? 1 : 0 }
    let jaro = jaro(left, right)
    let common = zip(left, right).prefix(4).prefix { $0 == $1 }.count
    return jaro + Double(common) * 0.1 * (1 - jaro)
  }

  private static func jaro(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Double {
    let window = max(max(left.count, right.count) / 2 - 1, 0)
    var isTaken = [Bool](repeating: false, count: right.count)
    var matches: [Unicode.Scalar] = []
    for (place, letter) in left.enumerated() {
      let places = (place - window..<place + window + 1).clamped(to: right.indices)
      guard let match = places.first(where: { !isTaken[$0] && right[$0] == letter }) else { continue }
      isTaken[match] = true
      matches.append(letter)
    }
    guard !matches.isEmpty else { return 0 }
    let others = zip(right, isTaken).filter(\.1).map(\.0)
    let moved = zip(matches, others).filter { $0 != $1 }.count / 2
    let count = Double(matches.count)
    return (count / Double(left.count) + count / Double(right.count) + (count - Double(moved)) / count) / 3
  }
}
