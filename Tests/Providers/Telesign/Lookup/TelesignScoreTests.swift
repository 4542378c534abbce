import Domain
import HTTP
import Support
import Testing

@Suite("Telesign · Score and Intelligence", .contract("telesign.md 11"))
struct TelesignScoreTests {
  private let telesign: TelesignWorld

  init() throws { telesign = try TelesignWorld() }

  private func score(_ digits: String) throws -> String {
    try telesign.post("/v1/score/\(digits)", form: ["account_lifecycle_event": "create"]).answer
  }

  @Test("a number is scored by path")
  func path() throws {
    let exchange = try telesign.post(
      "/v1/score/15558675309", form: ["account_lifecycle_event": "create", "external_id": "mine"])

    exchange.matches(golden: "mobile")
    try telesign.post("/v1/score/15558675309", form: ["account_lifecycle_event": "born"])
      .matches(golden: "no-event")
  }

  @Test("a phone is assessed with a form, or with JSON on the older path")
  func phone() throws {
    let form = try telesign.post(
      "/intelligence/phone", form: ["phone_number": "15558675309", "account_lifecycle_event": "sign-in"])
    let json = try telesign.send(
      .post, "/intelligence", json: #"{"phone_number":"15558675309","account_lifecycle_event":"sign-in"}"#)

    form.matches(golden: "mobile")
    json.matches(golden: "mobile")
    #expect(try form.withoutReference() == json.withoutReference())
    try telesign.post("/intelligence/phone", form: ["phone_number": "15558675309"])
      .matches(golden: "without-event")
    try telesign.send(.post, "/intelligence", json: #"{"account_lifecycle_event":"sign-in"}"#)
      .matches(golden: "without-number")
  }

  @Test("contact details are assessed, and the answer has the phone's and the email address's data apart")
  func contactDetails() throws {
    func assess(_ contact: String) throws -> Exchange {
      try telesign.send(
        .post, "/intelligence",
        json: #"{"contact_details":{\#(contact)},"account_lifecycle_event":"create","ip":"1.1.1.1"}"#)
    }
    let both = try assess(#""email":"a@b.co","phone_number":"15558675309""#)
    let phone = try assess(#""phone_number":"15558675309""#)

    both.matches(golden: "contact-details")
    #expect(both.unread == [])
    #expect(!phone.answer.contains("email_details"))
    #expect(try assess(#""email":"a@b.co""#).errorCodes() == "400 12000")
    #expect(try assess(#""phone_number":"15558675309","email":"x""#).errorCodes() == "400 11007")
  }

  @Test("an email address is assessed by its owner's line")
  func email() throws {
    let form: KeyValuePairs = ["email_address": "a@b.co", "account_lifecycle_event": "create"]
    let unknown = try telesign.post("/intelligence/email", form: form)
    try telesign.seed(#"{"subscribers":[{"number":"+12025550102","email":"A@b.co"}]}"#)
    let known = try telesign.post("/intelligence/email", form: form)
    let missing = try telesign.post("/intelligence/email", form: ["account_lifecycle_event": "create"])

    unknown.matches(golden: "nobody")
    missing.matches(golden: "without-address")
    #expect(unknown.answer.contains(#""risk":{"level":"very-low","recommendation":"allow","score":11}"#))
    #expect(known.answer.contains(#""risk":{"level":"medium","recommendation":"flag","score":431}"#))
  }

  @Test(
    "the carrier's data add up to the score",
    arguments: [
      ("12025550100", 11, "very-low", "allow"), ("12025550102", 431, "medium", "flag"),
      ("12025550105", 211, "low", "allow"), ("12025550108", 261, "low", "allow"),
      ("12025550132", 711, "high", "block"), ("12025550137", 61, "very-low", "allow"),
      ("12025550139", 211, "low", "allow"), ("12025550155", 451, "medium", "flag"),
      ("12025550160", 111, "very-low", "allow"), ("15558670005", 451, "medium", "flag"),
      ("15558670010", 959, "very-high", "block"),
    ])
  func rules(digits: String, points: Int, level: String, advice: String) throws {
    #expect(
      try score(digits).contains(
        #""risk":{"level":"\#(level)","recommendation":"\#(advice)","score":\#(points)}"#))
  }

  @Test(
    "a score in the record has priority over the rules",
    arguments: [(0, "very-low"), (200, "very-low"), (201, "low"), (1000, "very-high")])
  func stated(points: Int, level: String) throws {
    try telesign.seed(
      #"{"subscribers":[{"number":"+12025550102","risk":{"score":\#(points),"reasons":["so"]}}]}"#)

    #expect(try score("12025550102").contains(#""level":"\#(level)""#))
    #expect(try score("12025550102").contains(#""category":[10900]"#))
  }

  @Test("the names of the levels are a setting")
  func names() throws {
    try telesign.configure(#""score.level_names":"low,low,medium,high,high""#)

    #expect(try score("15558675309").contains(#""risk":{"level":"low","recommendation":"allow","score":11}"#))
    #expect(try score("15558670010").contains(#""level":"high""#))
  }

  @Test("insights show the reasons for a score, and can be left out")
  func insights() throws {
    _ = try telesign.sandbox.messages.submit(
      MessageDraft(
        provider: "telesign", reference: "r", channel: .sms, destination: "+12025550137", sender: "Telesign",
        text: "Hello", code: nil), to: telesign.sandbox.subscribers[#require(PhoneNumber("+12025550137"))])

    #expect(
      try score("12025550137").hasSuffix(
        #""risk_insights":{"status":800,"category":[10601],"a2p":[20002],"p2p":[30001],"number_type":[40002],"#
          + #""ip":[50001],"email":[60001]}}"#))
    let form: KeyValuePairs = ["account_lifecycle_event": "create", "request_risk_insights": "false"]
    #expect(try !telesign.post("/v1/score/12025550137", form: form).answer.contains("risk_insights"))
  }

  @Test("each invalid parameter has its own error")
  func refusals() throws {
    for (name, value, refusal) in [
      ("originating_ip", "x", "400 11010"), ("email_address", "x", "400 11007"),
      ("device_id", String(repeating: "x", count: 256), "400 11006"),
      ("account_id", String(repeating: "x", count: 256), "400 11002"), ("external_id", "é", "400 11016"),
    ] {
      let exchange = try telesign.send(
        .post, "/v1/score/15558675309", json: #"{"account_lifecycle_event":"create","\#(name)":"\#(value)"}"#)
      #expect(try exchange.errorCodes() == refusal)
    }
    #expect(
      try telesign.post("/v1/score/abc", form: ["account_lifecycle_event": "create"]).errorCodes()
        == "400 11000")
  }
}
