import CatalogSupport
import Control
import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Control · credentials of one participant at the address of another")
struct MisdirectedRequestTests {
  private struct NoCredentials: Error {}

  private let world: TestSandbox
  private static let tokens = AccessTokens(admin: "admin", sandboxKey: Array(repeating: 7, count: 32))

  init() throws {
    world = try TestSandbox.withCatalog(tokens: Self.tokens)
    let body = #"{"name":"tuesday","story":"first-sign-in","flavour":"twilio","participants":["Ana","Ben"]}"#
    let made = try world.answer(
      .to(
        "/control/workshops", .post,
        headers: ["Content-Type": "application/json", "Authorization": "Bearer admin"], body: Array(body.utf8)
      ))
    #expect(made.status == 201)
  }

  /// The state of each participant's first task, with the reason of the last refusal.
  private func board() throws -> [String] {
    let workshop = try #require(try world.sandboxes.workshops["tuesday"])
    return try world.sandboxes.workshops.participants(of: workshop).map { participant in
      "\(participant.results[0].state.rawValue) \(participant.results[0].refusal?.why ?? "")"
    }
  }

  @Test("a control token: the board shows it at its owner, and to whom the address belongs")
  func controlToken() throws {
    let ana = Self.tokens.token(for: try #require(world.sandboxes["tuesday-1"]))

    let answer = try world.answer(
      .to("/s/tuesday-2/control/inbox/+12025550100", headers: ["Authorization": "Bearer \(ana)"]))

    #expect(answer.status == 404)
    let why =
      "tried GET /control/inbox/+12025550100: sent to the address of Ben with the token of Ana, "
      + "by one of the two; use the address and the token on one card"
    #expect(try board() == [why, why])
    #expect(try isActive() == [true, false])
  }

  /// Who has shown a sign of life.
  private func isActive() throws -> [Bool] {
    let workshop = try #require(try world.sandboxes.workshops["tuesday"])
    return try world.sandboxes.workshops.participants(of: workshop).map { $0.activeAt != nil }
  }

  @Test("a control token that is wrong stays with whom the address belongs to")
  func wrongToken() throws {
    let answer = try world.answer(
      .to(
        "/s/tuesday-2/control/inbox/+12025550100", headers: ["Authorization": "Bearer sandbox.tuesday-1.00"]))

    #expect(answer.status == 401)
    #expect(try board()[0] == "untouched " && board()[1].hasPrefix("tried GET /control/inbox/"))
  }

  @Test("credentials of a provider: a refusal belongs to their owner, and the owner of the address sees it")
  func providerCredentials() throws {
    let own = try world.credentials(of: try #require(world.sandboxes["tuesday-1"]))["twilio"]
    guard case .string(let account)? = own?["accountSid"], case .string(let service)? = own?["serviceSid"],
      case .string(let token)? = own?["authToken"]
    else { throw NoCredentials() }
    func send(to path: String, number: String) throws -> Status {
      try world.answer(
        .post(
          "\(path)/v2/Services/\(service)/Verifications", form: ["To": number, "Channel": "sms"],
          headers: Request.basic(account, token))
      ).status
    }

    #expect(try send(to: "/s/tuesday-2", number: "+1").code >= 400)

    let shown = try board()
    #expect(
      shown[0].hasSuffix(
        "sent to the address of Ben with the credentials of Ana, by one of the two; use the address and "
          + "the credentials on one card") && shown[1] == shown[0], "\(shown)")
    #expect(try isActive() == [true, false])
    #expect(try send(to: "/s/tuesday-1", number: "+1") == 400)
    #expect(try board()[0].contains(#"found "+1""#))
  }
}
