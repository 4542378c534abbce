import Foundation

/// Checks RSASSA-PSS with SHA-256, MGF1 and 32 bytes of salt. Source: RFC 8017, 8.1.2 and 9.1.2.
struct RSAPublicKey {
  /// From the lowest digit to the highest.
  private let modulus: [UInt32]
  private let exponent: [UInt32]

  /// Of a SubjectPublicKeyInfo: after the algorithm, a bit string with two integers.
  init?(pem: String) {
    let text = pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
    guard let der = Data(base64Encoded: text), let outer = elements(of: der).first,
      let bits = elements(of: outer).last, let key = elements(of: bits.dropFirst()).first
    else { return nil }
    let numbers = elements(of: key).map(digits)
    guard numbers.count == 2, let highest = numbers[0].last, highest != 0 else { return nil }
    (modulus, exponent) = (numbers[0], numbers[1])
  }

  func hasSigned(_ text: Data, signature: Data) -> Bool {
    let size = modulus.count * 4
    guard signature.count == size else { return false }
    let short = digits(signature)
    let value = short + Array(repeating: 0, count: modulus.count - short.count)
    guard isBelow(value, modulus) else { return false }
    let encoded = Data(power(value).reversed().flatMap { bytes(of: $0) })
    let (masked, hash) = (encoded.prefix(size - 33), encoded.dropFirst(size - 33).prefix(32))
    let mask = (0...UInt8(size / 32)).map { Digest.sha256.of(hash + Data([0, 0, 0, $0])) }.reduce(Data(), +)
    var plain = [UInt8](zip(masked, mask).map { $0 ^ $1 })
    plain[0] &= 0x7F
    let salt = Data(plain.suffix(32))
    let made = Digest.sha256.of(Data(count: 8) + Digest.sha256.of(text) + salt)
    let padding = [UInt8](repeating: 0, count: size - 66) + [1]
    return encoded.last == 0xBC && Array(plain.dropLast(32)) == padding && made == hash
  }

  private func power(_ base: [UInt32]) -> [UInt32] {
    var result: [UInt32] = [1] + Array(repeating: 0, count: modulus.count - 1)
    for digit in exponent.reversed() {
      for bit in (0..<32).reversed() {
        result = product(result, result)
        if digit >> bit & 1 == 1 { result = product(result, base) }
      }
    }
    return result
  }

  /// Doubles and adds, one bit after the other: slow and short.
  private func product(_ one: [UInt32], _ other: [UInt32]) -> [UInt32] {
    var sum = [UInt32](repeating: 0, count: modulus.count)
    guard let start = one.lastIndex(where: { $0 != 0 }) else { return sum }
    for digit in one[...start].reversed() {
      for bit in (0..<32).reversed() {
        add(sum, to: &sum)
        if digit >> bit & 1 == 1 { add(other, to: &sum) }
      }
    }
    return sum
  }

  /// Both are below the modulus, and so is the sum then.
  private func add(_ number: [UInt32], to sum: inout [UInt32]) {
    var carry: UInt64 = 0
    for place in sum.indices {
      carry += UInt64(sum[place]) + UInt64(number[place])
      sum[place] = UInt32(truncatingIfNeeded: carry)
      carry >>= 32
    }
    guard carry == 1 || !isBelow(sum, modulus) else { return }
    var borrow: Int64 = 0
    for place in sum.indices {
      borrow += Int64(sum[place]) - Int64(modulus[place])
      sum[place] = UInt32(truncatingIfNeeded: borrow)
      borrow >>= 32
    }
  }
}

private func isBelow(_ one: [UInt32], _ other: [UInt32]) -> Bool {
  one.reversed().lexicographicallyPrecedes(other.reversed())
}

/// A big-endian number without leading zeros, as digits.
private func digits(_ bytes: Data) -> [UInt32] {
  let bytes = Array(bytes.drop { $0 == 0 }.reversed())
  return stride(from: 0, to: bytes.count, by: 4).map { start in
    bytes[start..<min(start + 4, bytes.count)].reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }
}

/// The contents of the DER elements, one after the other.
private func elements(of der: Data) -> [Data] {
  var (rest, found): (Data, [Data]) = (der, [])
  while rest.count > 1 {
    let short = Int(rest[rest.startIndex + 1])
    let size = short < 0x80 ? 0 : short & 0x7F
    let length =
      size == 0 ? short : rest.dropFirst(2).prefix(size).reduce(0) { ($0 << 8 | Int($1)) & 0xFF_FFFF }
    found.append(rest.dropFirst(2 + size).prefix(length))
    rest = rest.dropFirst(2 + size + length)
  }
  return found
}
