import Foundation
package import HTTP
package import JSON

/// A request with its complete response.
///
/// It has no `status`, so that no test checks only that. Compare the whole with a golden, compare status and
/// body together (`answer`), or decode the body as a type.
package struct Exchange {
  /// The owner of the route: a provider's name, `control`, or empty.
  package let owner: String
  /// The route's name; nil if none matched.
  package let route: String?
  /// The reason of an error in the journal.
  package let why: String?
  /// What to change, in the journal.
  package let change: String?
  /// The unread fields in the journal.
  package let unread: [String]
  /// The nearest routes in the journal, for an unknown path.
  package let nearest: [String]
  /// The header fields of the response, without `Content-Length`.
  package let headers: Headers
  private let request: Request
  private let response: Response

  init(_ request: Request, _ response: Response, owner: String, route: String?, journal: JournalEntry) {
    self.request = request
    self.response = response
    self.owner = owner
    self.route = route
    (why, change) = (journal.why, journal.change)
    unread = journal.unread
    nearest = journal.nearest
    headers = response.headers
  }

  /// The journal's additional data.
  struct JournalEntry {
    var why: String?
    var change: String?
    var unread: [String] = []
    var nearest: [String] = []
  }

  /// Status and body in one text: `201 {"sid":…}`.
  package var answer: String {
    let body = String(decoding: response.body, as: UTF8.self)
    return body.isEmpty ? "\(response.status.code)" : "\(response.status.code) \(body)"
  }

  var status: Int { response.status.code }
  package var body: [UInt8] { response.body }

  /// How much of the response reaches the client.
  package var transport: Response.Transport { response.transport }

  /// Decodes the body. Another status, and members that the type does not read, are errors.
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

  /// The differences between the response and an OpenAPI document.
  package func disagreements(with document: OpenAPIDocument) -> [String] {
    var path = request.target.path
    if path.hasPrefix("/s/") { path = String(path.dropFirst(3).drop { $0 != "/" }) }
    return document.disagreements(
      method: request.method.rawValue, path: path, status: response.status.code,
      body: response.body)
  }
}

/// A decoded body of a response.
package protocol NamedBody {
  /// The statuses that may have this body.
  static var statuses: Set<Int> { get }
  init(_ fields: Fields) throws
}

/// A response that the test did not expect.
package struct UnexpectedAnswer: Error, CustomStringConvertible {
  let expected: String
  let found: String

  package var description: String { "expected \(expected), found \(found)" }
}
