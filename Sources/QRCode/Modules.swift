/// The modules of a QR code: patterns, codewords and mask. Source: ISO/IEC 18004, 6.3 and 7.7 to 7.10.
struct Modules {
  private(set) var isDark: [Bool]
  /// True for modules of patterns, which have no codewords and no mask.
  private var isFixed: [Bool]
  private let layout: Layout
  private var size: Int { layout.size }

  init(_ codewords: Codewords) {
    var unmasked = Modules(Layout(version: codewords.version))
    unmasked.drawPatterns()
    unmasked.draw(codewords.bytes)
    // The mask with the fewest patterns that confuse readers.
    let masked = (0..<8).map(unmasked.masked).map { (modules: $0, penalty: $0.penalty) }
    self = masked.min { $0.penalty < $1.penalty }?.modules ?? unmasked
  }

  private init(_ layout: Layout) {
    self.layout = layout
    isDark = Array(repeating: false, count: layout.size * layout.size)
    isFixed = isDark
  }

  private subscript(row: Int, column: Int) -> Bool {
    get { isDark[row * size + column] }
    set { isDark[row * size + column] = newValue }
  }

  /// Does nothing outside the square.
  private mutating func fix(_ row: Int, _ column: Int, _ dark: Bool) {
    guard 0..<size ~= row, 0..<size ~= column else { return }
    self[row, column] = dark
    isFixed[row * size + column] = true
  }

  // MARK: Patterns

  private mutating func drawPatterns() {
    for place in 0..<size {
      fix(6, place, place.isMultiple(of: 2))
      fix(place, 6, place.isMultiple(of: 2))
    }
    for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] {
      drawSquares(row, column, radius: 4) { $0 != 2 && $0 != 4 }
    }
    let centres = layout.alignmentCentres
    let corners = [[6, 6], [6, size - 7], [size - 7, 6]]
    for row in centres {
      for column in centres where !corners.contains([row, column]) {
        drawSquares(row, column, radius: 2) { $0 != 1 }
      }
    }
    drawFormat(mask: 0)
    drawVersion()
  }

  /// Squares within each other around a centre.
  private mutating func drawSquares(_ row: Int, _ column: Int, radius: Int, isDark: (_ distance: Int) -> Bool)
  {
    for y in -radius...radius {
      for x in -radius...radius { fix(row + y, column + x, isDark(max(abs(x), abs(y)))) }
    }
  }

  /// The level of error correction and the mask, twice. Source: ISO/IEC 18004, 7.9.
  private mutating func drawFormat(mask: Int) {
    // Level M is 0.
    let bits = Self.withChecks(mask, count: 10, generator: 0x537) ^ 0x5412
    for place in 0..<15 {
      let dark = bits >> place & 1 == 1
      // Around the first finder pattern, without the timing lines, from the top to the left.
      let turned = place < 6 ? place : place < 8 ? place + 1 : 8
      let across = place < 8 ? 8 : place == 8 ? 7 : 14 - place
      fix(turned, across, dark)
      // Below the second one, and beside the third one.
      if place < 8 { fix(8, size - 1 - place, dark) } else { fix(size - 15 + place, 8, dark) }
    }
    fix(size - 8, 8, true)
  }

  /// The version, twice. Source: ISO/IEC 18004, 7.10.
  private mutating func drawVersion() {
    guard layout.version >= 7 else { return }
    let bits = Self.withChecks(layout.version, count: 12, generator: 0x1f25)
    for place in 0..<18 {
      let (near, far) = (place / 3, size - 11 + place % 3)
      fix(near, far, bits >> place & 1 == 1)
      fix(far, near, bits >> place & 1 == 1)
    }
  }

  /// The number, followed by the remainder of its division by the generator.
  private static func withChecks(_ number: Int, count: Int, generator: Int) -> Int {
    var remainder = number << count
    for bit in stride(from: remainder.bitWidth - remainder.leadingZeroBitCount - 1, through: count, by: -1)
    where remainder >> bit & 1 == 1 {
      remainder ^= generator << (bit - count)
    }
    return number << count | remainder
  }

  // MARK: Codewords

  /// In pairs of columns from the right, up and down in turn. Source: ISO/IEC 18004, 7.7.3.
  private mutating func draw(_ bytes: [UInt8]) {
    var place = 0
    var goesUp = true
    // The timing line is in column 6.
    for right in Array(stride(from: size - 1, to: 6, by: -2)) + [5, 3, 1] {
      for step in 0..<size {
        let row = goesUp ? size - 1 - step : step
        for column in [right, right - 1] where !isFixed[row * size + column] && place < 8 * bytes.count {
          self[row, column] = bytes[place / 8] >> (7 - place % 8) & 1 == 1
          place += 1
        }
      }
      goesUp.toggle()
    }
  }

  // MARK: Masks

  private func masked(_ mask: Int) -> Modules {
    var result = self
    for row in 0..<size {
      for column in 0..<size where !isFixed[row * size + column] && Self.inverts(mask, row, column) {
        result[row, column].toggle()
      }
    }
    result.drawFormat(mask: mask)
    return result
  }

  /// Source: ISO/IEC 18004, table 10.
  private static func inverts(_ mask: Int, _ row: Int, _ column: Int) -> Bool {
    switch mask {
    case 0: (row + column) % 2 == 0
    case 1: row % 2 == 0
    case 2: column % 3 == 0
    case 3: (row + column) % 3 == 0
    case 4: (row / 2 + column / 3) % 2 == 0
    case 5: row * column % 2 + row * column % 3 == 0
    case 6: (row * column % 2 + row * column % 3) % 2 == 0
    default: ((row + column) % 2 + row * column % 3) % 2 == 0
    }
  }

  /// Source: ISO/IEC 18004, 7.8.3.
  private var penalty: Int {
    let rows = (0..<size).map { row in Array(isDark[row * size..<(row + 1) * size]) }
    let columns = (0..<size).map { column in rows.map { $0[column] } }
    let lines = (rows + columns).reduce(0) { $0 + Self.penalty(ofLine: $1) }
    let squares = (1..<size).reduce(0) { sum, row in
      sum
        + (1..<size).count { column in
          let dark = self[row, column]
          return self[row - 1, column] == dark && self[row, column - 1] == dark
            && self[row - 1, column - 1] == dark
        }
    }
    let darkShare = isDark.count { $0 } * 100 / isDark.count
    return lines + 3 * squares + 10 * (abs(darkShare - 50) / 5)
  }

  private static func penalty(ofLine line: [Bool]) -> Int {
    var (penalty, run) = (0, 0)
    // The last eleven modules as bits.
    var window = 0
    for (place, dark) in line.enumerated() {
      run = place > 0 && line[place - 1] == dark ? run + 1 : 1
      penalty += run == 5 ? 3 : run > 5 ? 1 : 0
      window = (window << 1 | (dark ? 1 : 0)) & 0x7ff
      // Like a finder pattern, with four light modules before or after it.
      if place >= 10, window == 0b101_1101_0000 || window == 0b000_0101_1101 { penalty += 40 }
    }
    return penalty
  }
}
