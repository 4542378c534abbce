import JSON
import Testing

/// The code in doc comments of JSON.
@Suite("JSON · uses")
struct UsesTests {
  @Test("a schema reads and writes a record")
  func schema() throws {
    struct Settings { var codeLength = 6 }
    let body = Array(#"{"codeLength":8}"#.utf8)
    var settings = Settings()

    let schema = Schema<Settings>(
      "AcmeSettings", "Settings of Acme in a sandbox.",
      [.field("codeLength", \.codeLength, .integer(4...10), default: 6, "Digits of a code.")])
    try schema.merge(Fields(body), into: &settings)
    let answer = schema.encode(settings)

    #expect(answer == body)
  }
}
