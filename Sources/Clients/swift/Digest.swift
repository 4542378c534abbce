import Foundation

/// MD5, SHA-1 and SHA-256, which Foundation does not have on Linux. Source: RFC 1321; FIPS 180-4.
enum Digest {
  case md5, sha1, sha256

  func of(_ text: Data) -> Data {
    var state: [UInt32] =
      switch self {
      case .md5: [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
      case .sha1: [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
      case .sha256: sha256Start
      }
    let padding = Data(count: (119 - text.count % 64) % 64)
    let bits = UInt64(text.count * 8)
    let length = withUnsafeBytes(of: self == .md5 ? bits.littleEndian : bits.bigEndian) { Data($0) }
    let content = [UInt8](text + Data([0x80]) + padding + length)
    for start in stride(from: 0, to: content.count, by: 64) {
      let words = (0..<16).map { word in
        (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(content[start + word * 4 + $1]) }
      }
      let mixed =
        switch self {
        case .md5: mixMD5(state, words.map(\.byteSwapped))
        case .sha1: mixSHA1(state, words)
        case .sha256: mixSHA256(state, words)
        }
      state = zip(state, mixed).map { $0 &+ $1 }
    }
    return Data(state.flatMap { bytes(of: self == .md5 ? $0.byteSwapped : $0) })
  }
}

private func mixMD5(_ state: [UInt32], _ words: [UInt32]) -> [UInt32] {
  let turns: [[UInt32]] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]]
  var (a, b, c, d) = (state[0], state[1], state[2], state[3])
  for round in 0..<64 {
    let (mixed, word) =
      switch round / 16 {
      case 0: (b & c | ~b & d, round)
      case 1: (d & b | ~d & c, 5 * round + 1)
      case 2: (b ^ c ^ d, 3 * round + 5)
      default: (c ^ (b | ~d), 7 * round)
      }
    let constant = UInt32(abs(sin(Double(round + 1))) * 4_294_967_296)
    let sum = a &+ mixed &+ constant &+ words[word % 16]
    (a, b, c, d) = (d, b &+ rotated(sum, right: 32 - turns[round / 16][round % 4]), b, c)
  }
  return [a, b, c, d]
}

private func mixSHA1(_ state: [UInt32], _ block: [UInt32]) -> [UInt32] {
  var words = block
  for round in 16..<80 {
    words.append(
      rotated(words[round - 3] ^ words[round - 8] ^ words[round - 14] ^ words[round - 16], right: 31))
  }
  var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
  for round in 0..<80 {
    let (mixed, constant): (UInt32, UInt32) =
      switch round / 20 {
      case 0: (b & c | ~b & d, 0x5A82_7999)
      case 1: (b ^ c ^ d, 0x6ED9_EBA1)
      case 2: (b & c | b & d | c & d, 0x8F1B_BCDC)
      default: (b ^ c ^ d, 0xCA62_C1D6)
      }
    (a, b, c, d, e) = (
      rotated(a, right: 27) &+ mixed &+ e &+ constant &+ words[round], a, rotated(b, right: 2), c, d
    )
  }
  return [a, b, c, d, e]
}

private func mixSHA256(_ state: [UInt32], _ block: [UInt32]) -> [UInt32] {
  var words = block
  for round in 16..<64 {
    let (early, late) = (words[round - 15], words[round - 2])
    let first = rotated(early, right: 7) ^ rotated(early, right: 18) ^ early >> 3
    let second = rotated(late, right: 17) ^ rotated(late, right: 19) ^ late >> 10
    words.append(words[round - 16] &+ first &+ words[round - 7] &+ second)
  }
  var s = state
  for round in 0..<64 {
    let first = rotated(s[4], right: 6) ^ rotated(s[4], right: 11) ^ rotated(s[4], right: 25)
    let choice = s[4] & s[5] ^ ~s[4] & s[6]
    let added = s[7] &+ first &+ choice &+ sha256Constants[round] &+ words[round]
    let second = rotated(s[0], right: 2) ^ rotated(s[0], right: 13) ^ rotated(s[0], right: 22)
    let majority = s[0] & s[1] ^ s[0] & s[2] ^ s[1] & s[2]
    s = [added &+ second &+ majority, s[0], s[1], s[2], s[3] &+ added, s[4], s[5], s[6]]
  }
  return s
}

private let sha256Start = Array(fractions(ofRoots: 2).prefix(8))
private let sha256Constants = fractions(ofRoots: 3)

/// The first 32 bits of the fractions of the square or cube roots of the first 64 primes.
private func fractions(ofRoots degree: Int) -> [UInt32] {
  let primes = (2..<312).filter { number in !(2..<number).contains { number % $0 == 0 } }
  return primes.map { prime in
    let root = degree == 2 ? Double(prime).squareRoot() : cbrt(Double(prime))
    return UInt32((root - root.rounded(.down)) * 4_294_967_296)
  }
}

private func rotated(_ word: UInt32, right count: UInt32) -> UInt32 { word >> count | word << (32 - count) }

/// Big-endian.
func bytes(of word: UInt32) -> [UInt8] { withUnsafeBytes(of: word.bigEndian) { Array($0) } }
