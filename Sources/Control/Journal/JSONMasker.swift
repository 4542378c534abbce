/// Masks secrets in JSON, also in text that is only almost JSON.
struct JSONMasker {
  private let masking: Masking
  private let bytes: [UInt8]
  private var offset = 0
  private var shown: MaskedBytes
  /// The masked values.
  private(set) var found: FoundSecrets

  init(_ bytes: [UInt8], _ masking: Masking, _ found: FoundSecrets) {
    self.masking = masking
    self.bytes = bytes
    self.shown = MaskedBytes(bytes)
    self.found = found
  }

  mutating func mask() -> [UInt8] {
    while let quote = bytes[offset...].firstIndex(of: UInt8(ascii: "\"")) {
      offset = quote
      skipString()
      let text = quote..<offset
      skipSpace()
      if offset < bytes.count, bytes[offset] == UInt8(ascii: ":") {
        if isSecret(bytes[text]) { maskValue() }
      } else {
        maskText(text)
      }
    }
    return shown.all
  }

  /// A text may be a URL, a form or JSON with secrets.
  private mutating func maskText(_ range: Range<Int>) {
    let quoted = bytes[range]
    if let text = documentInText(quoted) {
      guard let masked = masking.document(Array(text.utf8), &found) else { return }
      return shown.replace(range, with: JSON.string(String(decoding: masked, as: UTF8.self)).encoded())
    }
    guard quoted.contains(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "@") }) else { return }
    let isClosed = quoted.count > 1 && quoted.last == UInt8(ascii: "\"")
    let inner = range.lowerBound + 1..<range.upperBound - (isClosed ? 1 : 0)
    guard let masked = masking.text(Array(bytes[inner]), &found) else { return }
    shown.replace(inner, with: masked)
  }

  /// Nil for a text that is no JSON object or array.
  private func documentInText(_ quoted: ArraySlice<UInt8>) -> String? {
    // A name inside of it has escaped quotes.
    guard let first = quoted.dropFirst().first, "{[".utf8.contains(first),
      quoted.contains(UInt8(ascii: "\\"))
    else { return nil }
    return Self.string(quoted)
  }

  /// The text of a JSON string; nil if it is none.
  private static func string(_ quoted: ArraySlice<UInt8>) -> String? {
    guard case .string(let text)? = try? JSON(parsing: Array(quoted)) else { return nil }
    return text
  }

  /// Masks the value after a colon.
  private mutating func maskValue() {
    offset += 1
    skipSpace()
    guard offset < bytes.count else { return }
    let start = offset
    skipValue()
    found.add(Self.text(of: bytes[start..<offset]))
    shown.replace(start..<offset, with: "\"\(Masking.mark)\"".utf8)
  }

  private static func text(of value: ArraySlice<UInt8>) -> String {
    string(value) ?? String(decoding: value.filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
  }

  /// Arrays and objects end where their brackets are balanced.
  private mutating func skipValue() {
    var depth = 0
    repeat {
      switch bytes[offset] {
      case UInt8(ascii: "\""):
        skipString()
        continue
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      default:
        skipWord()
        continue
      }
      offset += 1
    } while offset < bytes.count && depth > 0
  }

  /// A number or a word, or what is between the values of an array.
  private mutating func skipWord() {
    let start = offset
    while offset < bytes.count, !",]}[{\"".utf8.contains(bytes[offset]) { offset += 1 }
    if offset == start { offset += 1 }
  }

  /// Skips a string with its quotes; at the end of the text the last one may be missing.
  private mutating func skipString() {
    // A local index stays in a register.
    var index = offset + 1
    while index < bytes.count {
      let byte = bytes[index]
      index += byte == UInt8(ascii: "\\") && index + 1 < bytes.count ? 2 : 1
      if byte == UInt8(ascii: "\"") { break }
    }
    offset = index
  }

  private mutating func skipSpace() {
    while offset < bytes.count, bytes[offset] <= 0x20 { offset += 1 }
  }

  /// Names may have escapes: `"access\u005ftoken"`.
  private func isSecret(_ name: ArraySlice<UInt8>) -> Bool {
    guard name.count <= 6 * SecretNames.maxLength else { return false }
    guard name.contains(UInt8(ascii: "\\")) else {
      return masking.names.contains(name.dropFirst().dropLast())
    }
    return Self.string(name).map { masking.names.contains($0) } ?? false
  }
}
