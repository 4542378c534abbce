import Control
import Domain
import HTTP
import JSON
import Support
import Testing

/// What requests of the largest size, and built to be expensive, cost: issue 45, B1.
@Suite("Control API · masking")
struct MaskingTests {
  private let masking = Masking.common

  @Test(
    "documents inside of texts are masked, to the fourth inside of another",
    arguments: [1, 2, 3, 4, 5], [Self.json, Self.form, Self.url])
  func nested(depth: Int, wrap: @Sendable (String) -> String) {
    let text = (1...depth).reduce("https://a.test/?client_secret=s3cret") { text, _ in wrap(text) }

    let shown = masking.body(Array(text.utf8))

    #expect(!shown.contains("s3cret"))
    #expect(shown.contains(Masking.mark))
  }

  @Test("white space around a secret stays")
  func whiteSpace() {
    let shown = masking.body(Array("{\n\t\"id_token\"\n:\t\"s3cret\"}".utf8))

    #expect(shown == "{\n\t\"id_token\"\n:\t\"********\"}")
  }

  private static func json(_ text: String) -> String {
    String(decoding: JSON.object([.init("a", text)]).encoded(), as: UTF8.self)
  }

  private static func form(_ text: String) -> String { "a=" + PercentCoding.encode(json(text)) }

  private static func url(_ text: String) -> String { "https://a.test/?b=" + PercentCoding.encode(text) }

  @Test(
    "the most deeply nested texts end neither the process nor its patience",
    arguments: [
      #"["="#, #"{"a":"="#, #"{"password":"#, "a=%7B", "?a=b://", "%25", "&=", #"""#, #"\""#, #"["{"#,
    ])
  func deep(part: String) {
    let text = String(repeating: part, count: 200_000 / part.utf8.count)
    #expect(masking.body(Array(text.utf8)).utf8.count < 2_000_000)
  }

  @Test("JSON in JSON in JSON, as large as a body, does not multiply")
  func doubling() {
    var text = #"{"client_secret":"s3cret","a":"="}"#
    while text.utf8.count < 200_000 { text = Self.json(text) }
    #expect(!masking.body(Array(text.utf8)).contains("s3cret"))
  }

  @Test("fields that nobody read: the first fifty, and how many more there are")
  func unreadNames() throws {
    let desk = try Desk()
    let form = (1..<Form.fieldLimit).map { "&name\($0)=" }.joined()

    _ = try desk.ask("POST /things/v1/things", "to=%2B12025550100" + form)
    let unread = try desk.unread

    #expect(unread.prefix(50) == (1...50).map { "name\($0)" }[...])
    #expect(unread.dropFirst(50) == ["and 949 more"])
  }

  @Test("the names of fields that nobody read are cut after their secrets are masked")
  func secretsInUnreadNames() throws {
    let desk = try Desk()
    let secret = (0..<200).map { "s\($0)" }.joined()
    let long = String(repeating: "é", count: 90)
    let fields = [
      ("client_secret", secret), ("password", secret + "x"), ("a\(secret)xb", ""), ("\(secret)c", ""),
      (long, ""),
    ]
    let form = fields.map { "\(PercentCoding.encode($0.0))=\($0.1)" }.joined(separator: "&")

    _ = try desk.ask("POST /things/v1/things", "to=%2B12025550100&" + form)

    #expect(
      try desk.unread == [
        "client_secret", "password", "a********b", "********c", String(repeating: "é", count: 50),
      ])
  }
}

extension Desk {
  fileprivate var unread: [String] {
    get throws {
      guard case .array(let names)? = try newestExchange()["unread"] else { return [] }
      return names.map { if case .string(let name) = $0 { name } else { "" } }
    }
  }
}
