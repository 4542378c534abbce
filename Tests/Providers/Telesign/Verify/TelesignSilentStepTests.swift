import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Telesign · Verify API: silent", .contract("telesign.md 6 and 5.4"))
struct TelesignSilentStepTests {
  let telesign: TelesignWorld

  init() throws { telesign = try TelesignWorld() }

  /// A verification with the methods silent and SMS.
  private struct Silent {
    let reference: String
    let token: String
    var path: String { "/handset/telesign/v1/verifications/\(reference)/silent" }
    var credentials: Headers { ["Authorization": "Bearer \(token)"] }
  }

  private func start(_ number: String = TelesignWorld.number) throws -> Silent {
    let members = try telesign.create(
      #","verification_policy":[{"method":"silent"},{"method":"sms"}]"#, to: number
    ).members()
    return Silent(
      reference: try members.string("reference_id"), token: try members.string("mobile_app_token"))
  }

  private func report(_ result: String, _ silent: Silent) throws -> Exchange {
    try telesign.send(.post, silent.path, json: #"{"result":"\#(result)"}"#, as: silent.credentials)
  }

  /// Follows the chain and returns the last response.
  private func walk(_ silent: Silent) throws -> Exchange {
    let offer = try telesign.get(silent.path, as: silent.credentials)
    offer.matches(golden: "offered")
    return try walk(from: offer.members().string("verification_url"))
  }

  private func walk(from url: String) throws -> Exchange {
    var exchange = try telesign.get(path(of: url), as: [:])
    exchange.matches(golden: "redirected")
    while let location = exchange.headers["Location"] {
      exchange = try telesign.get(path(of: location), as: [:])
    }
    return exchange
  }

  private func path(of url: String) -> String {
    let behind = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
    return String(behind.drop { $0 != "/" })
  }

  @Test("an app's report of a match verifies")
  func match() throws {
    let silent = try start()

    let response = try report("match", silent)

    response.matches(golden: "match")
    #expect(try telesign.state(silent.reference) == "VERIFIED: silent VERIFIED 3900, sms SKIPPED")
    let again = try report("mismatch", silent)
    again.matches(golden: "ended")
    #expect(again.answer == #"400 {"status":{"code":3931,"description":"Invalid workflow"}}"#)
  }

  @Test(
    "after any other report the next method starts at once",
    arguments: [("mismatch", 4502), ("unreachable", 3115)])
  func others(result: String, code: Int) throws {
    let silent = try start()

    #expect(try report(result, silent).statusAndCode() == "200 \(code)")
    #expect(
      try telesign.state(silent.reference) == "ONGOING: silent FAILED \(code), sms ONGOING 3901")
    #expect(try telesign.finalize(silent.reference).statusAndCode() == "200 3900")
  }

  @Test("a report after the method's timeout is too late, and an unknown one is rejected")
  func late() throws {
    let silent = try start()

    #expect(try report("perhaps", silent).statusAndCode() == "400 3110")
    try telesign.advance(60)
    #expect(try report("match", silent).statusAndCode() == "400 3908")
  }

  @Test("only the verification's own token can report")
  func strangers() throws {
    let (one, other) = (try start(), try start())

    for credentials: Headers in [[:], ["Authorization": "Bearer x"], other.credentials, TelesignWorld.basic] {
      let refused = try telesign.send(.post, one.path, json: #"{"result":"match"}"#, as: credentials)
      #expect(refused.answer == #"401 {"status":{"code":3400,"description":"Not authorized"}}"#)
    }
    #expect(try telesign.state(one.reference) == "CREATED: silent CREATED 3901, sms CREATED")
  }

  @Test("the chain over mobile data starts the method and verifies")
  func chain() throws {
    let silent = try start("33639980001")
    let offer = try telesign.get(silent.path, as: silent.credentials).members().string("verification_url")

    #expect(try telesign.state(silent.reference) == "ONGOING: silent ONGOING 3901, sms CREATED")
    let last = try walk(from: offer)
    last.matches(golden: "matched")
    #expect(try telesign.state(silent.reference) == "VERIFIED: silent VERIFIED 3900, sms SKIPPED")
    try telesign.get(silent.path, as: silent.credentials).matches(golden: "ended")
  }

  @Test("an operator without silent verification counts as unreachable")
  func noCoverage() throws {
    let silent = try start()

    #expect(try walk(silent).statusAndCode() == "200 3115")
    #expect(try telesign.state(silent.reference) == "ONGOING: silent FAILED 3115, sms ONGOING 3901")
  }

  @Test("the number's ending makes the chain a mismatch")
  func mismatch() throws {
    let silent = try start("15558670450")

    #expect(try walk(silent).statusAndCode() == "200 4502")
    #expect(try telesign.state(silent.reference) == "ONGOING: silent FAILED 4502, sms ONGOING 3901")
  }

  @Test("a hop without a session, and a forged grant, have no effect")
  func forged() throws {
    let silent = try start()
    let url = try telesign.get(silent.path, as: silent.credentials).members().string("verification_url")

    try telesign.get("/handset/telesign/v1/silent/s_nobody", as: [:]).matches(golden: "unknown")
    let forged = try telesign.get("\(path(of: url))/complete?grant=0", as: [:])
    forged.matches(golden: "forged")
    #expect(try telesign.state(silent.reference) == "ONGOING: silent ONGOING 3901, sms CREATED")
  }
}
