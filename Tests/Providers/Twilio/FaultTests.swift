import HTTP
import Support
import Testing

/// An error of Twilio's documentation: number, status, and the text or its beginning.
struct ErrorRow: Sendable, CustomTestStringConvertible {
  let code: Int
  let status: Int
  let message: String

  init(_ code: Int, _ status: Int, _ message: String) {
    (self.code, self.status, self.message) = (code, status, message)
  }

  var testDescription: String { String(code) }
}

@Suite("Twilio · faults", .contract("twilio-verify.md 13.1, 13.2, 13.4"))
struct FaultTests {
  let twilio: TwilioWorld

  init() throws { twilio = try TwilioWorld() }

  /// Source: contract 13.1, 13.2, 13.4, without rows that are never an HTTP status.
  static let rows = [
    ErrorRow(20003, 401, "Authenticate"),
    ErrorRow(20004, 405, "Method not allowed"),
    ErrorRow(20008, 403, "Resource not accessible with Test Account Credentials"),
    ErrorRow(20404, 404, "The requested resource \(TwilioWorld.verifications) was not found"),
    ErrorRow(20429, 429, "Too many requests"),
    ErrorRow(20500, 500, "Internal server error"),
    ErrorRow(20503, 503, "Service unavailable"),
    ErrorRow(575001, 403, "Verify "),
    ErrorRow(60200, 400, "Invalid parameter"),
    ErrorRow(60201, 400, "Selected template translation is not approved"),
    ErrorRow(60202, 429, "Max check attempts reached"),
    ErrorRow(60203, 429, "Max send attempts reached"),
    ErrorRow(60204, 403, "Service does not support this feature"),
    ErrorRow(60205, 403, "SMS is not supported by landline phone number"),
    ErrorRow(60206, 400, "'Amount' & 'Payee' params are required"),
    ErrorRow(60207, 400, "Max rate limits per service reached"),
    ErrorRow(60208, 400, "Rate limit with that UniqueName already exists"),
    ErrorRow(60209, 400, "UniqueName format is invalid"),
    ErrorRow(60210, 400, "Max Buckets per Rate limit reached"),
    ErrorRow(60211, 400, "Bucket with the given Interval already exists"),
    ErrorRow(60212, 429, "Too many concurrent requests for phone number"),
    ErrorRow(60213, 400, "A Messaging Configuration already exists for the given country"),
    ErrorRow(60214, 400, "Call channel is not supported when using PSD2"),
    ErrorRow(60215, 400, ""), ErrorRow(60216, 400, ""),
    ErrorRow(60217, 400, "Invalid Service configuration"),
    ErrorRow(60218, 400, ""), ErrorRow(60219, 400, ""),
    ErrorRow(60220, 400, "Messages to China require use case vetting"),
    ErrorRow(60221, 400, "No target verification specified"),
    ErrorRow(60222, 403, ""),
    ErrorRow(60223, 400, "Delivery channel disabled: SMS"),
    ErrorRow(60224, 400, "Missing substitutions for selected template"),
    ErrorRow(60225, 409, ""),
    ErrorRow(60226, 400, "Messages sent to China require friendly_name"),
    ErrorRow(60227, 400, "Template "), ErrorRow(60228, 400, "Template "), ErrorRow(60229, 400, "Template "),
    ErrorRow(60230, 400, ""), ErrorRow(60231, 400, ""), ErrorRow(60232, 400, ""), ErrorRow(60233, 400, ""),
    ErrorRow(60234, 400, ""), ErrorRow(60235, 400, ""), ErrorRow(60236, 400, ""), ErrorRow(60237, 400, ""),
    ErrorRow(60238, 403, "Verification Creation Attempt blocked by Twilio"),
    ErrorRow(60239, 400, ""), ErrorRow(60240, 400, ""), ErrorRow(60241, 400, ""),
    ErrorRow(60242, 400, "WhatsApp template not found"),
    ErrorRow(60243, 400, "Custom messages are not supported"),
    ErrorRow(60245, 429, "Messaging limits exceeded"),
    ErrorRow(60246, 400, "Service already exists"),
    ErrorRow(60247, 400, "Message Length Exceeded"),
    ErrorRow(60248, 400, ""), ErrorRow(60250, 400, ""),
    ErrorRow(60408, 400, "TemplateSid is only supported for the SMS channel"),
    ErrorRow(60410, 403, "The destination phone number has been temporarily blocked by Twilio"),
    ErrorRow(60411, 400, ""), ErrorRow(60412, 403, ""),
    ErrorRow(60602, 400, "App hash can only be used with SMS channel"),
    ErrorRow(60603, 401, ""), ErrorRow(60604, 401, ""),
    ErrorRow(60605, 403, "The destination phone number has been blocked by Verify Geo-Permissions."),
    ErrorRow(68008, 400, "Verify WhatsApp channel not configured"),
    ErrorRow(21211, 400, ""), ErrorRow(21408, 400, ""), ErrorRow(21608, 403, ""), ErrorRow(21610, 400, ""),
    ErrorRow(21612, 400, ""), ErrorRow(21614, 400, ""),
  ]

  @Test("every documented error can be injected by its number", arguments: rows)
  func rowByNumber(_ row: ErrorRow) throws {
    try fault(#""route":"createVerification","code":\#(row.code)"#)

    let exchange = try twilio.create()

    let refusal = try exchange.decode(ErrorAnswer.self)
    #expect(refusal.code == row.code)
    #expect(refusal.status == row.status)
    #expect(refusal.message.hasPrefix(row.message))
    #expect(exchange.answer == errorAnswer(row.status, row.code, refusal.message))
    #expect(exchange.why?.hasPrefix("broken on purpose: fault 1 fails with \(row.code) ") == true)
    #expect(try twilio.inbox() == [])
    if [60212, 20500].contains(row.code) { exchange.matches(golden: "fault-\(row.code)") }
  }

  @Test(
    "a fault with only a status gets Twilio's general error of that status",
    arguments: [
      (401, 20003), (404, 20404), (405, 20004), (429, 20429), (500, 20500), (503, 20503), (400, 60200),
    ])
  func byStatus(status: Int, code: Int) throws {
    try fault(#""status":\#(status)"#)

    let refusal = try twilio.create().decode(ErrorAnswer.self)

    #expect(refusal.code == code)
    #expect(refusal.status == status)
  }

  @Test("too many requests have Retry-After, and that of a fault replaces it")
  func waiting() throws {
    try fault(#""status":429"#)
    let usual = try twilio.create().headers.values("Retry-After")
    try fault(#""status":429,"retryAfter":7"#)

    #expect(usual == ["1"])
    #expect(try twilio.create().headers.values("Retry-After") == ["7"])
  }

  @Test("a fault can override the status of an error number")
  func both() throws {
    try fault(#""status":418,"code":"60203""#)

    #expect(try twilio.create().answer == errorAnswer(418, 60203, "Max send attempts reached"))
  }

  @Test("a fault can set Retry-After")
  func retryAfter() throws {
    try fault(#""code":"20429","retryAfter":7"#)

    let exchange = try twilio.create()

    exchange.matches(golden: "fault-retry-after")
    #expect(exchange.headers["Retry-After"] == "7")
  }

  @Test("a fault can start at the nth request and end after some times")
  func turns() throws {
    try fault(#""nth":2,"times":2,"status":500"#)

    let answers = try (0..<4).map { _ in try twilio.create().answer.prefix(3) }

    #expect(answers == ["201", "500", "500", "201"])
  }

  @Test("a fault for one number matches the number in form and path")
  func number() throws {
    try fault(#""number":"+12025550101","code":60410"#)

    #expect(try twilio.create(to: "+12025550101").decode(ErrorAnswer.self).code == 60410)
    #expect(try twilio.fetch("%2B12025550101").decode(ErrorAnswer.self).code == 60410)
    #expect(try twilio.started().status == "pending")
  }

  @Test("a fault of another route has no effect")
  func elsewhere() throws {
    try fault(#""route":"fetchService","status":500"#)

    #expect(try twilio.started().status == "pending")
  }

  @Test("a connection is reset after the operation ran")
  func reset() throws {
    try fault(#""damage":"reset""#)

    let exchange = try twilio.create()

    #expect(exchange.transport == .reset)
    #expect(try twilio.inbox().count == 1)
  }

  @Test("a response is garbled after the operation ran")
  func garble() throws {
    try fault(#""damage":"garble""#)

    let exchange = try twilio.world.send(
      .post(
        TwilioWorld.verifications, form: ["To": TwilioWorld.number, "Channel": "sms"],
        headers: TwilioWorld.credentials))

    #expect(exchange.transport == .whole)
    #expect(exchange.answer == "201 <html>garbled")
    #expect(try twilio.inbox().count == 1)
  }

  private func fault(_ members: String) throws {
    try twilio.seed(#"{"faults":[{\#(members)}]}"#)
  }
}
