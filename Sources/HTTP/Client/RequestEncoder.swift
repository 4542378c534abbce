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

  /// A request that was sent to a proxy, as its host is to read it: without what was between the client and the proxy
  /// (RFC 9110, 7.6).
  package static func forward(_ request: Request) -> [UInt8] {
    let named = request.headers.values("Connection").joined(separator: ",").lowercased().split(separator: ",")
      .map { $0.filter { $0 != " " && $0 != "\t" } }
    var head: Headers = ["Host": request.host]
    for (name, value) in request.headers.pairs {
      let plain = name.lowercased()
      if hopFields.contains(plain) || named.contains(plain) || plain.hasPrefix("proxy-") { continue }
      head.add(name, value)
    }
    let hadBody = ["Content-Length", "Transfer-Encoding"].contains { request.headers.bytes(of: $0) != nil }
    if hadBody { head.add("Content-Length", String(request.body.count)) }
    head.add("Via", "1.1 ringfence")
    head.add("Connection", "close")
    let line = "\(request.method.rawValue) \(request.target.text) HTTP/1.1\r\n"
    return Array(line.utf8) + head.bytes + [0x0D, 0x0A] + request.body
  }

  /// Fields that go from one end of a connection to the other, and those that are written anew.
  private static let hopFields: Set<String> = [
    "connection", "content-length", "expect", "host", "keep-alive", "te", "trailer", "transfer-encoding",
    "upgrade",
  ]
}
