import CatalogSupport
import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Kit · applications as clients of the operator", .contract("camara.md 15"))
struct NetworkClientTests {
  let world: TestSandbox

  init() throws { world = try TestSandbox.withCatalog() }

  private static let application = "5a0d0b0c-0000-4000-8000-000000000001"
  private static let usual = "https%3A%2F%2Fapp.example.com%2Fcallback"
  private static let own = "https%3A%2F%2Fshop.example%2Fdone"

  private func startBackchannel(_ token: String) throws -> Exchange {
    try world.send(
      Request(
        .post, Target("/oauth2/bc-authorize"),
        headers: [
          "Host": "api-eu.vonage.com", "Content-Type": "application/x-www-form-urlencoded",
          "Authorization": "Bearer \(token)",
        ],
        body: Array(
          "login_hint=%2B12025550102&scope=dpv%3AFraudPreventionAndDetection%23check-sim-swap".utf8)))
  }

  private func authorize(_ client: String, _ redirect: String) throws -> Exchange {
    let query =
      "client_id=\(client)&redirect_uri=\(redirect)&response_type=code&state=s"
      + "&scope=openid%20dpv%3AFraudPreventionAndDetection%23number-verification-verify-read"
    return try world.send(
      Request(.get, Target("/oauth2/auth?\(query)"), headers: ["Host": "oidc.idp.vonage.com"]))
  }

  @Test("46 B6: a token of an application needs the application's key")
  func keys() throws {
    #expect(try startBackchannel(VonageTokens.valid).answer.contains("auth_req_id"))
    for token in [VonageTokens.foreign, VonageTokens.expired] {
      let refused = try startBackchannel(token).answer
      #expect(refused.hasPrefix("401") && refused.contains("invalid_client"))
    }
  }

  @Test("46 B6: the front end knows the application, and redirects where it says")
  func frontEnd() throws {
    #expect(try authorize(Self.application, Self.usual).answer.hasPrefix("302"))
    #expect(try !authorize(Self.application, Self.own).answer.hasPrefix("302"))
    _ = try world.send(
      .json(
        .post, "/control/seed",
        #"{"vonage":{"applications":[{"id":"\#(Self.application)","redirectUris":["https://shop.example/done"]}]}}"#
      ))
    #expect(try authorize(Self.application, Self.own).answer.hasPrefix("302"))
    #expect(try !authorize(Self.application, Self.usual).answer.hasPrefix("302"))
    #expect(try !authorize("00000000-0000-4000-8000-000000000000", Self.usual).answer.hasPrefix("302"))
  }

  @Test("46 B6: an application of another sandbox selects that sandbox")
  func otherSandbox() throws {
    let created = try world.send(.json(.post, "/control/sandboxes", #"{"name":"other"}"#))
    let credentials = try Fields(Array(created.answer.dropFirst(4).utf8)).object("credentials")
    let other = try credentials.object("vonage").string("applicationId")

    #expect(other != Self.application)
    #expect(try authorize(other, Self.usual).answer.hasPrefix("302"))
  }
}
