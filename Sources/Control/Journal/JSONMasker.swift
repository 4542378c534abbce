import Domain
import JSON

/// Masks secrets in JSON, also in text that is only almost JSON.
struct JSONMasker {
  private let masking: Masking
  private let bytes: [UInt8]
  private var offset = 0
  private var shown: [UInt8] = []
  /// The masked values.
  private(set) var found: FoundSecrets

  init(_ bytes: [UInt8], _ masking: Masking, _ found: FoundSecrets) {
    self.masking = masking
    self.bytes = bytes
    self.found = found
    shown.reserveCapacity(bytes.count)
  }

  mutating func mask() -> [UInt8] {
    while offset < bytes.count {
      guard bytes[offset] == UInt8(ascii: "\"") else {
        shown.append(bytes[offset])
        offset += 1
        continue
      }
      let text = takeString()
      let space = takeSpace()
      if offset < bytes.count, bytes[offset] == UInt8(ascii: ":") {
        shown += text
        shown += space
        if isSecret(text) { maskValue() }
      } else {
        showText(text)
        shown += space
      }
    }
    return shown
  }

  /// A text may be a URL, a form or JSON with secrets.
  private mutating func showText(_ quoted: ArraySlice<UInt8>) {
    if let text = documentInText(quoted) {
      let masked = masking.document(Array(text.utf8), &found)
      return shown += masked.map { JSON.string(String(decoding: $0, as: UTF8.self)).encoded()[...] } ?? quoted
    }
    guard quoted.contains(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "@") }) else {
      return shown += quoted
    }
    let isClosed = quoted.count > 1 && quoted.last == UInt8(ascii: "\"")
    let text = Array(isClosed ? quoted.dropFirst().dropLast() : quoted.dropFirst())
    guard let masked = masking.text(text, &found) else { return shown += quoted }
    shown.append(UInt8(ascii: "\""))
    shown += masked
    if isClosed { shown.append(UInt8(ascii: "\"")) }
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

  /// Writes the colon and a masked value.
  private mutating func maskValue() {
    shown.append(UInt8(ascii: ":"))
    offset += 1
    shown += takeSpace()
    guard offset < bytes.count else { return }
    let start = offset
    skipValue()
    found.add(Self.text(of: bytes[start..<offset]))
    shown += "\"\(Masking.mark)\"".utf8
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
        _ = takeString()
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

  /// A string with its quotes; at the end of the text the last one may be missing.
  private mutating func takeString() -> ArraySlice<UInt8> {
    let start = offset
    offset += 1
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += byte == UInt8(ascii: "\\") && offset + 1 < bytes.count ? 2 : 1
      if byte == UInt8(ascii: "\"") { break }
    }
    return bytes[start..<offset]
  }

  private mutating func takeSpace() -> ArraySlice<UInt8> {
    let start = offset
    while offset < bytes.count, bytes[offset] <= 0x20 { offset += 1 }
    return bytes[start..<offset]
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
