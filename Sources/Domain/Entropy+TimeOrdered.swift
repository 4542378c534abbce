/// Identifiers that begin with their time, as version 7 of RFC 9562 has them.
extension Entropy {
  /// 128 bits: milliseconds, version and variant, and an ordinal in 62 bits that only this label turns back.
  package func timeOrdered(
    _ label: StaticString, _ ordinal: Int, at time: Timestamp
  ) -> (high: UInt64, low: UInt64) {
    let key = Self.key(label, identifierSeed)
    let number = UInt64(truncatingIfNeeded: ordinal) & Self.mask62
    let instant = UInt64(truncatingIfNeeded: time.milliseconds) & Self.mask48
    var (left, right) = (number >> 31, number & Self.mask31)
    for round in 0..<Self.rounds { (left, right) = (right, left ^ Self.half(right, key, round)) }
    let check = Self.check(number, instant, key)
    return (instant << 16 | 0x7000 | check, 0x8000_0000_0000_0000 | left << 31 | right)
  }

  /// The ordinal behind such bits; nil for bits that we never gave out under this label.
  package func ordinal(ofTimeOrdered words: (high: UInt64, low: UInt64), under label: StaticString) -> Int? {
    guard words.high & 0xF000 == 0x7000, words.low >> 62 == 2 else { return nil }
    let key = Self.key(label, identifierSeed)
    var (left, right) = (words.low >> 31 & Self.mask31, words.low & Self.mask31)
    for round in (0..<Self.rounds).reversed() {
      (left, right) = (right ^ Self.half(left, key, round), left)
    }
    let number = left << 31 | right
    guard Self.check(number, words.high >> 16, key) == words.high & 0xFFF else { return nil }
    return Int(number)
  }

  private static let mask31: UInt64 = 0x7FFF_FFFF
  private static let mask48: UInt64 = 0xFFFF_FFFF_FFFF
  private static let mask62: UInt64 = 0x3FFF_FFFF_FFFF_FFFF

  private static func half(_ word: UInt64, _ key: UInt64, _ round: UInt64) -> UInt64 {
    mix(word ^ (key &+ round &* golden)) & mask31
  }

  /// Twelve bits that tie the ordinal to its time and label.
  private static func check(_ number: UInt64, _ instant: UInt64, _ key: UInt64) -> UInt64 {
    mix(number ^ mix(instant ^ key)) & 0xFFF
  }
}
