import CZlib

package enum Gunzip {
  package enum Failure: Error, Equatable { case broken, tooLarge }

  /// The content of one gzip member (RFC 1952), of at most `limit` bytes.
  package static func decompress(_ bytes: [UInt8], limit: Int) throws(Failure) -> [UInt8] {
    var (stream, input) = (z_stream(), bytes)
    let size = Int32(MemoryLayout<z_stream>.size)
    guard inflateInit2_(&stream, MAX_WBITS + 16, ZLIB_VERSION, size) == Z_OK else { throw .broken }
    defer { inflateEnd(&stream) }
    var output: [UInt8] = []
    var result = Z_OK
    input.withUnsafeMutableBufferPointer { input in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(clamping: input.count)
      while result == Z_OK, output.count <= limit { output += next(of: &stream, &result) }
    }
    guard output.count <= limit else { throw .tooLarge }
    guard result == Z_STREAM_END else { throw .broken }
    return output
  }

  /// In bytes.
  private static let pieceSize = 1 << 15

  private static func next(of stream: inout z_stream, _ result: inout Int32) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: pieceSize) { piece, written in
      stream.next_out = piece.baseAddress
      stream.avail_out = UInt32(piece.count)
      result = inflate(&stream, Z_NO_FLUSH)
      written = piece.count - Int(stream.avail_out)
    }
  }
}
