import CatalogSupport
import Domain
import HTTP
import JSON
import ProviderKit
import Support
import Testing

enum SilentURL: SilentHops {
  static let (provider, path) = (Acme.name, "/silent/v1")
  static let operations = (first: "openSilentURL", last: "completeSilentURL")
  static func unknownSession(_ token: String, on hop: SilentHop, in sandbox: Sandbox) -> Response {
    plainText(404, "")
  }
  static func response(to handset: SilentReturn, in sandbox: Sandbox) -> Response {
    plainText(200, "\(handset.verdict)")
  }
}

/// The code in doc comments of ProviderKit.
@Suite("Providers · uses")
struct UsesTests {
  private struct Template {
    var id = ""
    var account = ""
  }

  @Test("records are saved, found and listed")
  func recordTable() throws {
    let template = Template(id: "welcome", account: "shop")
    let schema = Schema<Template>([
      .required("id", \.id, .string), .required("account", \.account, .string),
    ])
    let world = try TestSandbox.withCatalog()
    let sandbox = world.sandbox
    try sandbox.atomically {
      let table = RecordTable("template", of: Acme.name, schema) { Template() }
      try table.save(template, as: template.id, group: template.account, in: sandbox)
      let found = try table.find(template.id, in: sandbox)
      let newest = try table.list(group: template.account, from: .before(.max), limit: 20, in: sandbox)

      #expect(found?.account == "shop")
      #expect(newest.map(\.record.id) == ["welcome"])
    }
  }

  @Test("the two hops are two routes")
  func silentHops() {
    #expect(
      SilentURL.routes.map { "\($0.name) \($0.pattern)" } == [
        "openSilentURL /silent/v1/{token}", "completeSilentURL /silent/v1/{token}/complete",
      ])
  }
}
