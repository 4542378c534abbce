import CZlib
import Compression
import Testing

@Suite struct GzipTests {
  @Test("Compressed bytes are smaller, and zlib reads them back", arguments: [0, 1, 1400, 1_000_000])
  func roundTrip(size: Int) throws {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 % 17) }
    let compressed = try #require(Gzip.compress(bytes))

    #expect(size < 100 || compressed.count < size / 4)
    #expect(inflated(compressed, size) == bytes)
  }

  @Test("Equal input gives equal bytes, without a time or a name in the head")
  func isDeterministic() throws {
    let bytes = Array("the same text".utf8)
    let compressed = try #require(Gzip.compress(bytes))

    #expect(Gzip.compress(bytes) == compressed)
    #expect(Array(compressed.prefix(8)) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0])
  }

  private func inflated(_ bytes: [UInt8], _ size: Int) -> [UInt8] {
    var (stream, input) = (z_stream(), bytes)
    inflateInit2_(&stream, MAX_WBITS + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    defer { inflateEnd(&stream) }
    return [UInt8](unsafeUninitializedCapacity: size + 1) { output, written in
      input.withUnsafeMutableBufferPointer { input in
        (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
        (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(size + 1))
        #expect(inflate(&stream, Z_FINISH) == Z_STREAM_END)
        written = Int(stream.total_out)
      }
    }
  }
}
