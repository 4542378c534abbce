import Compression

extension Request {
  /// Replaces a body that is compressed with gzip by its content. One that is broken or too large stays, and
  /// the reason of its refusal says so.
  mutating func decompress() {
    guard ["gzip", "x-gzip"].contains(headers["Content-Encoding"]?.lowercased()) else { return }
    let limit = Limits().body
    do throws(Gunzip.Failure) {
      body = try Gunzip.decompress(body, limit: limit)
      headers.replace("Content-Encoding", with: "identity")
    } catch {
      inputs.compressionProblem =
        error == .tooLarge ? "gzip data with more than \(limit) bytes" : "broken gzip data"
    }
  }
}
