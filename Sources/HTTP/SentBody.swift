package import JSON

/// A format in which handlers read bodies.
package enum BodyFormat: String {
  case form = "a form (application/x-www-form-urlencoded)"
  case json = "JSON (application/json)"
}

/// How a body was sent, for the reason of a refusal.
extension Request {
  /// What is wrong with the body as a whole; nil if nobody has read it, or if it has the format in which it
  /// was read.
  package var bodyProblem: FieldError? {
    guard let expected = inputs.bodyFormat, let found = sentFormat(insteadOf: expected) else { return nil }
    return FieldError(path: "body", expected: expected.rawValue, found: found)
  }

  /// The first bytes decide, because clients send wrong content types with right bodies.
  private func sentFormat(insteadOf expected: BodyFormat) -> String? {
    guard let first = body.first(where: { $0 > UInt8(ascii: " ") }) else { return nil }
    if let packed = compression { return packed }
    if isMultipart { return "multipart/form-data" }
    if body.starts(with: [0xEF, 0xBB, 0xBF]) { return "a byte order mark (U+FEFF) before it" }
    if body.starts(with: [0xFF, 0xFE]) || body.starts(with: [0xFE, 0xFF]) || body.prefix(4).contains(0) {
      return "UTF-16 or UTF-32; send UTF-8"
    }
    switch (expected, first) {
    case (_, UInt8(ascii: "<")): return "XML or HTML"
    case (.form, UInt8(ascii: "{")), (.form, UInt8(ascii: "[")): return "JSON"
    case (_, UInt8(ascii: "\"")):
      return second == UInt8(ascii: "{") ? "JSON inside a JSON string: it is encoded twice" : nil
    case (.json, UInt8(ascii: "{")):
      return second == UInt8(ascii: "'") ? "names in single quotes; JSON has double quotes" : nil
    case (.json, _): return looksLikeForm ? "a form (application/x-www-form-urlencoded)" : nil
    case (.form, _): return nil
    }
  }

  /// The encoding of a compressed body: of its first bytes, or of bytes that are no text.
  private var compression: String? {
    if let problem = inputs.compressionProblem { return problem }
    let advice = "send it as it is, without Content-Encoding"
    if body.starts(with: Self.gzipStart) { return "gzip data; \(advice)" }
    guard let name = headers["Content-Encoding"]?.lowercased(), Self.encodings.contains(name),
      body.prefix(Self.searched).contains(where: { $0 < 0x09 }) || String(utf8: body[...]) == nil
    else { return nil }
    return "data in the encoding \(name); \(advice)"
  }

  /// Source: RFC 1952, 2.3.1.
  package static let gzipStart: [UInt8] = [0x1F, 0x8B]

  private static let encodings: Set = ["gzip", "x-gzip", "deflate", "br", "zstd", "compress"]
  /// In bytes.
  private static let searched = 512

  private var isMultipart: Bool {
    body.starts(with: "--".utf8)
      && (headers["Content-Type"]?.lowercased().hasPrefix("multipart/") ?? false
        || Self.disposition.isFound(in: Array(body.prefix(Self.searched))))
  }

  private static let disposition = CaselessSearch(for: "content-disposition: form-data")

  /// The second character that is no blank: of `{'to': …`, as Python shows a dictionary, the quote.
  private var second: UInt8? { body.lazy.filter { $0 > UInt8(ascii: " ") }.dropFirst().first }

  /// `to=%2B12025550100&…`: a name and an equals sign.
  private var looksLikeForm: Bool {
    let name = body.prefix(Self.searched).prefix { $0.isAlphanumeric || "_-.%[]+".utf8.contains($0) }
    return !name.isEmpty && body.dropFirst(name.count).first == UInt8(ascii: "=")
  }
}

/// Fields that are in the wrong place, or there twice.
extension Request {
  /// The fields that no handler read. Without those of a body in another format than expected, which has
  /// none; with those of a query that no handler parsed if the handler was satisfied, or expected them in the
  /// body.
  package func unread(isAccepted: Bool) -> [String] {
    if isAccepted || inputs.bodyFormat != nil { _ = try? query }
    return inputs.unread(withBody: bodyProblem == nil)
  }

  /// Query fields of a request whose fields are in its body, and the body of one whose fields are in its
  /// query; nil if all is in its place.
  package var misplaced: String? {
    switch method {
    case .post, .put, .patch:
      guard inputs.bodyFormat != nil, let query = try? query else { return nil }
      let names = query.unread.filter { !Self.sandboxFields.contains($0) }
      guard !names.isEmpty else { return nil }
      return
        "query: found \(names.joined(separator: ", ")); expected them in the body of this \(method.rawValue)"
    case .get, .head:
      return body.isEmpty || inputs.bodyFormat != nil
        ? nil : "body: not read; expected the fields of a \(method.rawValue) in its query"
    case .delete, .options, .connect: return nil
    }
  }
}
