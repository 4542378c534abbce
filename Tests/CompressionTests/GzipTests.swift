import CZlib
import Compression
import Testing

@Suite struct GzipTests {
  @Test("Compressed bytes are smaller, and zlib reads them back", arguments: [0, 1, 1400, 1_000_000])
  func roundTrip(size: Int) throws {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 % 17) }
    let compressed = try compressed(bytes)

    #expect(size < 100 || compressed.count < size / 4)
    #expect(inflated(compressed, size) == bytes)
  }

  @Test("Equal input gives equal bytes, without a time or a name in the head")
  func isDeterministic() throws {
    let bytes = Array("the same text".utf8)
    let compressed = try compressed(bytes)

    #expect(try self.compressed(bytes) == compressed)
    #expect(Array(compressed.prefix(8)) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0])
  }

  @Test("Pieces of any size make one stream, and each gives its bytes without waiting for the last")
  func pieces() throws {
    let stream = try #require(GzipStream())
    // A sequence without repetitions, so that its compressed form is large.
    var state: UInt64 = 1
    let bytes = (0..<300_000).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1
      return UInt8(truncatingIfNeeded: state >> 56)
    }
    var pieces: [[UInt8]] = []
    for start in stride(from: 0, to: bytes.count, by: 10_000) {
      pieces.append(stream.compress(Array(bytes[start..<start + 10_000])))
      pieces.append(stream.compress([]))
    }
    pieces.append(stream.compress([], isLast: true))

    #expect(inflated(Array(pieces.joined()), bytes.count) == bytes)
    #expect(pieces.dropLast().joined().count > 250_000)
  }

  @Test(
    "46 E1: Compressed bytes are read up to a limit, and broken ones not at all", arguments: [0, 1, 100_000])
  func decompressed(size: Int) throws {
    let bytes = [UInt8](repeating: 7, count: size)
    let compressed = try compressed(bytes)

    #expect(try Gunzip.decompress(compressed, limit: size) == bytes)
    #expect(throws: Gunzip.Failure.broken) {
      try Gunzip.decompress(Array(compressed.dropLast(9)), limit: size)
    }
    #expect(throws: Gunzip.Failure.broken) { try Gunzip.decompress([0x1F, 0x8B, 9], limit: 9) }
    if size > 0 {
      #expect(throws: Gunzip.Failure.tooLarge) { try Gunzip.decompress(compressed, limit: size - 1) }
    }
  }

  private func compressed(_ bytes: [UInt8]) throws -> [UInt8] {
    try #require(GzipStream()).compress(bytes, isLast: true)
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
