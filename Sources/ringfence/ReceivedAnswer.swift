import HTTP

/// An answer as it came over a connection that ended with it.
struct ReceivedAnswer {
  /// Status, fields and body.
  let response: Response

  /// Reads the bytes of an answer; nil where they are none, or end before the length that they promise.
  init?(_ bytes: [UInt8]) {
    let separator = Array("\r\n\r\n".utf8)
    guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: separator) }) else { return nil }
    let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
    guard let first = lines.first, first.hasPrefix("HTTP/1."),
      let code = first.split(separator: " ").dropFirst().first.flatMap({ Int($0) }),
      let status = Status(code)
    else { return nil }
    var headers = Headers()
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { return nil }
      headers.add(String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " }))
    }
    let body = Array(bytes[(end + 4)...])
    if let length = headers["Content-Length"].flatMap({ Int($0) }), body.count < length { return nil }
    response = Response(status, headers: headers, body: body)
  }
}
