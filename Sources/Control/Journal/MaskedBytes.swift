/// Bytes with some parts replaced, the first one first. The others are copied in runs.
struct MaskedBytes {
  let original: [UInt8]
  private var masked: [UInt8] = []
  /// Bytes of the original before this offset are in `masked`.
  private var offset = 0

  init(_ original: [UInt8]) { self.original = original }

  /// The range follows those that were replaced before.
  mutating func replace(_ range: Range<Int>, with text: some Collection<UInt8>) {
    masked += original[offset..<range.lowerBound]
    masked += text
    offset = range.upperBound
  }

  /// With all replacements.
  var all: [UInt8] { offset == 0 && masked.isEmpty ? original : masked + original[offset...] }
}
