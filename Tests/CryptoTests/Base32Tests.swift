import Crypto
import Testing

/// The vectors of RFC 4648, section 10.
@Suite("Base32")
struct Base32Tests {
  @Test(
    "text is decoded with and without padding, in either case",
    arguments: [
      ("", ""), ("MY======", "f"), ("MZXQ====", "fo"), ("MZXW6===", "foo"), ("MZXW6YQ=", "foob"),
      ("MZXW6YTB", "fooba"), ("MZXW6YTBOI======", "foobar"),
    ])
  func vectors(text: String, decoded: String) {
    #expect(Base32.decode(text) == Array(decoded.utf8))
    #expect(Base32.decode(text.lowercased().filter { $0 != "=" }) == Array(decoded.utf8))
  }

  @Test(
    "other characters and an incomplete byte are no Base32",
    arguments: ["M", "MZX", "MZ=X", "0189", "MZXW 6===", "é"])
  func malformed(text: String) {
    #expect(Base32.decode(text) == nil)
  }
}
