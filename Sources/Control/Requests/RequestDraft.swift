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
        "The id of a request in the journal, or latest. What follows replaces its parts. A value that is shown as \(Masking.mark) is put back where it was; elsewhere the mark is text."
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

  /// The same without a body, which does not decide where the request goes.
  var withoutBody: RequestDraft {
    var draft = self
    draft.body = ""
    return draft
  }

  /// The request as bytes. `host` is for one that names none. `masking` is that of the journal for the new
  /// request: a value that it would show stays masked. Nil: all values do.
  func bytes(
    like earlier: MaskedExchange?, _ masking: Masking?, host: String, in sandbox: Sandbox
  ) throws -> [UInt8] {
    let hidden = earlier.map { HiddenParts(of: $0, masking) }
    let target = try target(hidden, in: sandbox)
    let body = body.map { hidden?.body(changedTo: $0) ?? Array($0.utf8) } ?? hidden?.body ?? []
    var (lines, hasHost, hasLength) = ([UInt8](), false, false)
    let all = headers.map { hidden?.lines(changedTo: $0) ?? $0.map { Array($0.utf8) } } ?? hidden?.lines ?? []
    for line in all {
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

  private func target(_ hidden: HiddenParts?, in sandbox: Sandbox) throws -> String {
    let target = target.map { hidden?.target(changedTo: $0) ?? $0 } ?? hidden?.target ?? ""
    guard target.hasPrefix("/") else {
      throw ControlProblem(
        409, at: "$.like", "\(target) was a request of the proxy or of TLS; it cannot be sent")
    }
    let segments = target.split(separator: "/", maxSplits: 2)
    guard segments.first != "s" || segments.count > 1 && segments[1] == sandbox.name else {
      throw ControlProblem(400, at: "$.target", "expected a path of sandbox \(sandbox.name); found \(target)")
    }
    return target
  }

  private func require(_ line: [UInt8], names sandbox: Sandbox) throws {
    let line = String(decoding: line, as: UTF8.self)
    guard line.split(separator: ":").last?.filter({ $0 != " " }) != sandbox.name else { return }
    throw ControlProblem(400, at: "$.headers", "expected X-Sandbox: \(sandbox.name), or none; found \(line)")
  }
}

/// The parts of an earlier request for one like it, whose values `masking` hides. What it would not hide
/// stays masked; nil: everything.
private struct HiddenParts {
  private let earlier: MaskedExchange
  private let masking: Masking?

  init(of earlier: MaskedExchange, _ masking: Masking?) {
    (self.earlier, self.masking) = (earlier, masking)
  }

  // MARK: Unchanged parts

  /// True if the new request belongs to the same provider, so that all that was hidden will be.
  private var hidesTheSame: Bool { masking?.names == earlier.masking.names }

  var target: String {
    let original = earlier.exchange.target
    if hidesTheSame { return original }
    let shown = earlier.target
    return masking?.target(original) == shown ? original : shown
  }

  var body: [UInt8] {
    let original = earlier.exchange.requestBody
    if hidesTheSame { return original }
    let shown = earlier.requestBody
    return masking?.body(original) == shown ? original : Array(shown.utf8)
  }

  var lines: [[UInt8]] { lines(changedTo: earlier.requestHead) }

  // MARK: Changed parts

  func target(changedTo text: String) -> String {
    guard let masking, text.contains(Masking.mark) else { return text }
    let values = { (text: String) in MarkedValues(Array(text.utf8), isJSON: false) }
    let hidden = HiddenValues(shown: values(earlier.target), original: Array(earlier.exchange.target.utf8))
    let restored = String(decoding: hidden.restored(in: values(text)), as: UTF8.self)
    return Self.areEqual(masking.target(restored), text, masking.target) ? restored : text
  }

  func body(changedTo text: String) -> [UInt8] {
    let changed = Array(text.utf8)
    guard let masking, text.contains(Masking.mark) else { return changed }
    let shown = MarkedValues(body: Array(earlier.requestBody.utf8))
    let restored = HiddenValues(shown: shown, original: earlier.exchange.requestBody)
      .restored(in: MarkedValues(body: changed))
    return Self.areEqual(masking.body(restored), text) { masking.body(Array($0.utf8)) } ? restored : changed
  }

  /// True if a restored text is shown like the text that was written, whose other secrets are hidden too.
  private static func areEqual(_ shown: String, _ text: String, _ mask: (String) -> String) -> Bool {
    shown == text || shown == mask(text)
  }

  /// Lines that are as before, at the same place among those of their name, are those of the earlier request.
  func lines(changedTo lines: [String]) -> [[UInt8]] {
    let shown = Self.numbered(earlier.requestHead)
    let originals = earlier.exchange.requestHead.split(separator: 0x0D).map { $0.drop { $0 == 0x0A } }
    let places = Dictionary(zip(shown, originals)) { first, _ in first }
    return Self.numbered(lines).map { line in
      guard let masking, let original = places[line], masking.head(Array(original)) == [line.text] else {
        return Array(line.text.utf8)
      }
      return Array(original)
    }
  }

  private struct NumberedLine: Hashable {
    let text: String
    /// How many lines before it have the same name.
    let number: Int
  }

  private static func numbered(_ lines: [String]) -> [NumberedLine] {
    var counts: [String: Int] = [:]
    return lines.map { line in
      let name = line.prefix { $0 != ":" }.lowercased()
      defer { counts[name, default: 0] += 1 }
      return NumberedLine(text: line, number: counts[name, default: 0])
    }
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
