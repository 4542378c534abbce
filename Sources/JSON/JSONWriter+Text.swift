extension JSONWriter {
  /// Appends text that needs no quotes and no escapes.
  mutating func append(_ literal: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  /// Appends a string in quotes, escaping only what RFC 8259 demands.
  package mutating func append(quoted text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { appendEscaped($0) }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Appends a decimal integer.
  package mutating func append(number: Int64) {
    var rest = number.magnitude
    var digits: InlineArray<20, UInt8> = .init(repeating: 0)
    var first = 20
    repeat {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      first -= 1
      digits[first] = UInt8(ascii: "0") + UInt8(digit)
      rest = quotient
    } while rest > 0
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    for index in first..<20 { bytes.append(digits[index]) }
  }

  /// Appends the shortest digits that read back as the same number; `null` where JSON has none.
  package mutating func append(number: Double) {
    guard number.isFinite else { return append("null") }
    bytes.append(contentsOf: number.description.utf8)
  }

  /// Copies runs of bytes that may stand as they are, and escapes those between.
  private mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>) {
    var runStart = 0
    for index in text.indices {
      let byte = text[index]
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
      bytes.append(contentsOf: text[runStart..<index])
      runStart = index + 1
      appendEscape(byte)
    }
    bytes.append(contentsOf: text[runStart...])
  }

  private mutating func appendEscape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): append("\\\"")
    case UInt8(ascii: "\\"): append("\\\\")
    case 0x08: append("\\b")
    case 0x09: append("\\t")
    case 0x0A: append("\\n")
    case 0x0C: append("\\f")
    case 0x0D: append("\\r")
    default:
      append(byte < 0x10 ? "\\u000" : "\\u001")
      let low = byte & 0xF
      bytes.append(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
    }
  }
}
