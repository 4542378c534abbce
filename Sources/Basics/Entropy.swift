import JSON

/// Generates every identifier, secret and code of a sandbox from its seed.
///
/// The seed is public, so this protects nothing real. The mixing gives an even spread and equal results on
/// every machine, not secrecy.
package struct Entropy: Sendable, Equatable {
  /// Codes and secrets are derived from it.
  package var seed: Int
  /// Identifiers are derived from it. It never changes, so that old ones are still found.
  package let identifierSeed: Int

  package init(seed: Int) {
    self.seed = seed
    identifierSeed = seed
  }

  /// Entropy that follows from this one and a label: with another label, everything that it generates is
  /// different.
  package func derived(for label: String) -> Entropy {
    Entropy(
      seed: Self.derive(label, from: seed), identifierSeed: Self.derive(label, from: identifierSeed))
  }

  private init(seed: Int, identifierSeed: Int) {
    self.seed = seed
    self.identifierSeed = identifierSeed
  }

  private static func derive(_ label: String, from seed: Int) -> Int {
    Int(truncatingIfNeeded: fold(label, key("derived", seed)))
  }

  /// 32 lower-case hex digits, unique for two ordinals under this label.
  ///
  /// The digits are a permutation of the ordinals (a Feistel network of four rounds). `ordinals(of:under:)`
  /// reverses it, so looking up an id needs no index.
  package func identifier(_ label: StaticString, _ ordinal: Int, _ part: Int = 0) -> String {
    String(unsafeUninitializedCapacity: 32) { text in
      write(identifier: label, ordinal, part, to: text)
      return 32
    }
  }

  /// The same, with the label as a prefix: `VE` and 32 digits.
  package func labelledIdentifier(_ label: StaticString, _ ordinal: Int, _ part: Int = 0) -> String {
    let start = label.utf8CodeUnitCount
    return String(unsafeUninitializedCapacity: start + 32) { text in
      for place in 0..<start { text[place] = label.utf8Start[place] }
      write(identifier: label, ordinal, part, to: .init(rebasing: text[start...]))
      return start + 32
    }
  }

  /// The ordinals in 32 hex digits. Digits never generated here give ordinals that nothing has.
  package func ordinals(of digits: some StringProtocol, under label: StaticString) -> (Int, Int)? {
    guard var (left, right) = Hex.halves(digits.utf8) else { return nil }
    let key = Self.key(label, identifierSeed)
    for round in (0..<Self.rounds).reversed() {
      (left, right) = (right ^ Self.mix(left ^ (key &+ round &* Self.golden)), left)
    }
    return (Int(Int64(bitPattern: left)), Int(Int64(bitPattern: right)))
  }

  /// A code of digits for the n-th verification of a destination with a provider.
  package func code(length: Int, for destination: String, provider: String, series: Int) -> String {
    let start = Self.fold(destination, Self.fold(provider, Self.key("code", seed)))
    var numbers = RandomNumbers(state: start &+ UInt64(bitPattern: Int64(series)))
    return String(
      decoding: Range(0, upTo: length).map { _ in 0x30 + UInt8(numbers.next() % 10) }, as: UTF8.self)
  }

  /// A secret for this label: always the same one.
  package func secret(_ label: String, length: Int, of alphabet: Alphabet) -> String {
    var numbers = RandomNumbers(state: Self.fold(label, Self.key("secret", seed)))
    let characters = Array(alphabet.rawValue.utf8)
    return String(
      decoding: (0..<length).map { _ in characters[Int(numbers.next() % UInt64(characters.count))] },
      as: UTF8.self)
  }

  /// A number from 0 up to 1 for the n-th decision under a label: always the same one.
  package func chance(_ label: String, _ number: Int) -> Double {
    var numbers = RandomNumbers(
      state: Self.fold(label, Self.key("chance", seed)) &+ UInt64(bitPattern: Int64(number)))
    return Double(numbers.next() >> 11) / Double(1 << 53)
  }

  package enum Alphabet: String {
    case hex = "0123456789abcdef"
    /// RFC 4648, section 6.
    case base32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
    case alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
  }

  static let rounds: UInt64 = 4
  static let golden: UInt64 = 0x9E37_79B9_7F4A_7C15

  static func key(_ label: StaticString, _ seed: Int) -> UInt64 {
    var hash = mix(UInt64(bitPattern: Int64(seed)) &+ golden)
    for byte in UnsafeBufferPointer(start: label.utf8Start, count: label.utf8CodeUnitCount) {
      hash = step(hash, byte)
    }
    return hash
  }

  /// A hash of a text that goes on from another hash.
  package static func fold(_ text: String, _ start: UInt64) -> UInt64 {
    var (text, hash) = (text, start)
    text.withUTF8 { for byte in $0 { hash = step(hash, byte) } }
    return mix(hash)
  }

  /// One byte of FNV-1a.
  private static func step(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
    (hash ^ UInt64(byte)) &* 0x100_0000_01B3
  }

  /// The finaliser of SplitMix64: each bit of the input flips about half of the bits of the output.
  static func mix(_ value: UInt64) -> UInt64 {
    var mixed = value
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  private func write(
    identifier label: StaticString, _ ordinal: Int, _ part: Int, to text: UnsafeMutableBufferPointer<UInt8>
  ) {
    var (left, right) = (UInt64(bitPattern: Int64(ordinal)), UInt64(bitPattern: Int64(part)))
    let key = Self.key(label, identifierSeed)
    for round in 0..<Self.rounds {
      (left, right) = (right, left ^ Self.mix(right ^ (key &+ round &* Self.golden)))
    }
    Self.write(digitsOf: left, right, to: text)
  }

  private static func write(
    digitsOf left: UInt64, _ right: UInt64, to text: UnsafeMutableBufferPointer<UInt8>
  ) {
    for (place, half) in [left >> 32, left, right >> 32, right].enumerated() {
      let digits = Hex.digits(of: UInt32(truncatingIfNeeded: half))
      UnsafeMutableRawBufferPointer(text).storeBytes(of: digits, toByteOffset: 8 * place, as: UInt64.self)
    }
  }

  /// The random number generator SplitMix64.
  private struct RandomNumbers {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= Entropy.golden
      return Entropy.mix(state)
    }
  }
}

/// Identifiers that start with their time: UUIDs of version 7 (RFC 9562).
extension Entropy {
  /// 128 bits: milliseconds, version, variant, and an ordinal in 62 bits that only this label decodes.
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

  /// The ordinal in bits that `timeOrdered` made; nil for bits never generated under this label.
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

  /// The UUID for an ordinal and a time, in lower case.
  package func uuid(_ label: StaticString, _ ordinal: Int, at time: Timestamp) -> String {
    let words = timeOrdered(label, ordinal, at: time)
    let digits = [UInt8](unsafeUninitializedCapacity: 32) { digits, count in
      Self.write(digitsOf: words.high, words.low, to: digits)
      count = 32
    }
    return Hex.uuid(digits)
  }

  /// The ordinal in a UUID; nil for text that `uuid` never generated under this label.
  package func ordinal(ofUUID text: String, under label: StaticString) -> Int? {
    let (characters, dash) = (Array(text.utf8), UInt8(ascii: "-"))
    guard characters.count == 36, [8, 13, 18, 23].allSatisfy({ characters[$0] == dash }),
      let words = Hex.halves(characters.filter { $0 != dash })
    else { return nil }
    return ordinal(ofTimeOrdered: words, under: label)
  }

  private static let mask31: UInt64 = 0x7FFF_FFFF
  private static let mask48: UInt64 = 0xFFFF_FFFF_FFFF
  private static let mask62: UInt64 = 0x3FFF_FFFF_FFFF_FFFF

  private static func half(_ word: UInt64, _ key: UInt64, _ round: UInt64) -> UInt64 {
    mix(word ^ (key &+ round &* golden)) & mask31
  }

  /// A checksum of 12 bits over the ordinal, its time and its label.
  private static func check(_ number: UInt64, _ instant: UInt64, _ key: UInt64) -> UInt64 {
    mix(number ^ mix(instant ^ key)) & 0xFFF
  }
}
