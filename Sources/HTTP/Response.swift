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

  package static func text(_ status: Status, _ text: String) -> Response {
    Response(status, headers: textHeaders, body: Array(text.utf8))
  }

  private static let jsonHeaders: Headers = ["Content-Type": "application/json; charset=utf-8"]
  private static let textHeaders: Headers = ["Content-Type": "text/plain; charset=utf-8"]
}

/// What a handler returns: a response, or a description of one that comes later.
package enum Reply {
  /// Sent at the end of this tick.
  case now(Response)
  /// Sent from the end of this tick on, with this body instead of that of the response.
  case streamed(Response, BodyPieces)
  /// Sent after this delay in real time, or as soon as the sandbox's clock has passed it.
  case after(Duration, Response)
  /// Sent as soon as it is available.
  case pending(PendingReply)
  /// The request is handled again as soon as it can be.
  case blocked(BlockedRequest)
  /// A response of status 101, and the WebSocket that it opens. Indirect, so that other replies stay small.
  indirect case webSocket(Response, WebSocket)
}

/// A long poll: a response that is not available yet.
package struct PendingReply {
  /// The maximum wait, in real time.
  package let timeout: Duration
  /// Set if the response is known already and only its sending is delayed.
  package var delay: Duration?
  /// Returns the response, or nil if the client must keep waiting. Called again after every change.
  package let answer: () throws -> Response?
  /// Returns the response to send after the timeout.
  package let onTimeout: () throws -> Response

  package init(
    for timeout: Duration, answer: @escaping () throws -> Response?,
    onTimeout: @escaping () throws -> Response
  ) {
    self.timeout = timeout
    self.answer = answer
    self.onTimeout = onTimeout
  }
}

/// A request that cannot be handled yet.
package struct BlockedRequest {
  /// The maximum wait, in real time.
  package let timeout: Duration
  /// Handles the request; nil if the client must keep waiting. Called again after every change.
  package let reply: () -> Reply?
  /// Returns the response to send after the timeout.
  package let onTimeout: () -> Response

  package init(
    for timeout: Duration, reply: @escaping () -> Reply?, onTimeout: @escaping () -> Response
  ) {
    self.timeout = timeout
    self.reply = reply
    self.onTimeout = onTimeout
  }
}

/// What to do with a request that was sent to the server as a proxy.
package enum ProxyDecision {
  /// Answer it here.
  case local
  /// Connect to this host. `onResponse` receives the response that the server itself sends: 200 for an open
  /// tunnel, an error, or nil if the remote host answers.
  case forward(to: Authority, onResponse: (Response?) -> Void)
  case denied(Response)
}

/// An error that a handler throws, with the response to send.
package protocol ResponseError: Error {
  var response: Response { get }
  /// The real reason, for the journal; nil if the response already states it.
  var why: String? { get }
}

/// Why a request fails outside its handler. Every route owner turns each case into a response.
package enum RequestFailure: Sendable, Equatable {
  case unknownPath
  /// The path exists, but only with these methods.
  case wrongMethod(allowed: [Method])
  /// The query, form, JSON or path is invalid. Names the field, if known.
  case malformed(field: String?, expected: String)
  /// The provider has this operation; the sandbox does not emulate it.
  case notEmulated
  /// A status, an error code of the owner, or both: for an injected fault, a request that opens no WebSocket,
  /// or too many requests.
  case fault(status: Status?, code: String?)
  /// The request is too large, or not HTTP as the server reads it. `why` is a sentence.
  case rejected(status: Status, why: String)
  /// Nothing that the request did was kept.
  case internalError
  /// The server has no room for another connection, or the sandbox for more data. The request changed
  /// nothing.
  case overload
}

/// An HTTP status code from 100 to 599.
package struct Status: Hashable, Sendable, ExpressibleByIntegerLiteral {
  package let code: Int

  /// Returns nil for a code outside 100…599.
  package init?(_ code: Int) {
    guard (100...599).contains(code) else { return nil }
    self.code = code
  }

  package init(integerLiteral code: Int) {
    precondition((100...599).contains(code), "\(code) is not an HTTP status")
    self.code = code
  }

  /// True if a response with this status never has a body (RFC 9110, 6.4.1).
  package var isBodiless: Bool { code < 200 || code == 204 || code == 304 }

  /// The reason phrase from RFC 9110, section 15, or RFC 6585.
  package var reason: StaticString {
    switch code {
    case 100: "Continue"
    case 101: "Switching Protocols"
    case 200: "OK"
    case 201: "Created"
    case 202: "Accepted"
    case 204: "No Content"
    case 302: "Found"
    case 303: "See Other"
    case 304: "Not Modified"
    case 307: "Temporary Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 406: "Not Acceptable"
    case 407: "Proxy Authentication Required"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 410: "Gone"
    case 411: "Length Required"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 417: "Expectation Failed"
    case 421: "Misdirected Request"
    case 422: "Unprocessable Content"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    case 505: "HTTP Version Not Supported"
    case 507: "Insufficient Storage"
    default: "Status"
    }
  }
}
