package import Basics
import Crypto
import HTTP
package import JSON

/// Recorded traffic: the requests to providers with the answers that they got.
///
/// Two formats: HAR 1.2, as browsers and proxies write it, and the cassettes of VCR, in YAML or JSON.
package struct Recording: Sendable {
  package struct Entry: Sendable {
    /// Its place in the file, from 1.
    package let number: Int
    let method: String
    let url: AbsoluteURL
    let headers: [Header]
    let body: [UInt8]
    /// On the provider's clock, if the answer has it; nil if the recording has no time.
    let time: Timestamp?
    let answer: RecordedAnswer
  }

  struct Header: Sendable {
    let name: String
    let value: String
  }

  package private(set) var entries: [Entry] = []
  /// The number of requests to hosts of no provider.
  package private(set) var foreignCount = 0
  /// The number of requests without an answer, such as those that a browser gave up.
  package private(set) var unansweredCount = 0

  /// The time of the first request; nil if no request has one.
  package var start: Timestamp? { entries.lazy.compactMap(\.time).first }

  /// In bytes, of the file.
  package static let sizeLimit = 64 << 20
  static let entryLimit = 5000

  /// Requests to other hosts are only counted: recordings of browsers are full of them.
  package init(_ bytes: [UInt8], isProvider: (_ host: String) -> Bool) throws(FieldError) {
    guard bytes.count <= Self.sizeLimit else {
      throw FieldError(path: "$", expected: "at most \(Self.sizeLimit) bytes", found: "\(bytes.count)")
    }
    let document =
      CassetteYAML.isLikely(bytes)
      ? try Fields(CassetteYAML.parse(bytes)) : try Fields(bytes, limits: .seed, repeatedNames: .lastCounts)
    if document.has("log") {
      try readArchive(document.object("log"), isProvider)
    } else if document.has("interactions") {
      let version = try document.int("version")
      guard version == 1 else { throw document.mismatch("version", expected: "1") }
      try readCassette(document, "interactions", isProvider)
    } else if document.has("http_interactions") {
      try readCassette(document, "http_interactions", isProvider)
    } else {
      throw FieldError(
        path: "$", expected: "log, as in HAR, or interactions, as in VCR's cassettes", found: "neither")
    }
  }

  // MARK: HAR

  private mutating func readArchive(_ log: Fields, _ isProvider: (String) -> Bool) throws(FieldError) {
    for (index, entry) in try log.objects("entries", atMost: .max).enumerated() {
      let request = try entry.object("request")
      guard let url = try Self.url("url", of: request, isProvider) else {
        foreignCount += 1
        continue
      }
      let response = try entry.object("response")
      // Browsers write 0 if there was no answer.
      guard try response.int("status") != 0 else {
        unansweredCount += 1
        continue
      }
      let started = try entry.string("startedDateTime")
      guard let time = Timestamp(rfc3339: started), SandboxClock.range.contains(time) else {
        throw entry.mismatch("startedDateTime", expected: "a time such as 2026-01-05T10:20:30.412Z")
      }
      let answer = RecordedAnswer(
        status: try Self.status("status", of: response), headers: try Self.headerList(of: response),
        body: try response.optionalObject("content").map { content throws(FieldError) in
          try Self.archivedText(of: content)
        } ?? nil)
      try add(
        request,
        Entry(
          number: index + 1, method: try request.string("method"), url: url,
          headers: try Self.headerList(of: request).filter { !$0.name.hasPrefix(":") },
          body: try Self.postData(of: request), time: answer.time ?? time, answer: answer))
    }
  }

  private static func headerList(of message: Fields) throws(FieldError) -> [Header] {
    var headers: [Header] = []
    for field in try message.optionalObjects("headers") ?? [] {
      headers.append(Header(name: try field.string("name"), value: try field.string("value")))
    }
    return headers
  }

  /// Nil for an answer whose body was not recorded.
  private static func archivedText(of content: Fields) throws(FieldError) -> [UInt8]? {
    guard let text = try content.optionalString("text") else {
      return try content.optionalInt("size") == 0 ? [] : nil
    }
    guard try content.optionalString("encoding") == "base64" else { return Array(text.utf8) }
    return try decoded(text, "text", of: content)
  }

  private static func postData(of request: Fields) throws(FieldError) -> [UInt8] {
    guard let data = try request.optionalObject("postData") else { return [] }
    if let text = try data.optionalString("text") { return Array(text.utf8) }
    var pairs: [String] = []
    for field in try data.optionalObjects("params") ?? [] {
      let (name, value) = (try field.string("name"), try field.optionalString("value") ?? "")
      pairs.append("\(PercentCoding.encode(name))=\(PercentCoding.encode(value))")
    }
    return Array(pairs.joined(separator: "&").utf8)
  }

  // MARK: Cassettes

  /// In Python the list is `interactions`; in Ruby `http_interactions`, with methods in small letters.
  private mutating func readCassette(
    _ document: Fields, _ list: String, _ isProvider: (String) -> Bool
  ) throws(FieldError) {
    for (index, interaction) in try document.objects(list, atMost: .max).enumerated() {
      let request = try interaction.object("request")
      guard let url = try Self.url("uri", of: request, isProvider) else {
        foreignCount += 1
        continue
      }
      let response = try interaction.object("response")
      let answer = RecordedAnswer(
        status: try Self.status("code", of: response.object("status")),
        headers: try Self.headerTable(of: response), body: try Self.cassetteBody(of: response))
      try add(
        request,
        Entry(
          number: index + 1, method: try request.string("method").uppercased(), url: url,
          headers: try Self.headerTable(of: request), body: try Self.cassetteBody(of: request) ?? [],
          time: answer.time, answer: answer))
    }
  }

  /// Each name has one value, or an array of values.
  private static func headerTable(of message: Fields) throws(FieldError) -> [Header] {
    guard let table = try message.optionalObject("headers") else { return [] }
    var headers: [Header] = []
    for name in table.names {
      switch try table.json(name) {
      case .string(let value): headers.append(Header(name: name, value: value))
      case .array: for value in try table.strings(name) { headers.append(Header(name: name, value: value)) }
      default: throw table.mismatch(name, expected: "a string, or an array of strings")
      }
    }
    return headers
  }

  /// A text, or an object with a text or with bytes in Base64. Nil if there is none.
  private static func cassetteBody(_ name: String = "body", of message: Fields) throws(FieldError) -> [UInt8]?
  {
    guard message.has(name) else { return nil }
    switch try message.json(name) {
    case .null: return []
    case .string(let text): return Array(text.utf8)
    case .object:
      let body = try message.object(name)
      if let text = try body.optionalString("base64_string") {
        return try decoded(text, "base64_string", of: body)
      }
      return try cassetteBody("string", of: body)
    default: throw message.mismatch(name, expected: "a string, or an object with string or base64_string")
    }
  }

  // MARK: Both

  /// Adds an entry, unless no client can send its request.
  private mutating func add(_ request: Fields, _ entry: Entry) throws(FieldError) {
    guard entries.count < Self.entryLimit else {
      throw FieldError(
        path: request.path, expected: "at most \(Self.entryLimit) requests to providers", found: "more")
    }
    let texts = [entry.method] + entry.headers.flatMap { [$0.name, $0.value] }
    guard texts.allSatisfy({ $0.utf8.allSatisfy { $0 >= 0x20 || $0 == 0x09 } }) else {
      throw FieldError(
        path: request.path, expected: "a method and headers without control characters", found: "some")
    }
    do {
      _ = try entry.request()
    } catch {
      throw FieldError(
        path: request.path, expected: "a request that can be sent", found: "this problem: \(error.sentence)")
    }
    if let body = entry.answer.body, body.starts(with: [0x1F, 0x8B]) {
      throw FieldError(
        path: request.path, expected: "an answer without compression (decode_compressed_response=True)",
        found: "gzip")
    }
    entries.append(entry)
  }

  /// Nil for a host of no provider.
  private static func url(
    _ name: String, of request: Fields, _ isProvider: (String) -> Bool
  ) throws(FieldError) -> AbsoluteURL? {
    let text = try request.string(name)
    guard let scheme = text.firstRange(of: "://") else { return nil }
    let authority = text[scheme.upperBound...].prefix { !"/?#".contains($0) }
    let place = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    guard let host = Authority(place)?.host, isProvider(host) else { return nil }
    guard let url = AbsoluteURL(text) else {
      // Not with its text, which may have secrets.
      throw FieldError(
        path: "\(request.path).\(name)",
        expected: "an http or https URL of at most \(AbsoluteURL.sizeLimit) visible ASCII characters",
        found: "another one of \(text.utf8.count) bytes")
    }
    return url
  }

  private static func status(_ name: String, of fields: Fields) throws(FieldError) -> Int {
    let status = try fields.int(name)
    guard Status(status) != nil else { throw fields.mismatch(name, expected: "a status from 100 to 599") }
    return status
  }

  private static func decoded(_ text: String, _ name: String, of fields: Fields) throws(FieldError) -> [UInt8]
  {
    guard let bytes = Base64.decode(text) else {
      throw FieldError(path: "\(fields.path).\(name)", expected: "Base64", found: "another text")
    }
    return bytes
  }
}

/// The answer of a provider.
struct RecordedAnswer: Sendable {
  let status: Int
  let headers: Headers
  /// Nil if it was not recorded.
  let body: [UInt8]?

  init(status: Int, headers: [Recording.Header], body: [UInt8]?) {
    self.status = status
    self.body = body
    var fields = Headers()
    for header in headers { fields.add(header.name, header.value) }
    self.headers = fields
  }

  init(_ response: Response) {
    (status, headers, body) = (response.status.code, response.headers, response.body)
  }

  /// The field `Date`.
  fileprivate var time: Timestamp? {
    headers["Date"].flatMap { Timestamp(rfc1123: $0) }.flatMap {
      SandboxClock.range.contains($0) ? $0 : nil
    }
  }

  var text: String? { body.map { String(decoding: $0, as: UTF8.self) } }
}
