import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Twilio · OAuth client credentials", .contract("twilio-verify.md 20"))
struct OAuthTests {
  private static let client = "OQ00000000000000000000000000000001"
  private static let secret = "SandboxOAuthSecret00000000000001"
  private static let path = "\(TwilioWorld.services)/\(TwilioWorld.service)"

  private func ask(
    _ twilio: TwilioWorld, client: String = client, secret: String = secret, at path: String = "/v2/token"
  ) throws -> Exchange {
    try twilio.post(
      path, ["grant_type": "client_credentials", "client_id": client, "client_secret": secret], as: [:])
  }

  private func token(_ twilio: TwilioWorld, client: String = client, secret: String = secret) throws -> String
  {
    try ask(twilio, client: client, secret: secret).decode(TokenAnswer.self).token
  }

  private func bearer(_ token: String) -> Headers { ["Authorization": "Bearer \(token)"] }

  @Test("a token signs in as its client's account, also in a strict sandbox", arguments: [true, false])
  func token(isOpen: Bool) throws {
    let twilio = try TwilioWorld(acceptsUnknownAccounts: isOpen)

    let answer = try ask(twilio)
    let token = try answer.decode(TokenAnswer.self)
    let service = try twilio.get(Self.path, as: bearer(token.token)).decode(ServiceAnswer.self)

    #expect(token.seconds == 3600)
    #expect(service.text("account_sid") == TwilioWorld.account)
    if isOpen { answer.matches(golden: "client-credentials") }
  }

  @Test("the endpoint is also under the prefix of its product", arguments: ["/oauth", "/twilio"])
  func prefix(prefix: String) throws {
    let twilio = try TwilioWorld()

    #expect(try ask(twilio, at: "\(prefix)/v2/token").decode(TokenAnswer.self).seconds == 3600)
  }

  @Test("a wrong secret is 20003; an unknown client too, unless the sandbox is open")
  func refusal() throws {
    let (open, strict) = (try TwilioWorld(), try TwilioWorld(acceptsUnknownAccounts: false))
    let unknown = "OQ" + String(repeating: "9", count: 32)

    let wrong = try ask(open, secret: "wrong")
    #expect(wrong.answer == errorAnswer(401, 20003, "Authenticate"))
    #expect(wrong.why == "wrong secret of OAuth client \(Self.client)")
    wrong.matches(golden: "wrong-secret")
    #expect(try ask(strict, client: unknown).answer == errorAnswer(401, 20003, "Authenticate"))

    let account = try open.get(Self.path, as: bearer(token(open, client: unknown, secret: "any")))
    #expect(try account.decode(ServiceAnswer.self).text("account_sid") == TwilioWorld.account)
  }

  @Test(
    "an incomplete request is 60200",
    arguments: [
      (["grant_type": "refresh_token"], "grant_type"), ([:], "grant_type"),
      (["grant_type": "client_credentials", "client_id": "me"], "client_id"),
      (["grant_type": "client_credentials", "client_id": client], "client_secret"),
    ] as [(KeyValuePairs<String, String>, String)])
  func incomplete(form: KeyValuePairs<String, String>, name: String) throws {
    let answer = try TwilioWorld().post("/v2/token", form, as: [:])

    #expect(answer.answer == errorAnswer(400, 60200, "Invalid parameter: \(name)"))
  }

  @Test("an expired token is 20003, at its second")
  func expiry() throws {
    let twilio = try TwilioWorld()
    try twilio.configure(#""oauthTokenSeconds":60"#)
    let token = try token(twilio)

    try twilio.advance(59)
    _ = try twilio.get(Self.path, as: bearer(token)).decode(ServiceAnswer.self)
    try twilio.advance(1)
    let late = try twilio.get(Self.path, as: bearer(token))

    #expect(late.answer == errorAnswer(401, 20003, "Authenticate"))
    #expect(late.why?.hasPrefix("the access token expired at ") == true)
  }

  @Test("a token of another sandbox, a changed token, and an OAuth client as a user name are 20003")
  func foreign() throws {
    let twilio = try TwilioWorld()
    let token = try token(twilio)
    let other = try #require(try twilio.world.sandboxes.create("other", Sandbox.Configuration()))
    let secret = try #require(try other.accounts.all(of: "twilio").first { $0.name.hasPrefix("OQ") })
    let theirs = try self.token(twilio, client: secret.name, secret: secret.secret)

    for text in [token + "x", "x" + token, "a.b.c", ""] {
      #expect(try twilio.get(Self.path, as: bearer(text)).answer == errorAnswer(401, 20003, "Authenticate"))
    }
    var headers = bearer(theirs)
    headers.add("X-Sandbox", "default")
    #expect(try twilio.get(Self.path, as: headers).answer == errorAnswer(401, 20003, "Authenticate"))
    #expect(
      try twilio.get(Self.path, as: Request.basic(Self.client, Self.secret)).answer
        == errorAnswer(401, 20003, "Authentication Error - invalid username"))
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
  let seconds: Int

  init(_ fields: Fields) throws {
    token = try fields.string("access_token")
    seconds = try fields.int("expires_in")
    guard try fields.string("token_type") == "Bearer" else {
      throw fields.mismatch("token_type", expected: "Bearer")
    }
    _ = try fields.optionalString("refresh_token")
    _ = try fields.optionalString("id_token")
  }
}
