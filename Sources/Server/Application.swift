package import HTTP

/// Whoever answers requests; asked on the loop, synchronously.
package protocol Application: AnyObject {
  /// Bytes of body that the route of this head takes, where that is more than the general limit;
  /// asked for a longer body, and for one in chunks.
  func bodyLimit(for head: RequestHead) -> Int
  /// The answer, or one that waits; its effects may still be undone by a failed `endOfTick`.
  func respond(to request: Request) -> Reply
  /// Commits what all requests of this tick did; false when nothing of it was kept.
  func endOfTick() -> Bool
  /// The owner's own 5xx for a request that cannot be served: the commit failed, or the server is full.
  func failure(for request: Request) -> Response
}
