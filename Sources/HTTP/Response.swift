package import JSON

/// One response: status, header fields and body.
package struct Response: Sendable, Equatable {
  /// How much of the response is sent. All cases but `whole` simulate faults.
  package enum Transport: Sendable, Equatable {
    case whole
    /// The head and this many bytes of the body. Then the connection closes.
    case truncated(after: Int)
    /// Nothing. The connection is reset.
    case reset
  }

  package var status: Status
  /// All fields except `Content-Length` and `Connection`, which the encoder writes.
  package var headers: Headers
  package var body: [UInt8]
  package var transport: Transport
  /// True closes the connection after this response, even if the client asked to keep it open.
  package var closesConnection = false
  /// An explanation for the journal.
  package var why: String?

  package init(_ status: Status, headers: Headers = [:], body: [UInt8] = [], transport: Transport = .whole) {
    self.status = status
    self.headers = headers
    self.body = body
    self.transport = transport
  }

  package static func json(_ status: Status, _ body: [UInt8]) -> Response {
    Response(status, headers: jsonHeaders, body: body)
  }

  /// With an object that `write` fills.
  package static func json(_ status: Status, _ write: (inout JSONWriter) -> Void) -> Response {
    json(status, JSONWriter.object(write))
  }

  package static func text(_ status: Status, _ text: String) -> Response {
    Response(status, headers: textHeaders, body: Array(text.utf8))
  }

  /// The same, for no cache to keep.
  package var uncached: Response {
    var response = self
    response.headers.replace("Cache-Control", with: "no-store")
    return response
  }

  private static let jsonHeaders: Headers = ["Content-Type": "application/json; charset=utf-8"]
  private static let textHeaders: Headers = ["Content-Type": "text/plain; charset=utf-8"]
}
