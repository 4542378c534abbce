/// The maximum size of each part of a message. Each limit has its own error status.
package struct Limits: Sendable, Equatable {
  /// Bytes of the request line and header lines together. Error 431.
  package var head = 16_384
  /// Bytes of the request target. Error 414.
  package var target = 8_192
  /// Number of header fields. Error 431.
  package var fieldCount = 100
  /// Bytes of a header field's name. Error 431.
  package var fieldName = 256
  /// Bytes of the body, unless the route allows more. Error 413.
  package var body = 1_048_576
  /// Bytes of all chunk extensions of a body together. Error 400.
  package var chunkExtensions = 1_024

  package init() {}
}

/// A request that cannot be parsed, or not safely. Its response closes the connection.
package struct MalformedRequest: ResponseError, Equatable {
  package let status: Status
  package let sentence: String

  init(_ status: Status, _ sentence: String) {
    self.status = status
    self.sentence = sentence
  }

  package var response: Response { .text(status, sentence + "\n") }

  package var why: String? { sentence }
}

extension MalformedRequest {
  // Lines
  static let bareLineFeed = Self(400, "A line ends with LF alone; CR LF is required.")
  static let bareCarriageReturn = Self(400, "A CR stands without its LF.")
  static let foldedLine = Self(400, "A header line begins with a blank; folded lines are not accepted.")
  static let leadingBytes = Self(400, "The bytes are not the beginning of an HTTP/1.1 request.")
  static let headTooLarge = Self(431, "The head of the request is too large.")
  static let tooManyFields = Self(431, "The request has too many header fields.")
  static let fieldNameTooLong = Self(431, "The name of a header field is too long.")

  // Request line
  static let requestLineShape = Self(400, "The request line must be: method, blank, target, blank, HTTP/1.1.")
  static let methodInvalid = Self(400, "The method holds a character that is not allowed.")
  static let methodUnknown = Self(501, "The method is not known here.")
  static let tunnelShape = Self(400, "The target of CONNECT must be a host and a port: name:443.")
  static let tunnelWithBody = Self(400, "CONNECT takes no body.")
  static let targetInvalid = Self(400, "The request target holds a character that must be percent-encoded.")
  static let targetShape = Self(400, "The request target must be a path or an absolute http or https URL.")
  static let targetTooLong = Self(414, "The request target is too long.")
  static let versionMissing = Self(400, "The request line has no HTTP version.")
  static let versionUnknown = Self(505, "Only HTTP/1.1 and HTTP/1.0 are spoken here.")
  /// Also what `RequestParser` reports as an event.
  static let http2Preface = Self(505, "HTTP/2 must begin with the connection.")

  // Header fields
  static let hostMissing = Self(400, "The Host field is missing.")
  static let hostTwice = Self(400, "The Host field is there more than once.")
  static let hostInvalid = Self(400, "The Host field is not a host with an optional port.")
  static let expectationUnknown = Self(417, "The only expectation known here is 100-continue.")
  static let contentLengthInvalid = Self(400, "Content-Length must be digits only.")
  static let contentLengthTwice = Self(400, "Content-Length is there more than once.")
  static let lengthAndEncoding = Self(400, "Content-Length and Transfer-Encoding exclude each other.")
  static let transferEncodingInvalid = Self(400, "The only Transfer-Encoding accepted is chunked.")
  static let transferEncodingUnknown = Self(501, "The only Transfer-Encoding known here is chunked.")
  static let transferEncodingTwice = Self(400, "Transfer-Encoding is there more than once.")
  static let transferEncodingInOldVersion = Self(400, "HTTP/1.0 has no Transfer-Encoding.")
  static let fieldInvalid = Self(400, "A header line is not: name, colon, value.")

  // Body
  package static let requestTimeout = Self(408, "The request did not arrive in time.")
  package static let bodyTooLarge = Self(413, "The body is too large.")
  static let chunkInvalid = Self(400, "The chunks of the body cannot be read.")
  static let chunkExtensionsTooLong = Self(400, "The chunk extensions are too long.")
}
