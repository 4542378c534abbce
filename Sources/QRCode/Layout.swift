/// Where a version of QR codes has its patterns, and what is left for codewords. Source: ISO/IEC 18004, 6.3.
struct Layout {
  let version: Int
  /// The number of modules in a row.
  var size: Int { 17 + 4 * version }

  /// The rows, and columns, of the centres of alignment patterns. Source: ISO/IEC 18004, annex E.
  var alignmentCentres: [Int] {
    guard version > 1 else { return [] }
    let gaps = version / 7 + 1
    let pitch = version == 32 ? 26 : (size - 13 + 2 * gaps - 1) / (2 * gaps) * 2
    return [6] + (0..<gaps).reversed().map { size - 7 - $0 * pitch }
  }

  /// How many bytes the modules without a pattern hold.
  var codewordCount: Int {
    let side = alignmentCentres.count
    // Three of their places have finder patterns; those on the timing lines share five modules with these.
    let alignment = side == 0 ? 0 : 25 * (side * side - 3) - 10 * (side - 2)
    let versions = version < 7 ? 0 : 36
    // Finder patterns with separators; timing lines; two copies of the format, and the dark module.
    let fixed = 3 * 64 + 2 * (size - 16) + 31 + alignment + versions
    return (size * size - fixed) / 8
  }
}
