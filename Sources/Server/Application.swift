package import Crypto
package import HTTP

/// Whoever answers requests; asked on the loop, synchronously.
package protocol Application: AnyObject {
  /// Bytes of body that the route of this head takes, where that is more than the general limit;
  /// asked for a longer body, and for one in chunks.
  func bodyLimit(for head: RequestHead) -> Int
  /// The answer, or one that waits; its effects may still be undone by a failed `endOfTick`.
  func respond(to request: Request) -> Reply
  /// Where a request goes on that was sent as to a proxy.
  func passage(for request: Request) -> ProxyDecision
  /// What TLS is spoken by inside a tunnel; asked for when the first client does.
  func security() throws -> TLSContext
  /// Commits what all requests of this tick did; false when nothing of it was kept.
  func endOfTick() -> Bool
  /// The owner's words for a request that cannot be served: `failure` when the commit failed, `overload` when
  /// the server is full.
  func refusal(_ reason: RequestFailure, for request: Request) -> Response
  /// Takes notice of a TLS handshake that failed; the name is the one that the client asked for, if any, and the way
  /// how it came.
  func noteHandshake(with name: String?, by origin: RequestOrigin, failed why: String)
}
