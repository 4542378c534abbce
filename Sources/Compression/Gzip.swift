import CZlib

/// Writes the gzip format, RFC 1952, in pieces. Equal pieces give equal bytes: the header has no time.
///
/// A class, because zlib refers to its memory.
package final class GzipStream {
  /// zlib's fastest: pages become a fifth, and 50 KB take less than half a millisecond.
  private static let level = Z_BEST_SPEED
  /// The largest window, with the head and the tail of gzip.
  private static let windowBits = MAX_WBITS + 16
  /// zlib's default.
  private static let memoryLevel: Int32 = 8
  /// The most bytes that zlib writes at once.
  private static let outputSize = 1 << 15

  private let stream: UnsafeMutablePointer<z_stream>

  /// Nil if zlib has no memory for it.
  package init?() {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let started = deflateInit2_(
      stream, Self.level, Z_DEFLATED, Self.windowBits, Self.memoryLevel, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    guard started == Z_OK else { return nil }
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  /// The next compressed bytes; empty while zlib waits for more input.
  package func compress(_ bytes: [UInt8], isLast: Bool = false) -> [UInt8] {
    guard isLast || !bytes.isEmpty else { return [] }
    var input = bytes
    var output: [UInt8] = []
    input.withUnsafeMutableBufferPointer { input in
      stream.pointee.next_in = input.baseAddress
      stream.pointee.avail_in = UInt32(input.count)
      repeat { output += next(isLast ? Z_FINISH : Z_NO_FLUSH) } while stream.pointee.avail_out == 0
    }
    return output
  }

  private func next(_ flush: Int32) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Self.outputSize) { output, written in
      stream.pointee.next_out = output.baseAddress
      stream.pointee.avail_out = UInt32(output.count)
      deflate(stream, flush)
      written = output.count - Int(stream.pointee.avail_out)
    }
  }
}
