import Testing

@testable import WebAuthn

/// The encodings are examples of RFC 8949, appendix A.
@Suite("CBOR")
struct CBORTests {
  @Test(
    "numbers, texts, arrays and maps",
    arguments: [
      ([0x00], CBOR.integer(0)), ([0x18, 0x64], .integer(100)), ([0x19, 0x03, 0xe8], .integer(1000)),
      ([0x1b, 0, 0, 0, 0xe8, 0xd4, 0xa5, 0x10, 0], .integer(1_000_000_000_000)), ([0x20], .integer(-1)),
      ([0x39, 0x03, 0xe7], .integer(-1000)), ([0x44, 1, 2, 3, 4], .bytes([1, 2, 3, 4])),
      ([0x64, 0x49, 0x45, 0x54, 0x46], .text("IETF")),
      ([0x82, 0x01, 0x82, 0x02, 0x03], .array([.integer(1), .array([.integer(2), .integer(3)])])),
      ([0xa2, 0x01, 0x02, 0x03, 0x04], .map([.integer(1): .integer(2), .integer(3): .integer(4)])),
      ([0xf5], .other), ([0xf6], .other), ([0xfa, 0x47, 0xc3, 0x50, 0x00], .other),
      ([0x1b] + [UInt8](repeating: 0xff, count: 8), .other),
      ([0x3b] + [UInt8](repeating: 0xff, count: 8), .other),
    ] as [([UInt8], CBOR)])
  func decode(bytes: [UInt8], expected: CBOR) {
    #expect(CBOR(bytes[...]) == expected)
  }

  @Test(
    "other bytes are invalid",
    arguments: [
      [], [0x18], [0x44, 1, 2], [0x62, 0xff, 0xfe], [0x82, 0x01], [0xa1, 0x01], [0x00, 0x00],
      // A repeated name, an indefinite length, a tag, a reserved head.
      [0xa2, 0x01, 0x02, 0x01, 0x03], [0x9f, 0x01, 0xff], [0x5f, 0x41, 0x00, 0xff], [0xc0, 0x01], [0x1c],
      // Counts far beyond the input.
      [0x9b, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], [0xbb] + [UInt8](repeating: 0xff, count: 8),
      [0x5b] + [UInt8](repeating: 0xff, count: 8), [0x7b, 0x7f] + [UInt8](repeating: 0xff, count: 7),
    ] as [[UInt8]])
  func reject(bytes: [UInt8]) {
    #expect(CBOR(bytes[...]) == nil)
  }

  @Test("deep and large items are invalid")
  func limits() {
    #expect(CBOR([UInt8](repeating: 0x81, count: 7)[...] + [0x00]) != nil)
    #expect(CBOR([UInt8](repeating: 0x81, count: 8)[...] + [0x00]) == nil)
    #expect(CBOR([UInt8](repeating: 0x81, count: 60_000)[...]) == nil)
    #expect(CBOR([0x5a, 0, 1, 0, 0] + [UInt8](repeating: 0, count: 65_536)) == nil)
  }
}
