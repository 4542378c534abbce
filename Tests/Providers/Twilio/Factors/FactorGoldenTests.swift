import HTTP
import Support
import Testing

@Suite(
  "Twilio · answers about entities, factors and challenges", .contract("twilio-verify.md 8.4, 9, 10, 13.3"))
struct FactorGoldenTests {
  let twilio: TwilioWorld

  init() throws { twilio = try TwilioWorld() }

  @Test("access tokens")
  func accessTokens() throws {
    let created = try twilio.post(
      TwilioWorld.accessTokens,
      [
        "Identity": TwilioWorld.identity, "FactorType": "push", "FactorFriendlyName": "Ana's phone",
        "Ttl": "120",
      ])
    let sid = try TwilioWorld.text("sid", in: created.answer)

    created.matches(golden: "created")
    try twilio.get("\(TwilioWorld.accessTokens)/\(sid)").matches(golden: "found")
    try twilio.post(TwilioWorld.accessTokens, ["Identity": TwilioWorld.identity, "FactorType": "totp"])
      .matches(golden: "wrong-type")
    try twilio.get("\(TwilioWorld.accessTokens)/YK1").matches(golden: "unknown")
  }

  @Test("entities")
  func entities() throws {
    try twilio.get(TwilioWorld.entity).matches(golden: "unknown")
    try twilio.delete(TwilioWorld.entity).matches(golden: "unknown")
    try twilio.post(TwilioWorld.entities, ["Identity": TwilioWorld.identity]).matches(golden: "created")
    try twilio.post(TwilioWorld.entities, ["Identity": TwilioWorld.identity]).matches(golden: "taken")
    try twilio.get(TwilioWorld.entity).matches(golden: "found")
    try twilio.get(TwilioWorld.entities).matches(golden: "one")
    try twilio.get("\(TwilioWorld.entities)?PageSize=0").matches(golden: "bad-page-size")
    try twilio.delete(TwilioWorld.entity).matches(golden: "deleted")
  }

  @Test("factors")
  func factors() throws {
    try twilio.get(TwilioWorld.factors).matches(golden: "unknown-entity")
    let push = try twilio.createPush(token: "f3c1000000000000000000000000000000")
    let totp = try twilio.createTOTP()
    let (pushSID, totpSID) = try (
      TwilioWorld.text("sid", in: push.answer), TwilioWorld.text("sid", in: totp.answer)
    )

    push.matches(golden: "push")
    totp.matches(golden: "totp")
    try twilio.post(TwilioWorld.factors, ["FriendlyName": "Ana", "FactorType": "passkeys"])
      .matches(golden: "passkeys")
    try twilio.get("\(TwilioWorld.factors)/\(pushSID)").matches(golden: "push")
    try twilio.get("\(TwilioWorld.factors)/YF1").matches(golden: "unknown")
    try twilio.post("\(TwilioWorld.factors)/\(totpSID)", ["AuthPayload": "000000"]).matches(
      golden: "wrong-code")
    try twilio.post("\(TwilioWorld.factors)/\(totpSID)", ["AuthPayload": TwilioWorld.totpCode()])
      .matches(golden: "verified")
    try twilio.post("\(TwilioWorld.factors)/\(pushSID)", ["AuthPayload": "MEQ="]).matches(
      golden: "wrong-signature")
    try twilio.get(TwilioWorld.factors).matches(golden: "two")
    try twilio.delete("\(TwilioWorld.factors)/\(pushSID)").matches(golden: "deleted")
    try twilio.delete("\(TwilioWorld.factors)/\(pushSID)").matches(golden: "unknown")
  }

  @Test("challenges of a TOTP factor")
  func totpChallenges() throws {
    let unverified = try TwilioWorld.text("sid", in: twilio.createTOTP(["FriendlyName": "B"]).answer)
    try twilio.challenge(unverified).matches(golden: "unverified")
    _ = try twilio.delete("\(TwilioWorld.factors)/\(unverified)")
    let factor = try twilio.verifiedTOTP()
    let created = try twilio.challenge(factor)
    let sid = try TwilioWorld.text("sid", in: created.answer)
    let path = "\(TwilioWorld.challenges)/\(sid)"

    created.matches(golden: "totp")
    try twilio.post(path, ["AuthPayload": "000000"]).matches(golden: "wrong-code")
    try twilio.post(path, ["AuthPayload": TwilioWorld.totpCode()]).matches(golden: "approved")
    try twilio.post(path, ["AuthPayload": TwilioWorld.totpCode(1)]).matches(golden: "answered")
    try twilio.post("\(path)/Notifications", [:]).matches(golden: "answered")
    try twilio.get("\(TwilioWorld.challenges)?Status=approved").matches(golden: "one")
    try twilio.get("\(TwilioWorld.challenges)?Status=open").matches(golden: "bad-status")
    try twilio.get("\(TwilioWorld.challenges)/YC1").matches(golden: "unknown")
  }

  @Test("challenges of a push factor")
  func pushChallenges() throws {
    let phone = try TestPhone.enrolled(42, twilio, token: "f3c1000000000000000000000000000000")
    let created = try twilio.challenge(
      phone.factor,
      [
        "Details.Message": "Log in to Acme?", "Details.Fields": #"{"label":"Place","value":"Lima"}"#,
        "HiddenDetails": #"{"ip":"203.0.113.9"}"#, "ExpirationDate": "2026-01-05T11:00:00Z",
      ])
    let path = "\(TwilioWorld.challenges)/\(try TwilioWorld.text("sid", in: created.answer))"

    created.matches(golden: "push")
    try twilio.get(path).matches(golden: "push")
    try twilio.post(path, ["AuthPayload": "e30.e30.e30"]).matches(golden: "no-token")
    try twilio.post("\(path)/Notifications", ["Ttl": "60"]).matches(golden: "created")
    try twilio.post("\(path)/Notifications", ["Ttl": "301"]).matches(golden: "bad-ttl")
  }
}
