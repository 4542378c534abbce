import CatalogSupport
import Support
import Testing

@Suite("Goldens", .contract("Docs/Decisions.md 0006"))
struct GoldenTests {
  private let recorded = Array("# Source: a page\nGET / HTTP/1.1\r\n\r\nHTTP/1.1 200 OK\r\n\r\nhello".utf8)

  @Test("equal bytes pass")
  func equal() {
    #expect(Golden.complaint(about: recorded, found: recorded) == nil)
  }

  @Test("the failure shows the first byte that differs")
  func different() throws {
    let found = Array("# Source: a page\nGET / HTTP/1.1\r\n\r\nHTTP/1.1 200 OK\r\n\r\nhallo".utf8)

    let complaint = try #require(Golden.complaint(about: recorded, found: found))

    #expect(complaint.contains("differs at byte 55"))
    #expect(complaint.contains(#"\r\n\r\nh‹here›ello…"#))
    #expect(complaint.contains(#"\r\n\r\nh‹here›allo…"#))
  }

  @Test("missing or extra bytes differ at the end")
  func lengths() {
    #expect(Golden.complaint(about: recorded, found: recorded + [33])?.contains("byte 59") == true)
    #expect(Golden.complaint(about: recorded, found: recorded.dropLast())?.contains("byte 58") == true)
  }

  @Test(
    "a golden file without a source is rejected, even if equal",
    arguments: ["", "GET / HTTP/1.1\r\n", "# Source:\n", "# Source: \n"])
  func sourceless(text: String) {
    let bytes = Array(text.utf8)

    #expect(Golden.complaint(about: bytes, found: bytes) == "the golden names no source in its first line")
  }

  @Test("a test's contract overrides its suite's", .contract("a page", read: "2026-11-21"))
  func ownContract() {
    #expect(Contract.current?.source == "a page, read 2026-11-21")
  }

  @Test("tests inherit their suite's contract")
  func inheritedContract() {
    #expect(Contract.current?.source == "Docs/Decisions.md 0006")
  }
}

@Suite("Goldens without a contract")
struct ContractlessTests {
  @Test("a golden needs its source")
  func contractless() throws {
    let exchange = try TestSandbox.withCatalog().send(.to("/livez"))

    withKnownIssue { exchange.matches(golden: "livez") }
  }
}
