import HTTP
import JSON

/// Replaces secrets in what the control API shows of requests. The time grows linearly with the text.
package enum Masking {
  package static let mark = "********"

  /// Header lines as text; `Authorization` keeps its scheme.
  package static func head(_ bytes: [UInt8]) -> [String] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map { line in
      let name = line.prefix { $0 != ":" }
      guard isSecretField(name.lowercased()) else { return String(line) }
      let words = line.dropFirst(name.count + 1).split(separator: " ")
      guard words.count > 1, schemeFields.contains(name.lowercased()) else { return "\(name): \(mark)" }
      return "\(name): \(words[0]) \(mark)"
    }
  }

  /// Path and query.
  package static func target(_ text: String) -> String { pairs(in: text.utf8[...], secrets: querySecrets) }

  /// A body as text; bytes that are not UTF-8 become replacement characters.
  ///
  /// Masks the secrets of OAuth 2 in forms and in JSON (RFC 6749, 6750 and 7521).
  package static func body(_ bytes: [UInt8]) -> String {
    switch bytes.first(where: { $0 > 0x20 }) {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      var scanner = JSONMasker(bytes)
      return scanner.mask()
    default: return pairs(in: bytes[...], secrets: oauthSecrets)
    }
  }

  static func isSecretMember(_ name: String) -> Bool { oauthSecrets.contains(name.lowercased()) }

  /// Masks the values of `name=value` pairs between `&` or `?`. Names may be percent-encoded.
  static func pairs<Bytes: Collection<UInt8>>(in text: Bytes, secrets: Set<String>) -> String
  where Bytes.SubSequence: Collection<UInt8> {
    var shown: [UInt8] = []
    shown.reserveCapacity(text.count)
    var rest = text[...]
    while !rest.isEmpty {
      let part = rest.prefix { $0 != UInt8(ascii: "&") && $0 != UInt8(ascii: "?") }
      let name = part.prefix { $0 != UInt8(ascii: "=") }
      if name.endIndex != part.endIndex, isSecret(name, among: secrets) {
        shown += name
        shown += "=\(mark)".utf8
      } else {
        shown += part
      }
      rest = rest[part.endIndex...]
      if let separator = rest.first { shown.append(separator) }
      rest = rest.dropFirst()
    }
    return String(decoding: shown, as: UTF8.self)
  }

  private static func isSecret(_ name: some Collection<UInt8>, among secrets: Set<String>) -> Bool {
    // Each letter takes at most three bytes.
    guard name.count <= 3 * longestSecret else { return false }
    return PercentCoding.decode(name, plusIsSpace: true).map { secrets.contains($0.lowercased()) } ?? false
  }

  /// Secrets in JSON, in forms and in queries.
  static let oauthSecrets: Set<String> = [
    "access_token", "refresh_token", "id_token", "assertion", "client_secret", "client_assertion",
    "accesstoken", "refreshtoken", "ephemeralaccesstoken",
  ]
  /// Secrets in queries. In bodies, `token` is the address of a push.
  private static let querySecrets = oauthSecrets.union([
    "token", "auth_token", "api_key", "apikey", "api-key", "x-api-key", "secret", "password",
  ])
  private static let longestSecret = querySecrets.map(\.utf8.count).max() ?? 0

  /// `name` is in lower case.
  private static func isSecretField(_ name: String) -> Bool {
    secretFields.contains(name) || name.hasSuffix("-secret")
  }

  private static let schemeFields: Set<String> = ["authorization", "proxy-authorization"]
  private static let secretFields = schemeFields.union([
    "cookie", "set-cookie", "x-sdk-key", "x-api-key", "api-key", "x-goog-api-key", "x-auth-token",
  ])
}

/// Masks secrets in JSON, also in text that is only almost JSON.
private struct JSONMasker {
  private let bytes: [UInt8]
  private var offset = 0
  private var shown: [UInt8] = []

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    shown.reserveCapacity(bytes.count)
  }

  mutating func mask() -> String {
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
        // A text may be a URL with secrets.
        let hasPairs = text.contains(UInt8(ascii: "="))
        shown += hasPairs ? Array(Masking.pairs(in: text, secrets: Masking.oauthSecrets).utf8) : Array(text)
        if hasPairs, text.last == UInt8(ascii: "\""), shown.last != UInt8(ascii: "\"") {
          shown.append(UInt8(ascii: "\""))
        }
        shown += space
      }
    }
    return String(decoding: shown, as: UTF8.self)
  }

  /// Writes the colon and a masked value. Arrays and objects are left to the scanner.
  private mutating func maskValue() {
    shown.append(UInt8(ascii: ":"))
    offset += 1
    shown += takeSpace()
    guard offset < bytes.count else { return }
    switch bytes[offset] {
    case UInt8(ascii: "["), UInt8(ascii: "{"): return
    case UInt8(ascii: "\""): _ = takeString()
    default: while offset < bytes.count, !",]}".utf8.contains(bytes[offset]) { offset += 1 }
    }
    shown += "\"\(Masking.mark)\"".utf8
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
    if name.contains(UInt8(ascii: "\\")) {
      guard case .string(let text)? = try? JSON(parsing: Array(name)) else { return false }
      return Masking.isSecretMember(text)
    }
    return Masking.isSecretMember(String(decoding: name.dropFirst().dropLast(), as: UTF8.self))
  }
}
