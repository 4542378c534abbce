/// A request as bytes, for a connection that serves it alone.
package enum RequestEncoder {
  /// POST to a URL; `headers` are all fields but `Host`, `Content-Length`, `Connection` and those of the URL itself.
  package static func post(_ url: AbsoluteURL, headers: Headers, body: [UInt8]) -> [UInt8] {
    var head = Headers()
    head.add("Host", url.authority)
    head.append(headers)
    head.add("Content-Length", String(body.count))
    head.add("Connection", "close")
    return Array("POST \(url.target) HTTP/1.1\r\n".utf8) + head.bytes + [0x0D, 0x0A] + body
  }
}
