import CatalogSupport
import Console
import Control
import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Console · sandboxes and settings")
struct SandboxesTests {
  private static let tokens = AccessTokens(admin: "admin", sandboxKey: Array(repeating: 7, count: 32))

  private func page(_ world: TestSandbox, _ path: String, token: String? = nil) throws -> Response {
    try world.answer(.to(path, headers: token.map { ["Authorization": "Bearer \($0)"] } ?? [:]))
  }

  @Test("the list shows state, use and what can be done, and the default sandbox cannot be deleted")
  func list() throws {
    let world = try TestSandbox.withCatalog()
    let body = #"{"name":"alpha","limits":{"messages":5}}"#
    #expect(try world.answer(.json(.post, "/control/sandboxes", body)).status == 201)
    let fault = #"{"faults":[{"status":500}]}"#
    #expect(try world.answer(.json(.put, "/s/alpha/control/faults", fault)).status == 200)

    let html = String(decoding: try page(world, "/console/sandboxes").body, as: UTF8.self)

    #expect(html.contains(#"<a href="/s/alpha/">alpha</a>"#) && html.contains("0 of 5 messages"))
    #expect(html.contains(#"2026-01-05 10:20:30, running <span class="pill warn">1 broken</span>"#))
    #expect(html.contains(#"<button type="button" class="danger" data-method="DELETE""#))
    #expect(html.contains(#"href="/control/sandboxes/alpha/export""#))
    #expect(html.contains(#"data-urls="/control/sandboxes/alpha/reset""#))
    let deletions = html.matches(of: #/data-method="DELETE" data-urls="([^"]+)"/#).map { String($0.1) }
    #expect(deletions == ["/control/sandboxes/alpha"])
  }

  @Test("every setting of every provider has a field with its meaning and its present value")
  func settings() throws {
    let world = try TestSandbox.withCatalog()
    let seed = #"{"telesign":{"settings":{"verify.attempts":4}}}"#
    #expect(try world.answer(.json(.post, "/control/seed", seed)).status == 200)

    var (count, all) = (0, "")
    for section in world.sandboxes.seeds.sections {
      let body = try page(world, "/console/settings?provider=\(section.name)").body
      let html = String(decoding: body, as: UTF8.self)
      all += html
      let member = section.seed.schema.members.first { $0.name == "settings" }
      for setting in member?.schema.object?.members ?? [] {
        count += 1
        #expect(html.contains(#"name="\#(section.name)/settings/\#(setting.name)""#), "\(setting.name)")
      }
    }
    #expect(count > 100)
    #expect(all.contains(#"name="telesign/settings/verify.attempts" type="number" value="4""#))
    #expect(all.contains("How often a Verify API code can be submitted."))
  }

  @Test("a sandbox's token opens its own settings and not the list of all")
  func access() throws {
    let world = try TestSandbox.withCatalog(tokens: Self.tokens)
    let made = try world.answer(
      .to(
        "/control/sandboxes", .post,
        headers: ["Content-Type": "application/json", "Authorization": "Bearer admin"],
        body: Array(#"{"name":"alpha"}"#.utf8)))
    #expect(made.status == 201)
    let own = Self.tokens.token(for: try #require(world.sandboxes["alpha"]))

    #expect(try page(world, "/console/sandboxes", token: own).status == 403)
    #expect(try page(world, "/console/sandboxes", token: "admin").status == 200)
    let settings = try page(world, "/s/alpha/console/settings", token: own)
    let html = String(decoding: settings.body, as: UTF8.self)
    #expect(settings.status == 200 && html.contains(own) && !html.contains("Revoke"))
    let asAdmin = try page(world, "/s/alpha/console/settings", token: "admin")
    #expect(String(decoding: asAdmin.body, as: UTF8.self).contains("Revoke"))
  }
}
