import Domain
import HTTP
import JSON
import ProviderKit
import Support
import Testing

@testable import Prove

@Suite("Prove · sessions", .contract("prove.md 4.3"))
struct ProveSessionTests {
  @Test("unknown, foreign and expired sessions are the same error")
  func unknown() throws {
    let prove = try ProveWorld()
    let started = try prove.unify()
    let other = Credential(provider: "prove", name: "other", secret: "secret", account: "other")
    #expect(try prove.sandbox.accounts.register(other))
    let foreign = AccessToken(for: "other", lifetime: .seconds(60), in: prove.sandbox).text(
      id: "1", in: prove.sandbox)
    let body = #"{"correlationId":"\#(started.correlationID)"}"#
    let refused = try prove.call(.post, "/v3/unify-status", body, token: foreign)

    refused.matches(golden: "foreign-session")
    try prove.advance(900)
    #expect(try prove.call(.post, "/v3/unify-status", body).answer == refused.answer)
  }

  @Test("old sessions are deleted when new ones start")
  func bounded() throws {
    let prove = try ProveWorld()
    let old = try prove.unify()
    try prove.advance(901)
    #expect(try Session.find(authID: old.authID, in: prove.sandbox) != nil)
    _ = try prove.unify()

    #expect(try Session.find(authID: old.authID, in: prove.sandbox) == nil)
  }

  @Test("sessions older than the sandbox's history are deleted, also under a frozen clock")
  func history() throws {
    var retention = Retention()
    retention.maxOrdinals = 20
    let prove = ProveWorld(
      world: try TestSandbox(of: ProveProvider.self) {
        $0.acceptsUnknownAccounts = false
        $0.retention = retention
      })
    let old = try prove.unify()
    for _ in 1...6 { _ = try prove.unify() }

    #expect(try Session.find(authID: old.authID, in: prove.sandbox) == nil)
  }

  @Test("the code of a number that no test user has is as long as the message says")
  func codeOfStranger() throws {
    let prove = try ProveWorld()
    try prove.seed(#"{"settings":{"unknownNumbers":"accept"}}"#)
    _ = try prove.waitingForCode("2125550100")

    #expect(try prove.sandbox.verifications.all(of: "prove").map(\.code.count) == [4])
  }

  @Test("a batch of identities has at most 1000 items", .contract("prove.md 7.4"))
  func batchSize() throws {
    let prove = try ProveWorld()
    func answer(_ count: Int) throws -> String {
      let items = Array(repeating: #"{"phoneNumber":"2001004031"}"#, count: count).joined(separator: ",")
      return try prove.call(.post, "/v3/identity/batch", "{\"items\":[\(items)]}").answer
    }

    #expect(try answer(1000).hasPrefix("200 "))
    #expect(try answer(1001).hasPrefix(#"400 {"code":8001,"message":"field 'items' is invalid"#))
  }

  @Test(
    "browsers of any origin may call the device API", .contract("prove.md 6.2"),
    arguments: ["", "cancel", "otp/start"])
  func preflight(action: String) throws {
    let prove = try ProveWorld()
    let started = try prove.unify()

    try prove.act(started, action, "", .options).matches(golden: "allowed")
    _ = try prove.world.send(
      .json(.put, "/control/faults", #"{"faults":[{"provider":"prove","status":500}]}"#))
    try prove.act(started, action, "", .options).matches(golden: "fault")
  }
}
