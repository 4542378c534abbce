/// Encodes responses as HTTP/1.1.
package enum ResponseEncoder {
  /// The properties of the request and connection that affect the response's bytes.
  package struct Context: Sendable {
    /// True for HEAD: `Content-Length` is sent, the body is not.
    package var isHead: Bool
    /// True if the connection stays open.
    package var keepAlive: Bool
    /// The request's version: the digit after `HTTP/1.`. HTTP/1.0 clients need `Connection: keep-alive`.
    package var minorVersion: Int
    /// The stream of HTTP/2; 0 for HTTP/1.
    package var stream: Int32

    package init(isHead: Bool = false, keepAlive: Bool = true, minorVersion: Int = 1, stream: Int32 = 0) {
      self.isHead = isHead
      self.keepAlive = keepAlive
      self.minorVersion = minorVersion
      self.stream = stream
    }
  }

  /// The interim response to `Expect: 100-continue`.
  package static let continueResponse = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

  /// The response to CONNECT. The tunnel starts after it.
  package static let tunnelResponse = Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8)

  /// Appends the response, or the part that its `transport` allows. Returns the body instead of appending it
  /// if it has more than `copyLimit` bytes.
  @discardableResult
  package static func append(
    _ response: Response, for context: Context, to output: inout [UInt8], copyLimit: Int = .max
  ) -> ArraySlice<UInt8>? {
    if case .reset = response.transport { return nil }
    appendStatusAndHeaders(of: response, to: &output)
    if !response.status.isBodiless {
      output.append("Content-Length: ")
      output.append(decimal: response.body.count)
      output.append("\r\n")
    }
    appendConnection(context, to: &output)
    guard !context.isHead, !response.status.isBodiless else { return nil }
    if case .truncated(let count) = response.transport {
      output.append(contentsOf: response.body.prefix(max(0, count)))
    } else if response.body.count > copyLimit {
      return response.body[...]
    } else {
      output.append(contentsOf: response.body)
    }
    return nil
  }

  /// Appends the head of a response whose body follows in pieces: with chunked transfer coding (RFC 9112,
  /// 7.1), or, for HTTP/1.0, up to the end of the connection.
  package static func appendHeadOfPieces(
    _ response: Response, for context: Context, to output: inout [UInt8]
  ) {
    appendStatusAndHeaders(of: response, to: &output)
    if context.minorVersion > 0 { output.append("Transfer-Encoding: chunked\r\n") }
    appendConnection(context, to: &output)
  }

  /// A chunk with these bytes; without bytes the last one.
  package static func chunk(_ bytes: [UInt8]) -> [UInt8] {
    Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [0x0D, 0x0A]
  }

  private static func appendStatusAndHeaders(of response: Response, to output: inout [UInt8]) {
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

  /// Appends the `Connection` field, if needed, and the empty line.
  private static func appendConnection(_ context: Context, to output: inout [UInt8]) {
    if !context.keepAlive {
      output.append("Connection: close\r\n\r\n")
    } else if context.minorVersion == 0 {
      output.append("Connection: keep-alive\r\n\r\n")
    } else {
      output.append("\r\n")
    }
  }
}

extension [UInt8] {
  /// Appends a literal without creating a String.
  fileprivate mutating func append(_ text: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends a non-negative number.
  mutating func append(decimal number: Int) {
    var divisor = 1
    while number / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      append(UInt8(truncatingIfNeeded: 0x30 + number / divisor % 10))
      divisor /= 10
    }
  }
}

/// Encodes outgoing requests as HTTP/1.1.
package enum RequestEncoder {
  /// Adds `Host` and, for a method with a body, `Content-Length` to `headers`.
  package static func request(
    _ method: Method, _ url: AbsoluteURL, headers: Headers, body: [UInt8]
  ) -> [UInt8] {
    var head = Headers()
    head.add("Host", url.authority)
    head.append(headers)
    if method != .get { head.add("Content-Length", String(body.count)) }
    return Array("\(method.rawValue) \(url.target) HTTP/1.1\r\n".utf8) + head.bytes + [0x0D, 0x0A] + body
  }

  /// A proxied request as its host receives it: without hop-by-hop fields (RFC 9110, 7.6). It closes its
  /// connection.
  package static func forward(_ request: Request) -> [UInt8] {
    // Bytes, because splitting text into characters can take quadratic time.
    let listed = request.headers.values("Connection").flatMap { $0.utf8.split(separator: UInt8(ascii: ",")) }
      .map { String(decoding: $0.filter { $0 != 0x20 && $0 != 0x09 }.map(\.lowered), as: UTF8.self) }
    var head: Headers = ["Host": request.host]
    for (name, value) in request.headers.pairs {
      let plain = name.lowercased()
      if hopFields.contains(plain) || listed.contains(plain) || plain.hasPrefix("proxy-") { continue }
      head.add(name, value)
    }
    let hadBody = ["Content-Length", "Transfer-Encoding"].contains { request.headers.bytes(of: $0) != nil }
    if hadBody { head.add("Content-Length", String(request.body.count)) }
    head.add("Via", "1.1 ringfence")
    head.add("Connection", "close")
    let line = "\(request.method.rawValue) \(request.target.text) HTTP/1.1\r\n"
    return Array(line.utf8) + head.bytes + [0x0D, 0x0A] + request.body
  }

  /// Hop-by-hop fields, and fields that `forward` writes itself.
  private static let hopFields: Set<String> = [
    "connection", "content-length", "expect", "host", "keep-alive", "te", "trailer", "transfer-encoding",
    "upgrade",
  ]
}
