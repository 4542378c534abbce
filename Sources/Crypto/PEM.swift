internal import COpenSSL

/// Keys as text.
enum PEM {
  /// The key that a reader finds in a text.
  static func read(_ text: String, _ read: (OpaquePointer) -> OpaquePointer?) -> OpaquePointer? {
    var text = text
    defer { ERR_clear_error() }
    return text.withUTF8 { bytes in
      guard let source = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count)) else { return nil }
      defer { BIO_free(source) }
      return read(source)
    }
  }

  /// The text that a writer leaves in a buffer.
  static func write(_ write: (OpaquePointer) -> Int32) -> String {
    guard let target = BIO_new(BIO_s_mem()) else { preconditionFailure("a buffer needs only memory") }
    defer { BIO_free(target) }
    precondition(write(target) == 1, "a key can be written")
    var start: UnsafeMutablePointer<CChar>?
    let count = cossl_pending(target, &start)
    return String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
  }
}
