import Foundation
package import HTTP
package import JSON

/// A request with its whole answer.
///
/// There is no `status` to look at, so no test can be content with one: compare the whole with a golden,
/// compare status and body at once (`answer`), or decode a named body.
package struct Exchange {
  /// Whose route answered: a provider's name, `control`, or empty.
  package let owner: String
  /// The route's name; nil when none matched.
  package let route: String?
  /// What the journal says of a refusal.
  package let why: String?
  /// What the journal says was sent and not read.
  package let unread: [String]
  /// What the journal names as the routes most like one that matched none.
  package let nearest: [String]
  /// The answer's header fields, `Content-Length` left out.
  package let headers: Headers
  private let request: Request
  private let response: Response

  /// An exchange as it went over the counter.
  init(_ request: Request, _ response: Response, owner: String, route: String?, journal: JournalEntry) {
    self.request = request
    self.response = response
    self.owner = owner
    self.route = route
    why = journal.why
    unread = journal.unread
    nearest = journal.nearest
    headers = response.headers
  }

  /// What the journal wrote down beside the bytes.
  struct JournalEntry {
    var why: String?
    var unread: [String] = []
    var nearest: [String] = []
  }

  /// Status and body in one text: `201 {"sid":…}`.
  package var answer: String {
    let body = String(decoding: response.body, as: UTF8.self)
    return body.isEmpty ? "\(response.status.code)" : "\(response.status.code) \(body)"
  }

  /// How much of the answer reaches the client.
  package var transport: Response.Transport { response.transport }

  /// The answer's body as a type that knows which statuses carry it; members that it does not read are errors.
  package func decode<Body: NamedBody>(_ type: Body.Type = Body.self) throws -> Body {
    guard Body.statuses.contains(response.status.code) else {
      throw UnexpectedAnswer(expected: "\(Body.self)", found: answer)
    }
    let fields = try Fields(response.body)
    let body = try Body(fields)
    guard fields.unread.isEmpty else {
      throw UnexpectedAnswer(expected: "\(Body.self) without \(fields.unread)", found: answer)
    }
    return body
  }

  /// The request as bytes of HTTP/1.1.
  package var requestBytes: [UInt8] {
    var bytes = Array("\(request.method.rawValue) \(request.target.text) HTTP/1.1\r\n".utf8)
    bytes += request.headers.bytes
    if !request.body.isEmpty { bytes += Array("Content-Length: \(request.body.count)\r\n".utf8) }
    return bytes + Array("\r\n".utf8) + request.body
  }

  /// The answer as bytes of HTTP/1.1.
  package var responseBytes: [UInt8] {
    var bytes: [UInt8] = []
    let context = ResponseEncoder.Context(
      isHead: request.method == .head, keepAlive: !response.closesConnection)
    ResponseEncoder.append(response, for: context, to: &bytes)
    return bytes
  }

  /// The differences between the answer and an OpenAPI document.
  package func disagreements(with document: OpenAPIDocument) -> [String] {
    var path = request.target.path
    if path.hasPrefix("/s/") { path = String(path.dropFirst(3).drop { $0 != "/" }) }
    return document.disagreements(
      method: request.method.rawValue, path: path, status: response.status.code,
      body: response.body)
  }
}

/// An answer's body as a test reads it.
package protocol NamedBody {
  /// The statuses that carry it.
  static var statuses: Set<Int> { get }
  /// Reads it.
  init(_ fields: Fields) throws
}

/// An answer that is not the one a test can go on with.
package struct UnexpectedAnswer: Error, CustomStringConvertible {
  let expected: String
  let found: String

  /// Both, in a sentence.
  package var description: String { "expected \(expected), found \(found)" }
}
