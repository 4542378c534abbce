internal import COpenSSL

/// Keys and certificates as text.
enum PEM {
  /// What a reader finds in a text.
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
    String(decoding: Buffer.bytes(write), as: UTF8.self)
  }
}
