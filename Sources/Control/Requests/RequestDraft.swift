import Domain
import HTTP
import JSON

/// A request to send: new, or like one of the journal with some parts changed.
struct RequestDraft: RequestBody {
  private(set) var like: String?
  private var method: String?
  private var target: String?
  private var headers: [String]?
  private var body: String?

  init() {}

  static let schema = Schema<RequestDraft>(
    "RequestDraft", "A request to a provider.",
    [
      .nullable(
        "like", \.like, .string,
        "The id of a request in the journal, or latest. What follows replaces its parts; where a part has \(Masking.mark), the hidden value is put back."
      ),
      .nullable("method", \.method, .method, "The method."),
      .nullable(
        "target", \.target, .target, "Path and query, percent-encoded. By default those of like."),
      .nullable(
        "headers", \.headers, .array(of: .headerLine, maxItems: Limits().fieldCount),
        "All header lines. Content-Length is set, and Host if it is missing."),
      .nullable("body", \.body, .string, "The body, as UTF-8."),
    ]
  ) { input, draft throws(FieldError) in
    guard draft.like == nil else { return }
    let instead = "or like with the id of a request"
    if draft.method == nil { throw input.mismatch("method", expected: "a method, \(instead)") }
    if draft.target == nil { throw input.mismatch("target", expected: "path and query, \(instead)") }
  }

  /// The request as bytes. `host` is for one that names none.
  func bytes(like earlier: MaskedExchange?, host: String, in sandbox: Sandbox) throws -> [UInt8] {
    let target = try target(like: earlier, in: sandbox)
    let body = try body(like: earlier)
    var (lines, hasHost, hasLength) = ([UInt8](), false, false)
    for line in try headerLines(like: earlier) {
      let name = String(decoding: line.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self).lowercased()
      switch name {
      // The body is in one piece, and nobody waits for `100 Continue`.
      case "transfer-encoding", "expect", "proxy-authorization", "proxy-connection": continue
      case "content-length":
        if !hasLength { lines += "Content-Length: \(body.count)\r\n".utf8 }
        hasLength = true
        continue
      case "x-sandbox": try require(line, names: sandbox)
      case "host": hasHost = true
      default: break
      }
      lines += line + [0x0D, 0x0A]
    }
    if !hasHost { lines = Array("Host: \(host)\r\n".utf8) + lines }
    if !hasLength, !body.isEmpty { lines += "Content-Length: \(body.count)\r\n".utf8 }
    let method = method ?? earlier?.exchange.method ?? ""
    return Array("\(method) \(target) HTTP/1.1\r\n".utf8) + lines + [0x0D, 0x0A] + body
  }

  private func target(like earlier: MaskedExchange?, in sandbox: Sandbox) throws -> String {
    let target =
      try target.map { try unmasked($0, earlier?.target, earlier?.exchange.target, field: "$.target") }
      ?? earlier?.exchange.target ?? ""
    guard target.hasPrefix("/") else {
      throw ControlProblem(
        status: 409, message: "$.like: \(target) was a request of the proxy or of TLS; it cannot be sent",
        field: "$.like")
    }
    let segments = target.split(separator: "/", maxSplits: 2)
    guard segments.first != "s" || segments.count > 1 && segments[1] == sandbox.name else {
      throw ControlProblem(
        status: 400, message: "$.target: expected a path of sandbox \(sandbox.name); found \(target)",
        field: "$.target")
    }
    return target
  }

  private func body(like earlier: MaskedExchange?) throws -> [UInt8] {
    guard let body else { return earlier?.exchange.requestBody ?? [] }
    let original = earlier.map { String(decoding: $0.exchange.requestBody, as: UTF8.self) }
    return Array(try unmasked(body, earlier?.requestBody, original, field: "$.body").utf8)
  }

  private func headerLines(like earlier: MaskedExchange?) throws -> [ArraySlice<UInt8>] {
    let originals = earlier?.exchange.requestHead.split(separator: 0x0D).map { $0.drop { $0 == 0x0A } } ?? []
    let shown = earlier?.requestHead ?? []
    guard let headers else { return originals.filter { !$0.isEmpty } }
    return try headers.enumerated().map { index, line in
      if let original = shown.firstIndex(of: line).flatMap({ originals[safe: $0] }) { return original }
      let name = line.prefix { $0 != ":" }.lowercased()
      let place = shown.firstIndex { $0.prefix { $0 != ":" }.lowercased() == name }
      let text = try unmasked(
        line, place.map { shown[$0] },
        place.flatMap { originals[safe: $0] }.map { String(decoding: $0, as: UTF8.self) },
        field: "$.headers[\(index)]")
      return Array(text.utf8)[...]
    }
  }

  private func require(_ line: ArraySlice<UInt8>, names sandbox: Sandbox) throws {
    let line = String(decoding: line, as: UTF8.self)
    guard line.split(separator: ":").last?.filter({ $0 != " " }) != sandbox.name else { return }
    throw ControlProblem(
      status: 400, message: "$.headers: expected X-Sandbox: \(sandbox.name), or none; found \(line)",
      field: "$.headers")
  }

  /// The text with the hidden values of the original in the places of their marks.
  private func unmasked(
    _ text: String, _ shown: String?, _ original: String?, field: String
  ) throws(ControlProblem) -> String {
    guard text.contains(Masking.mark) else { return text }
    if let shown, let original,
      let restored = HiddenValues(shown: shown, original: original)?.restore(in: text)
    {
      return restored
    }
    throw ControlProblem(
      status: 400,
      message:
        "\(field): expected every \(Masking.mark) of the original in its order, or the values themselves; "
        + "found \(Masking.mark) whose value is not known",
      field: field)
  }
}

/// The values behind the marks of a masked text.
private struct HiddenValues {
  private let values: [Substring]

  /// Nil if the texts differ in more than the masked values.
  init?(shown: String, original: String) {
    let pieces = shown.split(separator: Masking.mark, omittingEmptySubsequences: false)
    guard pieces.count > 1, original.hasPrefix(pieces[0]) else { return nil }
    var (values, rest) = ([Substring](), original.dropFirst(pieces[0].count))
    for piece in pieces[1..<(pieces.count - 1)] {
      guard !piece.isEmpty, let range = rest.firstRange(of: piece) else { return nil }
      values.append(rest[..<range.lowerBound])
      rest = rest[range.upperBound...]
    }
    guard let last = pieces.last, rest.hasSuffix(last) else { return nil }
    self.values = values + [rest.dropLast(last.count)]
  }

  func restore(in text: String) -> String? {
    let pieces = text.split(separator: Masking.mark, omittingEmptySubsequences: false)
    guard pieces.count == values.count + 1 else { return nil }
    return zip(pieces, values).map { $0 + $1 }.joined() + (pieces.last ?? "")
  }
}

extension FieldType<String> {
  fileprivate static var method: FieldType {
    .text(.string(pattern: "^[A-Z]{1,16}$"), expected: "a method in capitals, such as POST") {
      1...16 ~= $0.utf8.count && $0.utf8.allSatisfy { 0x41...0x5A ~= $0 }
    }
  }

  fileprivate static var target: FieldType {
    .text(.string(pattern: "^/[!-~]*$"), expected: "a path that begins with /, percent-encoded") {
      $0.hasPrefix("/") && $0.utf8.allSatisfy { 0x21...0x7E ~= $0 }
    }
  }

  fileprivate static var headerLine: FieldType {
    .text(.string(pattern: "^[^:\\r\\n]+:[^\\r\\n]*$"), expected: "a line such as Name: value") { line in
      line.contains(":") && !line.hasPrefix(":") && !line.utf8.contains { $0 == 0x0D || $0 == 0x0A }
    }
  }
}
