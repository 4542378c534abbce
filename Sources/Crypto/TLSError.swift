internal import COpenSSL

/// Why a TLS connection cannot be made or used.
package struct TLSError: Error, Equatable, CustomStringConvertible {
  /// One sentence.
  package let description: String
  /// Whether the other side speaks without TLS.
  package let isPlain: Bool

  /// A failure in these words.
  init(_ description: String, isPlain: Bool = false) {
    self.description = description
    self.isPlain = isPlain
  }

  /// The first complaint in OpenSSL's queue, which is emptied.
  static func take(doing: String) -> TLSError {
    let code = ERR_get_error()
    ERR_clear_error()
    if cossl_is_refused_name(code) != 0 { return TLSError("\(doing) failed: nobody here has the name") }
    guard code != 0, let reason = ERR_reason_error_string(code) else { return TLSError("\(doing) failed") }
    return TLSError("\(doing) failed: \(String(cString: reason))")
  }
}
