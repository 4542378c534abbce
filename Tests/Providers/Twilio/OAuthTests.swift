import Domain
import HTTP
import JSON
import Support
import Testing

/// The other behaviours are in `Checks/OAuth.http`.
@Suite("Twilio · OAuth client credentials", .contract("twilio-verify.md 20"))
struct OAuthTests {
  private static let path = "\(TwilioWorld.services)/\(TwilioWorld.service)"

  private func token(
    _ twilio: TwilioWorld, client: String, secret: String, at path: String = "/v2/token"
  ) throws -> String {
    try twilio.post(
      path, ["grant_type": "client_credentials", "client_id": client, "client_secret": secret], as: [:]
    ).decode(TokenAnswer.self).token
  }

  @Test("the endpoint is also under the prefix of its product", arguments: ["/oauth", "/twilio"])
  func prefix(prefix: String) throws {
    _ = try token(
      TwilioWorld(), client: "OQ00000000000000000000000000000001",
      secret: "SandboxOAuthSecret00000000000001", at: "\(prefix)/v2/token")
  }

  private func bearer(_ token: String) -> Headers { ["Authorization": "Bearer \(token)"] }

  @Test("no token, and one of another sandbox, are 20003")
  func foreign() throws {
    let twilio = try TwilioWorld()
    let other = try #require(try twilio.world.sandboxes.create("other", Sandbox.Configuration()))
    let secret = try #require(try other.accounts.all(of: "twilio").first { $0.name.hasPrefix("OQ") })
    let theirs = try self.token(twilio, client: secret.name, secret: secret.secret)

    #expect(try twilio.get(Self.path, as: bearer("")).answer == errorAnswer(401, 20003, "Authenticate"))
    var headers = bearer(theirs)
    headers.add("X-Sandbox", "default")
    #expect(try twilio.get(Self.path, as: headers).answer == errorAnswer(401, 20003, "Authenticate"))
  }

  @Test("client and token select the sandbox")
  func selection() throws {
    let twilio = try TwilioWorld()
    let other = try #require(try twilio.world.sandboxes.create("other", Sandbox.Configuration()))
    let all = try other.accounts.all(of: "twilio")
    let client = try #require(all.first { $0.name.hasPrefix("OQ") })

    let token = try token(twilio, client: client.name, secret: client.secret)
    let services = try twilio.get(TwilioWorld.services, as: bearer(token)).decode(ServicePage.self)

    #expect(services.names.count == 1)
    #expect(other.journal.exchanges.map(\.route) == ["createToken", "listServices"])
  }
}

private struct TokenAnswer: NamedBody {
  static let statuses: Set = [200]
  let token: String

  init(_ fields: Fields) throws {
    token = try fields.string("access_token")
    for name in fields.names { _ = try fields.json(name) }
  }
}
