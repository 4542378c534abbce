import Crypto
import Testing

/// RFC 1321, A.5.
@Suite("MD5")
struct MD5Tests {
  @Test(
    "the vectors of RFC 1321 hold",
    arguments: [
      ("", "d41d8cd98f00b204e9800998ecf8427e"), ("abc", "900150983cd24fb0d6963f7d28e17f72"),
      (
        "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
        "57edf4a22be3c955ac49da2e2107b67a"
      ),
    ])
  func vectors(message: String, digest: String) {
    let bytes = MD5.hash(Array(message.utf8))
    #expect(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == digest)
  }
}
