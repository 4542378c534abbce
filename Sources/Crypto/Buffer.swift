internal import COpenSSL

/// Where OpenSSL leaves what it writes.
enum Buffer {
  /// The bytes that a writer leaves; it answers 1 when it could.
  static func bytes(_ write: (OpaquePointer) -> Int32) -> [UInt8] {
    guard let target = BIO_new(BIO_s_mem()) else { preconditionFailure("a buffer needs only memory") }
    defer { BIO_free(target) }
    precondition(write(target) == 1, "what is ours can be written")
    var start: UnsafeMutablePointer<CChar>?
    let count = cossl_pending(target, &start)
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }
}
