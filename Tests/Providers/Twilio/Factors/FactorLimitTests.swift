import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Twilio · limits of factors", .contract("twilio-verify.md 9"))
struct FactorLimitTests {
  let twilio: TwilioWorld

  init() throws { twilio = try TwilioWorld() }

  private func create(_ number: Int) throws -> Exchange {
    try twilio.post(
      "\(TwilioWorld.entities)/user-\(10_000_000 + number / 50)/Factors",
      ["FriendlyName": "F\(number)", "FactorType": "totp"])
  }

  @Test("a sandbox has a thousand factors; those that nobody verified in time make room")
  func factors() throws {
    for number in 0..<1000 { _ = try create(number) }

    let refused = try create(1000)
    try twilio.advance(86_400)
    let accepted = try create(1001)

    #expect(refused.answer.hasPrefix("400") && refused.why?.contains("at most 1000") == true)
    #expect(accepted.answer.hasPrefix("201"))
  }

  @Test("a Service keeps a thousand access tokens")
  func accessTokens() throws {
    func create() throws -> String {
      let form: KeyValuePairs = ["Identity": TwilioWorld.identity, "FactorType": "push"]
      return try TwilioWorld.text("sid", in: twilio.post(TwilioWorld.accessTokens, form).answer)
    }
    let sids = try (0..<1001).map { _ in try create() }

    #expect(try twilio.get("\(TwilioWorld.accessTokens)/\(sids[0])").answer.hasPrefix("404"))
    #expect(try twilio.get("\(TwilioWorld.accessTokens)/\(sids[1])").answer.hasPrefix("200"))
  }

  @Test("a sandbox has a thousand entities")
  func entities() throws {
    for number in 0..<1000 {
      _ = try twilio.post(TwilioWorld.entities, ["Identity": "user-\(10_000_000 + number)"])
    }

    let refused = try twilio.post(TwilioWorld.entities, ["Identity": TwilioWorld.identity])

    #expect(refused.answer.hasPrefix("400") && refused.why?.contains("at most 1000") == true)
  }

  @Test("pages of filtered challenges neither skip nor repeat any", arguments: ["asc", "desc"])
  func pages(order: String) throws {
    let factor = try twilio.verifiedTOTP()
    _ = try twilio.post("\(TwilioWorld.factors)/\(factor)", ["Config.CodeLength": "6"])
    var pending: [String] = []
    for number in 0..<240 {
      if number % 40 == 0 { try twilio.advance(86_400) }
      let sid = try TwilioWorld.text("sid", in: twilio.challenge(factor, ["ExpirationDate": ""]).answer)
      if number >= 200 { pending.append(sid) }
    }
    var path = "\(TwilioWorld.challenges)?Status=pending&Order=\(order)&PageSize=7"
    var found: [String] = []
    for _ in 0..<6 {
      let body = try JSON(parsing: Array(twilio.get(path).answer.dropFirst(4).utf8))
      guard case .array(let page)? = body["challenges"] else { continue }
      found += page.compactMap { if case .string(let sid)? = $0["sid"] { sid } else { nil } }
      guard case .string(let next)? = body["meta"]?["next_page_url"] else { break }
      path = next.replacing("http://127.0.0.1:5550", with: "")
    }

    #expect(found == (order == "asc" ? pending : pending.reversed()))
  }
}
