import Crypto
package import Domain
package import HTTP
import JSON

/// Replaces secrets in what people see of requests. The time grows linearly with the text.
///
/// Which names are secret: `SecretNames`, and `secretFields` of each provider.
package struct Masking: Sendable {
  package static let mark = maskedSecret
  /// Without the names of a provider.
  package static let common = Masking(.common)

  let names: SecretNames

  package init(_ names: SecretNames) { self.names = names }

  /// Header lines as text; `Authorization` keeps its scheme.
  package func head(_ bytes: [UInt8]) -> [String] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map { line in
      let name = line.prefix { $0 != ":" }
      guard names.contains(header: name) else { return hasQuery(line) ? target(String(line)) : String(line) }
      let words = line.dropFirst(name.count + 1).split(separator: " ")
      guard words.count > 1, Self.schemeFields.contains(name.lowercased()) else {
        return "\(name): \(Self.mark)"
      }
      return "\(name): \(words[0]) \(Self.mark)"
    }
  }

  private static let schemeFields: Set = ["authorization", "proxy-authorization"]

  /// `Location` and `Referer`, for example, have the queries of other requests.
  private func hasQuery(_ line: Substring) -> Bool { line.contains("?") && line.contains("=") }

  /// A URL, or path and query.
  package func target(_ text: String) -> String {
    var found: [String] = []
    return target(text, &found)
  }

  /// A body as text; bytes that are not UTF-8 become replacement characters.
  package func body(_ bytes: [UInt8]) -> String {
    var found: [String] = []
    return body(bytes, &found)
  }

  func target(_ text: String, _ found: inout [String]) -> String {
    let masked = pairs(in: text.utf8[...], &found) { names.contains(query: $0) }
    guard let scheme = masked.firstRange(of: "://") else { return masked }
    let authority = masked[scheme.upperBound...].prefix { !"/?#".contains($0) }
    guard let end = authority.lastIndex(of: "@") else { return masked }
    return masked[..<scheme.upperBound] + Self.mark + masked[end...]
  }

  func body(_ bytes: [UInt8], _ found: inout [String]) -> String {
    switch bytes.first(where: { $0 > 0x20 }) {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      var masker = JSONMasker(bytes, self)
      defer { found += masker.found }
      return masker.mask()
    default: return pairs(in: bytes[...], &found) { names.contains($0) }
    }
  }

  /// Masks the values of `name=value` pairs between `&` or `?`, and adds them to `found`. Names may be
  /// percent-encoded.
  private func pairs<Bytes: Collection<UInt8>>(
    in text: Bytes, _ found: inout [String], _ isSecret: (String) -> Bool
  ) -> String where Bytes.SubSequence: Collection<UInt8> {
    var shown: [UInt8] = []
    shown.reserveCapacity(text.count)
    var rest = text[...]
    while !rest.isEmpty {
      let part = rest.prefix { $0 != UInt8(ascii: "&") && $0 != UInt8(ascii: "?") }
      shown += pair(Array(part), &found, isSecret)
      rest = rest[part.endIndex...]
      if let separator = rest.first { shown.append(separator) }
      rest = rest.dropFirst()
    }
    return String(decoding: shown, as: UTF8.self)
  }

  private func pair(_ bytes: [UInt8], _ found: inout [String], _ isSecret: (String) -> Bool) -> [UInt8] {
    let name = bytes.prefix { $0 != UInt8(ascii: "=") }
    guard name.count < bytes.count else { return encodedText(bytes[...], &found) ?? bytes }
    let value = bytes[(name.endIndex + 1)...]
    // Each letter takes at most three bytes.
    if name.count <= 3 * SecretNames.maxLength, let text = decoded(name), isSecret(text) {
      if let value = decoded(value) { found.append(value) }
      return name + Array("=\(Self.mark)".utf8)
    }
    guard let shown = encodedText(value, &found) else { return encodedText(name, &found) ?? bytes }
    return name + [UInt8(ascii: "=")] + shown
  }

  /// A percent-encoded URL or JSON document with secrets, masked; nil for other text.
  private func encodedText(_ bytes: ArraySlice<UInt8>, _ found: inout [String]) -> [UInt8]? {
    guard bytes.contains(UInt8(ascii: "%")), let text = decoded(bytes) else { return nil }
    let masked =
      text.hasPrefix("{") || text.hasPrefix("[")
      ? body(Array(text.utf8), &found) : text.contains("://") ? target(text, &found) : text
    guard masked != text else { return nil }
    let pieces = masked.split(separator: Self.mark, omittingEmptySubsequences: false)
    return Array(pieces.map { PercentCoding.encode(String($0)) }.joined(separator: Self.mark).utf8)
  }

  private func decoded(_ bytes: ArraySlice<UInt8>) -> String? {
    PercentCoding.decode(bytes, plusIsSpace: true)
  }
}

/// Texts about a request, such as the reason of a refusal, repeat what a client sent.
extension Masking {
  /// Shorter values are words that texts have anyway.
  private static let shortestSecret = 8
  /// Of one request. More are no client's.
  private static let maxSecrets = 16

  /// Masks the secrets of a request in texts about it.
  func mask(_ texts: [String], about request: Request) -> [String] {
    let secrets = secrets(of: request)
    return texts.map { text in
      secrets.reduce(body(Array(text.utf8))) { $0.replacing($1, with: Self.mark) }
    }
  }

  /// The values in a body that `body` masks.
  package func secrets(inBody bytes: [UInt8]) -> [String] {
    var found: [String] = []
    _ = body(bytes, &found)
    return found.filter { $0.utf8.count >= Self.shortestSecret }
  }

  package func secrets(of request: Request) -> [String] {
    var found: [String] = []
    for line in String(decoding: request.headers.bytes, as: UTF8.self).split(separator: "\r\n") {
      let name = line.prefix { $0 != ":" }
      guard names.contains(header: name), let value = line.split(separator: " ").last else { continue }
      found.append(String(value))
      if let pair = Base64.decode(String(value)), let colon = pair.firstIndex(of: UInt8(ascii: ":")) {
        found.append(String(decoding: pair[(colon + 1)...], as: UTF8.self))
      }
    }
    _ = target(request.target.text, &found)
    _ = body(request.body, &found)
    var secrets: [String] = []
    for value in found where value.utf8.count >= Self.shortestSecret && !secrets.contains(value) {
      secrets.append(value)
      if secrets.count == Self.maxSecrets { break }
    }
    return secrets
  }
}
