import Domain
import Testing

@Suite("Domain · text encoding")
struct TextEncodingTests {
  @Test(
    "a text has an encoding and a number of parts",
    arguments: [
      ("", "gsm7", 1),
      ("Your code is 123456", "gsm7", 1),
      (String(repeating: "a", count: 160), "gsm7", 1),
      (String(repeating: "a", count: 161), "gsm7", 2),
      (String(repeating: "a", count: 306), "gsm7", 2),
      (String(repeating: "a", count: 307), "gsm7", 3),
      (String(repeating: "€", count: 80), "gsm7", 1),
      (String(repeating: "€", count: 81), "gsm7", 2),
      ("ÄÖÜäöüß§¿¡£¥èéùìòÇØøÅåΔΦΓΛΩΠΨΣΘΞÆæÉ¤Ññà@$_\n\r", "gsm7", 1),
      ("^{}\\[~]|€", "gsm7", 1),
      ("`", "ucs2", 1),
      ("Ваш код 123456", "ucs2", 1),
      (String(repeating: "я", count: 70), "ucs2", 1),
      (String(repeating: "я", count: 71), "ucs2", 2),
      (String(repeating: "я", count: 134), "ucs2", 2),
      (String(repeating: "я", count: 135), "ucs2", 3),
      (String(repeating: "😀", count: 35), "ucs2", 1),
      (String(repeating: "😀", count: 36), "ucs2", 2),
      // A character that takes two units is not cut at a part's end.
      (String(repeating: "я", count: 66) + "😀" + String(repeating: "я", count: 66), "ucs2", 3),
      (String(repeating: "a", count: 152) + "€" + String(repeating: "a", count: 152), "gsm7", 3),
    ])
  func encodings(text: String, name: String, segments: Int) {
    let encoding = TextEncoding(of: text)

    #expect(encoding.alphabet.rawValue == name)
    #expect(encoding.segments == segments)
  }
}
