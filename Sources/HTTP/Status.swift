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
