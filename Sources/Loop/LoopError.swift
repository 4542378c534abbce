import CUV

/// A call of libuv that failed, and what it was for.
package struct LoopError: Error, Equatable, CustomStringConvertible {
  /// libuv's number: a negated errno on Unix.
  package let code: Int32
  /// What was being attempted, as a gerund: "listening on 127.0.0.1:80".
  package let doing: String

  /// A failure of this number.
  package init(code: Int32, doing: String) {
    self.code = code
    self.doing = doing
  }

  /// The symbolic name of the number: `EADDRINUSE`.
  package var name: String { String(cString: uv_err_name(code)) }

  /// The system's own words for the number: "address already in use".
  package var reason: String { String(cString: uv_strerror(code)) }

  /// One sentence for the log.
  package var description: String { "\(doing) failed: \(reason) (\(name))" }

  /// Throws when libuv answers with a negative number.
  static func check(_ code: Int32, _ doing: @autoclosure () -> String) throws(LoopError) {
    if code < 0 { throw LoopError(code: code, doing: doing()) }
  }
}
