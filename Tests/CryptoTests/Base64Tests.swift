import Crypto
import Foundation
import Testing

@Suite("Base64")
struct Base64Tests {
  @Test(
    "the vectors of RFC 4648 hold both ways",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
      ("foobar", "Zm9vYmFy"),
    ])
  func vectors(plain: String, encoded: String) {
    #expect(Base64.encode(Array(plain.utf8)) == encoded)
    #expect(Base64.decode(encoded) == Array(plain.utf8))
  }

  @Test("the URL alphabet uses - and _, with padding")
  func urlAlphabet() {
    #expect(Base64.encodeForURL([0xFB, 0xEF, 0xFF, 0xFE]) == "--___g")
    #expect(Base64.encodeForURL([0xFB, 0xEF, 0xFF, 0xFE, 0xFB]) == "--___vs")
    #expect(Base64.encodeForURL([0xFB, 0xEF, 0xFF, 0xFE], isPadded: true) == "--___g==")
    #expect(Base64.encodeForURL([]) == "")
  }

  @Test(
    "tokens use the URL alphabet without padding",
    arguments: [("", ""), ("Zg", "f"), ("Zm8", "fo"), ("Zm9v", "foo"), ("Zm9vYmE", "fooba")])
  func tokenParts(text: String, plain: String) {
    #expect(Base64.decodeFromURL(text) == Array(plain.utf8))
    #expect(Base64.decodeFromURL("--___g") == [0xFB, 0xEF, 0xFF, 0xFE])
  }

  @Test(
    "a token part with another spelling is rejected",
    arguments: ["Zg==", "Zg=", "Z", "Zm9v+A", "Zm9v/A", "Zh", "Zm 8", "Zm9v\n", "é"])
  func tokenRefusals(text: String) {
    #expect(Base64.decodeFromURL(text) == nil)
  }

  @Test(
    "every length and byte is encoded as by Foundation, and decoded again",
    arguments: [0, 1, 2, 3, 47, 48, 49, 255, 256, 1000])
  func roundTrip(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ count) }

    let text = Base64.encode(bytes)

    #expect(text == Data(bytes).base64EncodedString())
    #expect(Base64.decode(text) == bytes)
  }

  @Test(
    "only the canonical spelling is accepted",
    arguments: [
      "Z", "Zg", "Zg=", "Zg===", "=", "==", "====", "Z===", "Zg==Zg==", "Zm9v\n", " Zm9v", "Zm 9v", "Zm9-",
      "Zm9_",
      "Zh==", "Zm9=", "Zm=8", "Zm9vé===", "Zm9v====", "Zg=a",
    ])
  func refusals(text: String) {
    #expect(Base64.decode(text) == nil)
  }

  @Test(
    "the lenient decoder ignores foreign characters and missing padding",
    arguments: [
      ("Zm9vYmFy", "foobar"), ("Zm9v-YmFy", "foobar"), ("Zm 9v\n", "foo"), ("Zg", "f"), ("Zm8", "fo"),
      ("Zg==AAAA", "f"),
      ("", ""), ("-", ""), ("Z", ""),
    ])
  func forgiving(text: String, plain: String) {
    #expect(Base64.decodeForgiving(text) == Array(plain.utf8))
  }
}
