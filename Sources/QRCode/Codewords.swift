/// The bytes of a QR code: a text with its error correction, level M. Source: ISO/IEC 18004, 7.4 to 7.6.
struct Codewords {
  /// From 1 to 40; each has four modules more in a row.
  let version: Int
  /// In the order in which they are placed.
  let bytes: [UInt8]

  /// Per version: the check bytes of each block, and the number of blocks. Source: ISO/IEC 18004, table 9.
  private static let checkCounts = [
    10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28, 28, 28,
    28,
    28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
  ]
  private static let blockCounts = [
    1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26, 28, 29,
    31,
    33, 35, 37, 38, 40, 43, 45, 47, 49,
  ]

  /// Nil if the text is empty or too long for all versions.
  init?(_ text: [UInt8]) {
    guard !text.isEmpty, let version = (1...40).first(where: { text.count <= Self.room(in: $0) }) else {
      return nil
    }
    self.version = version
    bytes = Self.interleaved(Self.data(text, version), version)
  }

  private static func checkCount(_ version: Int) -> Int {
    checkCounts[version - 1] * blockCounts[version - 1]
  }

  /// How many bytes of text fit: without the check bytes, four bits for the mode, and the length.
  private static func room(in version: Int) -> Int {
    Layout(version: version).codewordCount - checkCount(version) - (version < 10 ? 2 : 3)
  }

  /// The mode, the length, the text, and what fills the rest.
  private static func data(_ text: [UInt8], _ version: Int) -> [UInt8] {
    let count = Layout(version: version).codewordCount - checkCount(version)
    let length = version < 10 ? [UInt8(text.count)] : [UInt8(text.count >> 8), UInt8(text.count & 0xff)]
    // The mode has four bits, so that everything after it is moved by half a byte.
    let halves: [UInt8] = [4] + (length + text).flatMap { byte -> [UInt8] in [byte >> 4, byte & 0xf] } + [0]
    let whole: [UInt8] = stride(from: 0, to: halves.count, by: 2).map { place in
      halves[place] << 4 | halves[place + 1]
    }
    return whole + (0..<count - whole.count).map { $0.isMultiple(of: 2) ? UInt8(0xec) : 0x11 }
  }

  /// Byte by byte from each block in turn: first the data, then the check bytes. The last blocks may have one
  /// byte of data more.
  private static func interleaved(_ data: [UInt8], _ version: Int) -> [UInt8] {
    let count = blockCounts[version - 1]
    let (shortLength, longCount) = data.count.quotientAndRemainder(dividingBy: count)
    var rest = data[...]
    let blocks = (0..<count).map { place in
      let block = rest.prefix(shortLength + (place >= count - longCount ? 1 : 0))
      rest = rest.dropFirst(block.count)
      return Array(block)
    }
    let code = ReedSolomon(checkCount: checkCounts[version - 1])
    let checks = blocks.map(code.checkBytes)
    return columns(blocks) + columns(checks)
  }

  private static func columns(_ rows: [[UInt8]]) -> [UInt8] {
    (0..<(rows.map(\.count).max() ?? 0)).flatMap { place in
      rows.compactMap { $0.indices.contains(place) ? $0[place] : nil }
    }
  }
}

/// Check bytes by which a reader repairs damaged bytes. Source: ISO/IEC 18004, 7.5.
private struct ReedSolomon {
  /// The generator polynomial without its first coefficient, which is 1; highest power first.
  private let generator: [UInt8]

  init(checkCount: Int) {
    // The product of (x - 2^i).
    var (product, root) = ([UInt8(1)], UInt8(1))
    for _ in 0..<checkCount {
      let shifted = product + [0]
      product = shifted.indices.map { place in
        shifted[place] ^ (place == 0 ? 0 : Self.product(product[place - 1], root))
      }
      root = Self.product(root, 2)
    }
    generator = Array(product.dropFirst())
  }

  /// The remainder of the division by the generator.
  func checkBytes(of data: [UInt8]) -> [UInt8] {
    var remainder = [UInt8](repeating: 0, count: generator.count)
    for byte in data {
      let factor = byte ^ remainder.removeFirst()
      remainder.append(0)
      for place in generator.indices { remainder[place] ^= Self.product(generator[place], factor) }
    }
    return remainder
  }

  /// In the field of 256 elements with the polynomial x^8 + x^4 + x^3 + x^2 + 1.
  private static func product(_ one: UInt8, _ other: UInt8) -> UInt8 {
    var (sum, power) = (UInt8(0), one)
    for bit in 0..<8 {
      if other >> bit & 1 == 1 { sum ^= power }
      power = power << 1 ^ (power >> 7 == 1 ? 0x1d : 0)
    }
    return sum
  }
}
