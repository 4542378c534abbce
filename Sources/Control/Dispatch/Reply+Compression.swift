import Compression

extension Response {
  /// Smaller answers fit in one packet.
  private static let smallestCompressed = 1400
  /// Larger ones are compressed in pieces, each in half a millisecond.
  private static let largestAtOnce = 1 << 16

  private static let compressedTypes = ["text/html", "text/css", "text/javascript", "application/json"]

  /// The same answer, or one with these pieces as its body; compressed, if the client accepts that and it is
  /// worth it.
  func compressed(_ pieces: BodyPieces? = nil, for request: Request) -> Reply {
    guard pieces != nil || body.count >= Self.smallestCompressed, headers["Content-Encoding"] == nil,
      let type = headers["Content-Type"], Self.compressedTypes.contains(where: type.hasPrefix)
    else { return reply(pieces) }
    var response = self
    response.headers.add("Vary", "Accept-Encoding")
    guard request.acceptsGzip, let stream = GzipStream() else { return response.reply(pieces) }
    response.headers.add("Content-Encoding", "gzip")
    guard pieces != nil || body.count > Self.largestAtOnce else {
      response.body = stream.compress(body, isLast: true)
      return .now(response)
    }
    response.body = []
    let plain = pieces ?? BodyPieces(body)
    return .streamed(response, plain.mapped { stream.compress($0 ?? [], isLast: $0 == nil) })
  }

  private func reply(_ pieces: BodyPieces?) -> Reply { pieces.map { .streamed(self, $0) } ?? .now(self) }
}

extension Request {
  /// True if `Accept-Encoding` names gzip, not with a quality of zero. Source: RFC 9110, 12.5.3.
  fileprivate var acceptsGzip: Bool {
    let codings = headers["Accept-Encoding"]?.lowercased().split(separator: ",") ?? []
    return codings.contains { coding in
      let parts = coding.split(separator: ";").map { $0.filter { $0 != " " } }
      guard parts.first == "gzip" else { return false }
      return !parts.dropFirst().contains { $0.hasPrefix("q=0") && !$0.contains { "1"..."9" ~= $0 } }
    }
  }
}
