import HTTP
import Testing

@Suite("HTTP · forms")
struct FormTests {
  @Test(
    "fields are parsed in order, including repeated and empty ones",
    arguments: [
      ("", []), ("a=1", ["a:1"]), ("a=1&b=2", ["a:1", "b:2"]), ("a=", ["a:"]), ("a", ["a:"]), ("=1", [":1"]),
      ("a=1&a=2&a=1", ["a:1", "a:2", "a:1"]), ("a=1&&b=2&", ["a:1", "b:2"]), ("a=b=c", ["a:b=c"]),
      ("a+b=c+d", ["a b:c d"]), ("a=%2B%20%26%3D", ["a:+ &="]), ("Caf%C3%A9=%E2%82%AC", ["Café:€"]),
      ("a.b=1", ["a.b:1"]), ("a=%00", ["a:\0"]), ("a;b=1", ["a;b:1"]), ("é=1", ["é:1"]),
    ])
  func pairs(text: String, expected: [String]) throws {
    let form = try Form(parsing: Array(text.utf8))

    #expect(form.pairs.map { "\($0.name):\($0.value)" } == expected)
  }

  @Test(
    "a broken name is an error without a field, a broken value names it",
    arguments: [
      ("%=1", nil), ("%2=1", nil), ("a%ZZ=1", nil), ("%FF=1", nil), ("a=%", "a"), ("a=%2", "a"),
      ("a=1&b=%G0", "b"),
      ("a=%C3", "a"), ("a=%C3%28", "a"), ("a=%ED%A0%80", "a"), ("a=%C0%AF", "a"), ("a=%F5%80%80%80", "a"),
    ] as [(String, String?)])
  func broken(text: String, field: String?) {
    let error = #expect(throws: FormError.self) { try Form(parsing: Array(text.utf8)) }

    #expect(error?.field == field)
    #expect(error?.expected.contains("percent-encoded UTF-8") == true)
  }

  @Test(
    "more than 30 combining marks in a row are an error",
    arguments: [
      ("a=e%CC%81%CC%96", 15, nil),
      ("a=e%CC%81%CC%96", 5_000, "a: expected at most 30 combining marks in a row"),
      ("e%CC%81%CC%96", 15, nil),
      ("e%CC%81%CC%96", 20, "expected field names with at most 30 combining marks in a row"),
      ("a=%E0%B9%88", 31, "a: expected at most 30 combining marks in a row"),
      ("a=%E0%B8%81%E0%B9%88", 1_000, nil),
    ] as [(String, Int, String?)])
  func combiningMarks(text: String, count: Int, error: String?) {
    let marks = text.firstRange(of: "%")!.lowerBound
    let long = text[..<marks] + String(repeating: String(text[marks...]), count: count)

    let outcome = Result { try Form(parsing: Array(long.utf8)) }

    switch outcome {
    case .success: #expect(error == nil)
    case .failure(let failure): #expect("\(failure)" == error)
    }
  }

  @Test("names may have 1024 bytes", arguments: [(1_024, true), (1_025, false), (1_000_000, false)])
  func longNames(count: Int, isValid: Bool) {
    let form = try? Form(parsing: Array(String(repeating: "a", count: count).utf8))

    #expect((form != nil) == isValid)
  }

  @Test("invalid UTF-8 is an error")
  func rawBytes() {
    let error = #expect(throws: FormError.self) { try Form(parsing: Array("a=".utf8) + [0xC3, 0x28]) }

    #expect(error?.description == "a: expected a value in percent-encoded UTF-8")
  }

  @Test("at most a thousand fields are accepted")
  func limit() throws {
    let full = Array(repeating: "a=1", count: Form.fieldLimit).joined(separator: "&")

    #expect(try Form(parsing: Array(full.utf8)).all("a").count == 1000)
    let error = #expect(throws: FormError.self) { try Form(parsing: Array((full + "&b=1").utf8)) }
    #expect(error == FormError(field: "b", expected: "at most 1000 fields"))
  }

  @Test("the first of repeated fields counts, and all can be read")
  func repeated() throws {
    let form = try Form(parsing: Array("a=1&b=2&a=3".utf8))

    #expect(form["a"] == "1")
    #expect(form.all("a") == ["1", "3"])
    #expect(form["c"] == nil)
    #expect(form.all("c") == [])
    #expect(form.has("b") && !form.has("c"))
  }

  @Test("46 E2: fields are unread until they are read or declared, and repeated ones are ignored")
  func unread() throws {
    let form = try Form(parsing: Array("To=1&Chanel=2&To=3&Code=4&code=5".utf8))
    #expect(form.unread == ["To", "Chanel", "To", "Code", "code"])

    _ = form["To"]
    _ = form.has("Chanel")
    #expect(form.unread == ["Chanel", "To (repeated)", "Code", "code"])

    form.declare(["Code", "Locale"])
    #expect(form.unread == ["Chanel", "To (repeated)", "code"])

    _ = form.all("Chanel")
    _ = form["code"]
    #expect(form.unread == ["To (repeated)"])

    #expect(form.last("To") == "3")
    #expect(form.unread == [])
  }
}

@Suite("HTTP · percent-coding")
struct PercentCodingTests {
  @Test("a plus is a space in forms only", arguments: [(true, "a b+"), (false, "a+b+")])
  func plus(isSpace: Bool, expected: String) {
    #expect(PercentCoding.decode(Array("a+b%2B".utf8), plusIsSpace: isSpace) == expected)
  }

  @Test(
    "every text survives encoding and decoding",
    arguments: ["", "plain", "+1 (555)", "a/b?c#d%", "é€😀", "\0\n~-._"])
  func roundTrip(text: String) {
    let encoded = PercentCoding.encode(text)

    #expect(encoded.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "+") })
    #expect(PercentCoding.decode(Array(encoded.utf8), plusIsSpace: false) == text)
    #expect(PercentCoding.decode(Array(encoded.utf8), plusIsSpace: true) == text)
  }

  @Test("kept characters are not encoded")
  func keeping() {
    #expect(PercentCoding.encode("+1/2", keeping: "+/") == "+1/2")
    #expect(PercentCoding.encode("+1/2") == "%2B1%2F2")
  }

  @Test(
    "escapes are decoded in either case, and once",
    arguments: [("%2b", "+"), ("%2B", "+"), ("%252B", "%2B")])
  func letterCase(text: String, expected: String) {
    #expect(PercentCoding.decode(Array(text.utf8), plusIsSpace: false) == expected)
  }
}
