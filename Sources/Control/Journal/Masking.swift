/// Replaces secrets in what the control API shows of requests.
enum Masking {
  static let mark = "********"

  /// Header lines as text; `Authorization` keeps its scheme.
  static func head(_ bytes: [UInt8]) -> [String] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map { line in
      let name = line.prefix { $0 != ":" }
      guard secretFields.contains(name.lowercased()) else { return String(line) }
      let words = line.dropFirst(name.count + 1).split(separator: " ")
      guard words.count > 1, schemeFields.contains(name.lowercased()) else { return "\(name): \(mark)" }
      return "\(name): \(words[0]) \(mark)"
    }
  }

  /// A body as text; bytes that are not UTF-8 become replacement characters.
  static func body(_ bytes: [UInt8]) -> String { text(String(decoding: bytes, as: UTF8.self)) }

  /// Masks the secrets of OAuth 2 in forms and in JSON (RFC 6749, 6750 and 7521).
  static func text(_ text: String) -> String {
    guard oauthSecrets.contains(where: { text.contains($0) }) else { return text }
    return oauthSecrets.reduce(text) { text, name in
      let plain = hiding(in: text, behind: "\(name)=", upTo: "&")
      return ["\"\(name)\":\"", "\"\(name)\": \""].reduce(plain) { hiding(in: $0, behind: $1, upTo: "\"") }
    }
  }

  /// Masks all text between `start` and `end`.
  private static func hiding(in text: String, behind start: String, upTo end: Character) -> String {
    let parts = text.split(separator: start, omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(String(parts[0])) { $0 + start + mark + $1.drop { $0 != end } }
  }

  private static let oauthSecrets = [
    "access_token", "refresh_token", "id_token", "assertion", "client_secret",
  ]

  private static let schemeFields: Set<String> = ["authorization", "proxy-authorization"]
  private static let secretFields = schemeFields.union(["cookie", "set-cookie", "x-sdk-key"])
}
