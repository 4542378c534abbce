import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Prelude · creations", .contract("prelude.md 3, 4.2"))
struct PreludeVerificationTests {
  let prelude: PreludeWorld

  init() throws { prelude = try PreludeWorld() }

  @Test(
    "the first creation starts a verification, later ones are retries on the next channels with new codes")
  func window() throws {
    let first = try prelude.create()
    let second = try prelude.create()
    let (one, two) = try (first.decode(PreludeCreation.self), second.decode(PreludeCreation.self))

    first.matches(golden: "success")
    second.matches(golden: "retry")
    #expect((one.status, one.channels) == ("success", ["sms"]))
    #expect((two.status, two.channels) == ("retry", ["rcs"]))
    #expect(one.id == two.id)
    let codes = try prelude.inbox().map(\.code)
    #expect(codes.count == 2 && Set(codes).count == 2)
  }

  @Test("all attempts have the same code if the setting says so")
  func sameCode() throws {
    try prelude.configure(#""codes":"same_for_window""#)
    for _ in 0..<3 { _ = try prelude.create() }

    #expect(Set(try prelude.inbox().map(\.code)).count == 1)
  }

  @Test(
    "codes are random, fixed, or derived from the number; the code of a subscriber's record takes precedence",
    arguments: [("random", "[0-9]{6}"), ("fixed", "123456"), ("derived", "980050")])
  func policies(policy: String, expected: String) throws {
    try prelude.configure(#""codePolicy":"\#(policy)""#)
    _ = try prelude.create()
    let code = try prelude.code()
    try prelude.seed(#"{"subscribers":[{"number":"+33639980057","code":"A1B2"}]}"#)
    _ = try prelude.create("+33639980057")

    #expect(try code.wholeMatch(of: Regex(expected)) != nil)
    #expect(try prelude.code(for: "+33639980057") == "A1B2")
  }

  @Test(
    "the method and the channels follow from the options",
    arguments: [
      (#"{}"#, "message", ["sms"]), (#"{"method":"voice"}"#, "voice", ["voice"]),
      (#"{"preferred_channel":"viber"}"#, "message", ["viber"]),
      (#"{"channels":["telegram","zalo"]}"#, "message", ["telegram", "zalo"]),
      (#"{"force_challenge":true}"#, "message", ["whatsapp"]),
    ])
  func methods(options: String, method: String, channels: [String]) throws {
    let answer = try prelude.create(options: options).decode(PreludeCreation.self)

    #expect(answer.method == method)
    #expect(answer.channels == channels)
    #expect(answer.status == (options.contains("force") ? "challenged" : "success"))
  }

  @Test("an email address gets an email, in any letter case")
  func email() throws {
    let target = #"{"type":"email_address","value":"Ann@Shop.test"}"#
    let exchange = try prelude.post(PreludeWorld.verification, #"{"target":\#(target)}"#)
    let check = try prelude.post(
      PreludeWorld.check,
      #"{"target":{"type":"email_address","value":"ann@shop.TEST"},"code":"\#(try prelude.code(for: "ann@shop.test"))"}"#
    ).decode(PreludeCheck.self)

    exchange.matches(golden: "email")
    #expect(try exchange.decode(PreludeCreation.self).channels == nil)
    #expect(check.status == "success")
  }

  @Test("attempts beyond the maximum are rejected with the advice not to retry")
  func tooMany() throws {
    try prelude.configure(#""maxAttempts":2"#)
    for _ in 0..<2 { _ = try prelude.create().decode(PreludeCreation.self) }

    let exchange = try prelude.create()
    try prelude.configure(#""retryRateLimits":true"#)
    let insisting = try prelude.create()

    exchange.matches(golden: "too-many-attempts")
    #expect(try exchange.preludeError() == "429 too_many_attempts")
    #expect(exchange.headers["x-should-retry"] == "false")
    #expect(insisting.headers["x-should-retry"] == nil)
    #expect(try prelude.inbox().count == 2)
  }

  @Test(
    "an invalid body is rejected with code and field in the contract's order, and nothing is sent",
    .contract("prelude.md 3.1, 3.2, 11.2, 11.3"), arguments: PreludeVerificationTests.broken)
  func rejected(body: String, error: String) throws {
    let exchange = try prelude.post(PreludeWorld.verification, body)

    #expect(try exchange.preludeError() == error)
    #expect(try prelude.inbox() == [])
    #expect(try prelude.sandbox.verifications.list("prelude", before: .max, limit: 1) == [])
  }

  static let broken: [(String, String)] =
    [
      ("{", "400 invalid_request body"), ("[]", "400 invalid_request body"),
      ("{}", "400 invalid_request target"), (#"{"target":1}"#, "400 invalid_request target"),
      (#"{"target":{"value":"+33639980050"}}"#, "400 invalid_request target.type"),
      (#"{"target":{"type":"fax","value":"+33639980050"}}"#, "400 invalid_request target.type"),
      (#"{"target":{"type":"phone_number"}}"#, "400 invalid_request target.value"),
      (#"{"target":{"type":"phone_number","value":"0612345678"}}"#, "400 invalid_phone_number target.value"),
      (#"{"target":{"type":"email_address","value":"ann"}}"#, "400 invalid_request target.value"),
    ]
    + [
      (#""dispatch_id":"short""#, "400 invalid_request dispatch_id"),
      (#""metadata":1"#, "400 invalid_request metadata"),
      (
        #""metadata":{"correlation_id":"\#(String(repeating: "x", count: 81))"}"#,
        "400 invalid_correlation_id metadata.correlation_id"
      ),
      (#""signals":{"device_id":1}"#, "400 invalid_device_id signals.device_id"),
      (#""signals":{"device_platform":"symbian"}"#, "400 invalid_device_platform signals.device_platform"),
      (#""signals":{"ip":"300.1.1.1"}"#, "400 invalid_ip signals.ip"),
      (
        #""signals":{"os_version":"\#(String(repeating: "x", count: 1025))"}"#,
        "400 invalid_os_version signals.os_version"
      ),
      (#""signals":{"is_trusted_user":"maybe"}"#, "400 invalid_request signals.is_trusted_user"),
    ].map { (#"{"target":\#(target),\#($0.0)}"#, $0.1) }
    + [
      (#""code_size":9"#, "400 invalid_code_size options.code_size"),
      (#""code_size":"6""#, "400 invalid_request options.code_size"),
      (#""code_size":5,"custom_code":"12345""#, "400 custom_size_conflict options.custom_code"),
      (#""custom_code":"12345""#, "400 custom_code_not_allowed options.custom_code"),
      (#""custom_code":"12a45""#, "400 invalid_custom_code options.custom_code"),
      (#""channels":["sms"],"preferred_channel":"sms""#, "400 channels_conflict options.preferred_channel"),
      (#""channels":["fax"]"#, "400 invalid_request options.channels"),
      (#""channels":[]"#, "400 invalid_request options.channels"),
      (#""channels":[],"force_challenge":true"#, "400 invalid_request options.channels"),
      (#""channels":["sms","sms","sms","sms","sms","sms","sms"]"#, "400 invalid_request options.channels"),
      (#""preferred_channel":"fax""#, "400 invalid_request options.preferred_channel"),
      (#""callback_url":"ftp://a.test""#, "400 invalid_callback_url options.callback_url"),
      (#""callback_url":"http://""#, "400 invalid_callback_url options.callback_url"),
      (#""locale":"f_R""#, "400 invalid_locale options.locale"),
      (#""method":"pigeon""#, "400 invalid_request options.method"),
      (#""max_auto_fallbacks":-1"#, "400 invalid_request options.max_auto_fallbacks"),
      (#""integration":1"#, "400 invalid_integration options.integration"),
      (#""variables":{"a":1}"#, "400 invalid_request options.variables"),
      (#""app_realm":{"platform":"web"}"#, "400 invalid_app_realm options.app_realm"),
      (
        #""app_realm":{"platform":"ios","value":"x"}"#,
        "400 invalid_app_realm_platform options.app_realm.platform"
      ),
      (
        #""app_realm":{"platform":"android","value":"x"}"#,
        "400 invalid_app_realm_value options.app_realm.value"
      ),
      (
        #""custom_code":"1","code_size":99,"channels":["sms"],"preferred_channel":"sms""#,
        "400 custom_size_conflict options.custom_code"
      ),
      (#""custom_code":"12345","locale":"?""#, "400 invalid_locale options.locale"),
    ].map { (#"{"target":\#(target),"options":{\#($0.0)}}"#, $0.1) }
    + [
      (
        #"{"target":{"type":"phone_number","value":"06"},"options":{"custom_code":"12345"}}"#,
        "400 custom_code_not_allowed options.custom_code"
      )
    ]

  private static let target = #"{"type":"phone_number","value":"+33639980050"}"#

  @Test(
    "features that are not enabled are rejected",
    arguments: [
      (#""forceChallenge":false"#, #"{"force_challenge":true}"#, "403 forbidden options.force_challenge"),
      (
        #""channels":["sms"]"#, #"{"channels":["viber"]}"#,
        "400 channel_not_enabled_in_region options.channels"
      ),
    ])
  func gates(setting: String, options: String, error: String) throws {
    try prelude.configure(setting)

    #expect(try prelude.create(options: options).preludeError() == error)
  }

  @Test("email addresses are rejected if they are not enabled")
  func emailGate() throws {
    try prelude.configure(#""emailTargets":false"#)

    let exchange = try prelude.post(
      PreludeWorld.verification, #"{"target":{"type":"email_address","value":"a@b.test"}}"#)

    #expect(try exchange.preludeError() == "403 email_verification_not_allowed target.type")
  }

  @Test("null counts as absent")
  func null() throws {
    let body =
      #"{"target":\#(Self.target),"dispatch_id":null,"metadata":null,"options":{"locale":null},"signals":null}"#

    #expect(
      try prelude.post(PreludeWorld.verification, body).decode(PreludeCreation.self).status == "success")
  }

  @Test("requests need the key of a server", .contract("prelude.md 1.2, 11.2"))
  func keys() throws {
    let strict = try PreludeWorld(acceptsUnknownAccounts: false)
    let path = PreludeWorld.verification

    let missing = try prelude.post(path, "{}", as: [:])
    let basic = try prelude.post(path, "{}", as: ["Authorization": "Basic YTpi"])
    let sdk = try prelude.post(path, "{}", as: ["Authorization": "Bearer \(PreludeWorld.sdkKey)"])
    let unknown = try strict.post(path, "{}", as: ["Authorization": "Bearer other"])
    let open = try prelude.create(as: ["Authorization": "bearer  other"])

    missing.matches(golden: "no-key")
    #expect(try missing.preludeError() == "401 missing_api_key")
    #expect(try basic.preludeError() == "401 invalid_bearer_token")
    #expect(try sdk.preludeError() == "401 invalid_api_key")
    #expect(try unknown.preludeError() == "401 invalid_api_key")
    #expect(try open.decode(PreludeCreation.self).status == "success")
  }
}
