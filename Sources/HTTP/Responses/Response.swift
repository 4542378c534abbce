/// One answer: status, header fields, body.
package struct Response: Sendable, Equatable {
  /// How much of an answer reaches the client; all but `whole` are faults played on purpose.
  package enum Transport: Sendable, Equatable {
    /// All of it.
    case whole
    /// The head and this many bytes of the body, then the connection is closed.
    case truncated(after: Int)
    /// Nothing: the connection is reset.
    case reset
  }

  /// The status line's code.
  package var status: Status
  /// All fields but `Content-Length` and `Connection`, which the encoder writes.
  package var headers: Headers
  /// The body's bytes.
  package var body: [UInt8]
  /// How much of it is sent.
  package var transport: Transport
  /// Whether the connection ends with it, whatever the client would like.
  package var closesConnection = false
  /// For the journal: what the answer does not say, in plain words.
  package var remark: String?

  /// An answer that is sent whole unless said otherwise.
  package init(_ status: Status, headers: Headers = [:], body: [UInt8] = [], transport: Transport = .whole) {
    self.status = status
    self.headers = headers
    self.body = body
    self.transport = transport
  }

  /// A JSON answer.
  package static func json(_ status: Status, _ body: [UInt8]) -> Response {
    Response(status, headers: jsonHeaders, body: body)
  }

  /// A plain text answer.
  package static func text(_ status: Status, _ text: String) -> Response {
    Response(status, headers: textHeaders, body: Array(text.utf8))
  }

  private static let jsonHeaders: Headers = ["Content-Type": "application/json; charset=utf-8"]
  private static let textHeaders: Headers = ["Content-Type": "text/plain; charset=utf-8"]
}
