/// Answers as bytes of HTTP/1.1.
package enum ResponseEncoder {
  /// What the request and the connection ask of the answer's head.
  package struct Context: Sendable {
    /// Whether the request was HEAD: the length is told, the body is not sent.
    package var isHead: Bool
    /// Whether the connection stays open.
    package var persists: Bool
    /// The digit behind `HTTP/1.` of the request; an old client must be told that the connection stays.
    package var minorVersion: Int

    /// The context of one answer.
    package init(isHead: Bool = false, persists: Bool = true, minorVersion: Int = 1) {
      self.isHead = isHead
      self.persists = persists
      self.minorVersion = minorVersion
    }
  }

  /// The interim answer to `Expect: 100-continue`.
  package static let continuation = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

  /// The answer to CONNECT, behind which the tunnel begins.
  package static let establishment = Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8)

  /// Appends the answer, or as much of it as its transport lets through.
  package static func append(_ response: Response, for context: Context, to output: inout [UInt8]) {
    if case .reset = response.transport { return }
    appendStart(of: response, to: &output)
    if !response.status.isBodiless {
      output.append("Content-Length: ")
      output.append(decimal: response.body.count)
      output.append("\r\n")
    }
    appendConnection(context, to: &output)
    guard !context.isHead, !response.status.isBodiless else { return }
    if case .truncated(let count) = response.transport {
      output.append(contentsOf: response.body.prefix(max(0, count)))
    } else {
      output.append(contentsOf: response.body)
    }
  }

  /// Appends the head of an answer whose body is sent in parts; the answer's own body is not looked at.
  package static func appendStreamHead(
    _ response: Response, for context: Context, to output: inout [UInt8]
  ) {
    appendStart(of: response, to: &output)
    if context.minorVersion > 0 { output.append("Transfer-Encoding: chunked\r\n") }
    appendConnection(context, to: &output)
  }

  /// Appends one part of a body; an empty part is left out, since it would end the body.
  package static func append(chunk: [UInt8], to output: inout [UInt8]) {
    guard !chunk.isEmpty else { return }
    output.append(contentsOf: String(chunk.count, radix: 16).utf8)
    output.append("\r\n")
    output.append(contentsOf: chunk)
    output.append("\r\n")
  }

  /// Appends the end of a body that was sent in parts.
  package static func appendLastChunk(to output: inout [UInt8]) { output.append("0\r\n\r\n") }

  private static func appendStart(of response: Response, to output: inout [UInt8]) {
    if response.status.code == 200 {
      output.append("HTTP/1.1 200 OK\r\n")
    } else {
      output.append("HTTP/1.1 ")
      output.append(decimal: response.status.code)
      output.append(" ")
      output.append(response.status.reason)
      output.append("\r\n")
    }
    output.append(contentsOf: response.headers.bytes)
  }

  /// Appends the last field, where there is one, and the empty line.
  private static func appendConnection(_ context: Context, to output: inout [UInt8]) {
    if !context.persists {
      output.append("Connection: close\r\n\r\n")
    } else if context.minorVersion == 0 {
      output.append("Connection: keep-alive\r\n\r\n")
    } else {
      output.append("\r\n")
    }
  }
}

extension [UInt8] {
  /// Appends text of the source, without making a String.
  fileprivate mutating func append(_ text: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends a number of zero or more in decimal digits.
  fileprivate mutating func append(decimal number: Int) {
    var divisor = 1
    while number / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      append(UInt8(truncatingIfNeeded: 0x30 + number / divisor % 10))
      divisor /= 10
    }
  }
}
