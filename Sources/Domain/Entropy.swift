import JSON

/// The one source of chance of a sandbox: every id, secret and code follows from its seed.
///
/// The seed is meant to be known, so nothing here protects anything real: the mixing is made for
/// spread and for equal results on every machine, not for secrecy.
package struct Entropy: Sendable, Equatable {
  /// The number that codes and secrets follow from.
  package var seed: Int
  /// The number that identifiers follow from: it never changes, so that old ones are found again.
  let identifierSeed: Int

  /// The chance that follows from this seed.
  package init(seed: Int) {
    self.seed = seed
    identifierSeed = seed
  }

  /// 32 lower-case hex digits that stand for two ordinals, and for no others, under this label.
  ///
  /// The digits are a permutation of the ordinals (a Feistel network of four rounds), so an id needs no
  /// index to be found again: `ordinals(of:under:)` turns it back.
  package func identifier(_ label: StaticString, _ ordinal: Int, _ part: Int = 0) -> String {
    String(unsafeUninitializedCapacity: 32) { text in
      write(identifier: label, ordinal, part, to: text)
      return 32
    }
  }

  /// The same behind its label: `VE` and 32 digits.
  package func labelledIdentifier(_ label: StaticString, _ ordinal: Int, _ part: Int = 0) -> String {
    let start = label.utf8CodeUnitCount
    return String(unsafeUninitializedCapacity: start + 32) { text in
      for place in 0..<start { text[place] = label.utf8Start[place] }
      write(identifier: label, ordinal, part, to: .init(rebasing: text[start...]))
      return start + 32
    }
  }

  /// The ordinals behind 32 hex digits; digits that we never gave out lead to ordinals that nothing has.
  package func ordinals(of digits: some StringProtocol, under label: StaticString) -> (Int, Int)? {
    guard digits.utf8.count == 32,
      digits.utf8.allSatisfy({ $0.isLowercaseHexDigit }),
      let first = UInt64(digits.prefix(16), radix: 16), let second = UInt64(digits.suffix(16), radix: 16)
    else { return nil }
    var (left, right) = (first, second)
    let key = Self.key(label, identifierSeed)
    for round in (0..<Self.rounds).reversed() {
      (left, right) = (right ^ Self.mix(left ^ (key &+ round &* Self.golden)), left)
    }
    return (Int(Int64(bitPattern: left)), Int(Int64(bitPattern: right)))
  }

  /// A code of digits for the n-th verification of a destination with a provider.
  package func code(length: Int, for destination: String, provider: String, series: Int) -> String {
    var draw = Draw(
      state: Self.fold(destination, Self.fold(provider, Self.key("code", seed))) &+ UInt64(series))
    return String(decoding: (0..<length).map { _ in 0x30 + UInt8(draw.next() % 10) }, as: UTF8.self)
  }

  /// Letters and digits for a secret with this label: always the same ones.
  package func secret(_ label: String, length: Int, of alphabet: Alphabet) -> String {
    var draw = Draw(state: Self.fold(label, Self.key("secret", seed)))
    let characters = Array(alphabet.rawValue.utf8)
    return String(
      decoding: (0..<length).map { _ in characters[Int(draw.next() % UInt64(characters.count))] },
      as: UTF8.self)
  }

  /// The characters that secrets are made of.
  package enum Alphabet: String {
    /// Lower-case hexadecimal digits.
    case hex = "0123456789abcdef"
    /// Letters and digits.
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

  private static func fold(_ text: String, _ start: UInt64) -> UInt64 {
    mix(text.utf8.reduce(start, step))
  }

  /// One byte of FNV-1a.
  private static func step(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
    (hash ^ UInt64(byte)) &* 0x100_0000_01B3
  }

  /// The finaliser of SplitMix64: every bit of the input moves about half of the output's.
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
    for place in (0..<16).reversed() {
      text[place] = Self.hexDigit(left)
      text[place + 16] = Self.hexDigit(right)
      left >>= 4
      right >>= 4
    }
  }

  private static func hexDigit(_ word: UInt64) -> UInt8 {
    let nibble = UInt8(truncatingIfNeeded: word & 15)
    return nibble < 10 ? 0x30 + nibble : 0x57 + nibble
  }

  /// SplitMix64: a sequence of numbers from a state.
  private struct Draw {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= Entropy.golden
      return Entropy.mix(state)
    }
  }
}
