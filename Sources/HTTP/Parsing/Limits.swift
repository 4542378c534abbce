/// How large a request may be; each limit has its own answer.
package struct Limits: Sendable, Equatable {
  /// Bytes of request line and header lines together; more is 431.
  package var head = 16_384
  /// Bytes of the request target; more is 414.
  package var target = 8_192
  /// Header fields; more is 431.
  package var fieldCount = 100
  /// Bytes of the body; more is 413 unless the route allows for it.
  package var body = 1_048_576
  /// Bytes of all chunk extensions of a body together; more is 400.
  package var chunkExtensions = 1_024

  /// The limits of issue 2.
  package init() {}
}
