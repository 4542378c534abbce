import Compression
import HTTP

extension Response {
  /// Smaller answers fit in one packet.
  private static let smallestCompressed = 1400

  private static let compressedTypes = ["text/html", "text/css", "text/javascript", "application/json"]

  /// The same answer compressed, if the client accepts that and it is worth it.
  func compressed(for request: Request) -> Response {
    guard body.count >= Self.smallestCompressed, headers["Content-Encoding"] == nil,
      let type = headers["Content-Type"], Self.compressedTypes.contains(where: type.hasPrefix)
    else { return self }
    var response = self
    response.headers.add("Vary", "Accept-Encoding")
    guard request.acceptsGzip, let smaller = Gzip.compress(body) else { return response }
    response.headers.add("Content-Encoding", "gzip")
    response.body = smaller
    return response
  }
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
