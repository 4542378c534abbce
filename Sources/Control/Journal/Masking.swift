import Crypto

/// Replaces secrets in what people see of requests. The time grows linearly with the text.
///
/// Which names are secret: `SecretNames`, and `secretFields` of each provider.
package struct Masking: Sendable {
  package static let mark = maskedSecret
  /// Without the names of a provider.
  package static let common = Masking(.common)

  let names: SecretNames
  /// How many levels of documents inside documents are still read, such as JSON in a form in a URL.
  private let depth: Int

  package init(_ names: SecretNames) { self.init(names, depth: 4) }

  private init(_ names: SecretNames, depth: Int) { (self.names, self.depth) = (names, depth) }

  /// Header lines as text; `Authorization` keeps its scheme.
  package func head(_ bytes: [UInt8]) -> [String] {
    Self.lines(of: bytes).map { line in
      let field = line.prefix { $0 != UInt8(ascii: ":") }
      guard names.contains(header: field) else {
        let text = String(decoding: line, as: UTF8.self)
        return hasQuery(line) ? target(text) : text
      }
      let (name, words) = (String(decoding: field, as: UTF8.self), Self.words(of: line, after: field))
      guard words.count > 1, Self.schemeFields.contains(name.lowercased()) else {
        return "\(name): \(Self.mark)"
      }
      return "\(name): \(words[0]) \(Self.mark)"
    }
  }

  /// The lines of a head, without their ends. Bytes: to search through characters takes fifty times as long.
  private static func lines(of head: [UInt8]) -> [ArraySlice<UInt8>] {
    var (lines, start) = ([ArraySlice<UInt8>](), 0)
    while start < head.count {
      let end = lineEnd.place(in: head, from: start) ?? head.count..<head.count
      if start < end.lowerBound { lines.append(head[start..<end.lowerBound]) }
      start = end.upperBound
    }
    return lines
  }

  private static let lineEnd = ByteSearch(for: "\r\n")

  /// The words of a header's value.
  private static func words(of line: ArraySlice<UInt8>, after name: ArraySlice<UInt8>) -> [String] {
    line[name.endIndex...].dropFirst().split(separator: UInt8(ascii: " "))
      .map { String(decoding: $0, as: UTF8.self) }
  }

  private static let schemeFields: Set = ["authorization", "proxy-authorization"]

  /// `Location` and `Referer`, for example, have the queries of other requests.
  private func hasQuery(_ line: ArraySlice<UInt8>) -> Bool {
    line.contains(UInt8(ascii: "?")) && line.contains(UInt8(ascii: "="))
  }

  /// A URL, or path and query.
  package func target(_ text: String) -> String {
    var found = FoundSecrets(limit: 0)
    return String(decoding: target(Array(text.utf8), &found), as: UTF8.self)
  }

  /// A body as text; bytes that are not UTF-8 become replacement characters.
  package func body(_ bytes: [UInt8]) -> String { String(decoding: body(bytes), as: UTF8.self) }

  func body(_ bytes: [UInt8]) -> [UInt8] {
    var found = FoundSecrets(limit: 0)
    return body(bytes, &found)
  }

  private func body(_ bytes: [UInt8], _ found: inout FoundSecrets) -> [UInt8] {
    if Self.isJSON(bytes) {
      var masker = JSONMasker(bytes, self, found)
      defer { found = masker.found }
      return masker.mask()
    }
    return pairs(in: bytes, &found) { names.contains($0) }
  }

  private func target(_ bytes: [UInt8], _ found: inout FoundSecrets) -> [UInt8] {
    var masked = pairs(in: bytes, &found) { names.contains(query: $0) }
    guard let scheme = Self.scheme.place(in: masked, from: 0) else { return masked }
    let authority = masked[scheme.upperBound...].prefix { !"/?#".utf8.contains($0) }
    guard let end = authority.lastIndex(of: UInt8(ascii: "@")) else { return masked }
    masked.replaceSubrange(scheme.upperBound..<end, with: Self.mark.utf8)
    return masked
  }

  private func pairs(
    in bytes: [UInt8], _ found: inout FoundSecrets, _ isSecret: @escaping (ArraySlice<UInt8>) -> Bool
  ) -> [UInt8] {
    var masker = PairMasker(bytes, self, found, isSecret)
    defer { found = masker.found }
    return masker.mask()
  }

  private static let scheme = ByteSearch(for: "://")

  private static func isJSON(_ bytes: [UInt8]) -> Bool {
    bytes.first { $0 > 0x20 }.map { "{[".utf8.contains($0) } ?? false
  }
}

/// Documents inside of texts.
extension Masking {
  /// A URL or JSON document with its secrets masked; nil for other text, and without secrets.
  func document(_ text: [UInt8], _ found: inout FoundSecrets) -> [UInt8]? {
    Self.isJSON(text) || Self.scheme.isFound(in: text) ? self.text(text, &found) : nil
  }

  /// A document, a form or a query with its secrets masked; nil without secrets. Inside of too many others it
  /// is masked as a whole.
  func text(_ text: [UInt8], _ found: inout FoundSecrets) -> [UInt8]? {
    guard depth > 0 else { return Array(Self.mark.utf8) }
    let inner = Masking(names, depth: depth - 1)
    let isURL = !Self.isJSON(text) && Self.scheme.isFound(in: text)
    let masked = isURL ? inner.target(text, &found) : inner.body(text, &found)
    return masked == text ? nil : masked
  }
}

/// Texts about a request, such as the reason of a refusal, repeat what a client sent.
extension Masking {
  func mask(_ texts: [String], about request: Request) -> [String] {
    let secrets = found(in: request)
    return texts.map { secrets.mask($0, self) }
  }

  /// The values in a body that `body` masks.
  package func secrets(inBody bytes: [UInt8]) -> Set<String> {
    var found = FoundSecrets(limit: .max)
    _ = body(bytes, &found)
    return found.values
  }

  package func secrets(of request: Request) -> Set<String> { found(in: request).values }

  private func found(in request: Request) -> FoundSecrets {
    var found = FoundSecrets()
    for line in Self.lines(of: request.headers.bytes) {
      let name = line.prefix { $0 != UInt8(ascii: ":") }
      guard names.contains(header: name), let value = Self.words(of: line, after: name).last else { continue }
      found.add(value)
      if let pair = Base64.decode(value), let colon = pair.firstIndex(of: UInt8(ascii: ":")) {
        found.add(String(decoding: pair[(colon + 1)...], as: UTF8.self))
      }
    }
    _ = target(Array(request.target.text.utf8), &found)
    _ = body(request.body, &found)
    return found
  }
}
