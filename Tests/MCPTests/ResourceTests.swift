import Catalog
import JSON
import ProviderKit
import Support
import Testing

@testable import MCP

@Suite("MCP · resources")
struct ResourceTests {
  private let agent: Agent

  init() throws { agent = try Agent() }

  private func read(_ uri: String) throws -> JSON {
    try agent.ask("resources/read", #"{"uri":"\#(uri)"}"#)
  }

  @Test("every resource of the list can be read")
  func all() throws {
    let resources = try agent.ask("resources/list")["result"]?["resources"]?.items ?? []
    #expect(resources.count == 5 + 2 * (catalog.count + 1))
    for resource in resources {
      let uri = try #require(resource["uri"]?.text)
      let content = try read(uri)["result"]?["contents"]?.items?.first
      #expect(content?["uri"]?.text == uri)
      #expect(content?["mimeType"] == resource["mimeType"])
      let text = try #require(content?["text"]?.text)
      if resource["mimeType"]?.text == "application/json" {
        #expect(throws: Never.self) { try JSON(parsing: Array(text.utf8), limits: .seed) }
      }
    }
  }

  @Test("every provider has its guide", arguments: catalog.map { $0.name })
  func guides(provider: String) throws {
    let text = try read("ringfence://providers/\(provider)/guide")["result"]?["contents"]?.items?.first?[
      "text"]
    #expect(text?.text?.hasPrefix("# ") == true)
  }

  @Test("the journal of a sandbox")
  func journal() throws {
    _ = try agent.call("start_sandbox", #"{"name":"ci"}"#)
    try agent.send()
    func requests(_ uri: String) throws -> Int? {
      let text = try read(uri)["result"]?["contents"]?.items?.first?["text"]?.text ?? ""
      return try JSON(parsing: Array(text.utf8))["requests"]?.items?.count
    }

    #expect(try requests("ringfence://journal") == 1)
    #expect(try requests("ringfence://sandboxes/default/journal") == 1)
    #expect(try requests("ringfence://sandboxes/ci/journal") == 0)
    let template = try agent.ask("resources/templates/list")["result"]?["resourceTemplates"]?.items?.first
    #expect(template?["uriTemplate"]?.text == "ringfence://sandboxes/{sandbox}/journal")
  }

  @Test(
    "an unknown resource is an error",
    arguments: [
      (
        "ringfence://journl", -32_002,
        "there is no resource ringfence://journl; did you mean ringfence://journal?"
      ),
      (
        "ringfence://guides/twilio", -32_002,
        "there is no resource ringfence://guides/twilio; did you mean ringfence://providers/twilio/guide?"
      ),
      ("ringfence://sandboxes/no/journal", -32_002, "there is no sandbox no"),
      ("ringfence://operations/setClok", -32_002, "there is no operation setClok; did you mean setClock?"),
      (
        "ringfence://sandboxes/a%20b/journal", -32_602,
        "$.sandbox: expected a sandbox's name; found \"a%20b\""
      ),
      ("file:///etc/passwd", -32_002, "there is no resource file:///etc/passwd"),
    ])
  func unknown(uri: String, code: Int64, said: String) throws {
    let error = try read(uri)["error"]
    #expect(error?["message"]?.text == said)
    #expect(error?["code"] == .integer(code))
  }

  @Test("a URI must be there")
  func missing() throws {
    #expect(
      try agent.ask("resources/read")["error"]?["message"]?.text == "params.uri: missing; expected a string")
  }
}
