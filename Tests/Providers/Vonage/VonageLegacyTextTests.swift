import Domain
import HTTP
import JSON
import Support
import Testing

/// The texts of errors. Source: the examples of the official file 1.2.4, and public reports.
@Suite("Vonage · texts of Verify legacy", .contract("vonage-verify.md 9"))
struct VonageLegacyTextTests {
  let vonage: VonageWorld

  init() throws { vonage = try VonageWorld() }

  private static let own = "api_key=abcd1234&api_secret=sandboxSecret001"
  private static let start = "\(own)&number=12025550150&brand=Acme"

  private func get(_ path: String, _ query: String) throws -> Exchange {
    try vonage.world.send(.to("/vonage/verify/\(path)?\(query)"))
  }

  private func started() throws -> String {
    try id(of: get("json", Self.start))
  }

  private func id(of started: Exchange) throws -> String {
    try Fields(Array(started.answer.dropFirst(4).utf8)).string("request_id")
  }

  /// The error as text, such as `16 The code inserted does not match the expected value`; `+ id` if it names
  /// a request.
  private func error(_ path: String, _ query: String = own) throws -> String {
    let answer = try get(path, query).answer
    let fields = try Fields(Array(answer.dropFirst(4).utf8))
    let named = fields.has("request_id") ? " + id" : ""
    return try "\(fields.string("status")) \(fields.string("error_text"))\(named)"
  }

  @Test("46 B2: all operations are available by GET")
  func byGet() throws {
    let started = try get("json", Self.start)
    started.matches(golden: "started")
    let id = try id(of: started)
    let checked = try get("check/json", "\(Self.own)&request_id=\(id)&code=\(vonage.code())")
    checked.matches(golden: "right")
    let payment = try get("psd2/json", "\(Self.own)&number=12025550150&payee=Shop&amount=9.99")
    payment.matches(golden: "started")
    let wrong = try get("check/json", "\(Self.own)&request_id=\(id)&code=0000")
    wrong.matches(golden: "unknown")

    #expect(try [started, checked, payment, wrong].map { try $0.legacyStatus() } == ["0", "0", "0", "6"])
    #expect(try vonage.inbox().map(\.text).last?.hasSuffix("to pay 9.99 EUR to Shop.") == true)
  }

  @Test(
    "46 B3: the journal has the reason of a refusal, whose status is 200",
    arguments: [
      (
        "number=banana&brand=Acme",
        #"number: expected a phone number such as 12025550100, without letters; found "banana""#
      ),
      (
        "number=12025550150&brand=Acme&country=XX",
        #"country: expected two letters of ISO 3166-1 such as US; found "XX""#
      ),
      ("number=12025550150", "Missing brand"),
      ("number=12025550150&brand=Acme&code_length=5", "code_length: expected 4 or 6"),
    ])
  func reasons(query: String, why: String) throws {
    #expect(try get("json", "\(Self.own)&\(query)").why == why)
  }

  @Test(
    "46 B3: errors of a start",
    arguments: [
      ("number=1&brand=Acme", "2 Missing api_key"), ("api_key=&brand=Acme", "2 Missing api_key"),
      ("api_key=abcd1234&brand=Acme", "2 Missing api_secret"), ("\(own)&brand=Acme", "2 Missing number"),
      ("\(own)&number=12025550150", "2 Missing brand"),
      ("\(own)&number=banana&brand=Acme", "3 Invalid value for param: number"),
      ("\(own)&number=12025550150abc&brand=Acme", "3 Invalid value for param: number"),
      ("\(start)&country=QQ", "3 Invalid value for param: country"),
      ("\(start)&country=FR", "3 Invalid value for param: number"),
      ("\(start)&code_length=5", "3 Invalid value for param: code_length. The allowed values are 4 and 6."),
      ("\(start)&code_length=x", "3 Invalid value for param: code_length"),
      ("\(start)&sender_id=123456789012", "3 Invalid value for param: sender_id. Parameter is too long."),
      ("\(start)123456789012345", "3 Invalid value for param: brand. Parameter is too long."),
      ("\(start)&pin_code=1234", "20 This account does not support the parameter: pin_code."),
      ("api_key=abcd1234&api_secret=x&number=1", "4 Invalid credentials were provided"),
    ])
  func errorsOfStart(query: String, expected: String) throws {
    #expect(try error("json", query) == expected)
  }

  @Test("46 B3: errors about a request name it only where it is in progress")
  func errorsOfRequests() throws {
    let id = try started()
    let about = "\(Self.own)&request_id=\(id)"
    let wrong = try vonage.wrong()
    let unable = "6 The Vonage platform was unable to process this message for the following reason:"

    #expect(
      try error("json", Self.start)
        == "10 Concurrent verifications to the same number are not allowed + id")
    #expect(
      try error("control/json", "\(about)&cmd=cancel")
        == "19 Verification request ['\(id)'] can't be cancelled within the first 30 seconds.")
    for _ in 1...2 {
      #expect(
        try error("check/json", "\(about)&code=\(wrong)")
          == "16 The code inserted does not match the expected value + id")
    }
    #expect(
      try error("check/json", "\(about)&code=\(wrong)")
        == "17 The wrong code was provided too many times. Request terminated")
    #expect(
      try error("check/json", "\(about)&code=\(wrong)")
        == "\(unable) Request '\(id)' was not found or it has been verified already.")
    #expect(
      try error("control/json", "\(about)&cmd=cancel")
        == "6 The requestId '\(id)' does not exist or its no longer active.")
    #expect(try error("search/json", "\(Self.own)&request_id=0") == "101 No response found")
    #expect(try error("search/json") == "\(unable) Wrong parameters.")
  }

  @Test(
    "46 B3: errors of check, search and control",
    arguments: [
      ("check/json", "\(own)&request_id=1", "2 Missing code"), ("check/json", own, "2 Missing request_id"),
      ("check/json", "\(own)&request_id=1&code=12%2034", "3 The code contains invalid characters"),
      ("check/json", "\(own)&request_id=1&code=12", "3 Invalid value for param: code"),
      (
        "check/json", "\(own)&code=1234&request_id=\(String(repeating: "a", count: 33))",
        "3 Invalid value for param: request_id"
      ),
      (
        "search/json", own + String(repeating: "&request_ids=1", count: 11),
        "18 Too many request_ids provided"
      ),
      ("check/json", "request_id=1", "2 Missing api_key"), ("search/json", "", "2 Missing api_key"),
      ("check/json", "api_key=abcd1234&api_secret=x", "4 Bad credentials"),
      ("search/json", "api_key=abcd1234&api_secret=x", "4 Bad credentials"),
      ("control/json", "api_key=abcd1234&api_secret=x", "4 Bad credentials"),
      ("psd2/json", "api_key=abcd1234&api_secret=x", "4 Invalid credentials were provided"),
    ])
  func otherErrors(path: String, query: String, expected: String) throws {
    #expect(try error(path, query) == expected)
  }

  @Test("46 B3: control refuses what it cannot do")
  func control() throws {
    let about = "\(Self.own)&request_id=\(try started())"
    #expect(try error("control/json", "\(about)&cmd=stop") == "3 Invalid parameter found: cmd")
    for _ in 1...2 { _ = try get("control/json", "\(about)&cmd=trigger_next_event") }
    #expect(
      try error("control/json", "\(about)&cmd=trigger_next_event")
        .hasPrefix("19 No more events are left to execute for the request ['"))
    try vonage.advance(31)
    #expect(
      try error("control/json", "\(about)&cmd=cancel")
        .hasSuffix("can't be cancelled now. Too many attempts to re-deliver have already been made."))
  }

  @Test(
    "46 B3: the element of an error in XML is that of the operation",
    arguments: [
      ("xml", "verify_response"), ("check/xml", "verify_response"), ("search/xml", "verify_request"),
      ("control/xml", "response"),
    ])
  func elements(path: String, root: String) throws {
    let answer = try get(path, "")

    #expect(answer.headers["Content-Type"] == "text/xml; charset=utf-8")
    let error = "<status>2</status><error_text>Missing api_key</error_text>"
    #expect(answer.answer.contains("<\(root)>\(error)</\(root)>"))
  }

  @Test("46 B4: fractions of JSON numbers are read")
  func fractions() throws {
    func send(_ path: String, _ more: String) throws -> String {
      try vonage.post(
        "/vonage/verify/\(path)", #"{"number":12025550150,\#(more)}"#, as: VonageWorld.basic
      ).legacyStatus()
    }

    #expect(try send("json", #""brand":"Acme","code_length":6.5"#) == "3")
    #expect(try send("psd2/json", #""payee":"Shop","amount":-0.5"#) == "3")
    #expect(try send("psd2/json", #""payee":"Shop","amount":99.99,"code_length":6.0"#) == "0")
    #expect(try vonage.inbox().map(\.text) == ["Code \(try vonage.code()) to pay 99.99 EUR to Shop."])
    #expect(try vonage.code().count == 6)
  }

  @Test(
    "46 B4: what is no text in JSON is refused by its name, not ignored",
    arguments: [
      (#"{"number":12025550150,"brand":["Acme"]}"#, "brand"), (#"{"number":{},"brand":"Acme"}"#, "number"),
      (#"{"number":12025550150,"brand":"Acme","workflow_id":[4]}"#, "workflow_id"),
      (#"{"number":12025550150,"brand":"Acme","country":["US"]}"#, "country"),
      (#"{"number":12025550150,"#, "body"),
    ])
  func wrongTypes(body: String, name: String) throws {
    let answer = try vonage.post("/vonage/verify/json", body, as: VonageWorld.basic).answer
    #expect(answer.contains(#""status":"3","error_text":"Invalid value for param: \#(name)""#))
  }

  @Test("46 B8: a setting lets the request choose the code, also with a hyphen")
  func pinCode() throws {
    try vonage.configure(#""pinCode":"accept""#)
    #expect(try error("json", "\(Self.start)&pin_code=1") == "3 Invalid value for param: pin_code")
    let id = try id(of: get("json", "\(Self.start)&pin_code=AKFG-3424"))

    #expect(try vonage.code() == "AKFG-3424")
    #expect(try get("check/json", "\(Self.own)&request_id=\(id)&code=AKFG-3424").legacyStatus() == "0")
  }

  @Test(
    "numbers as people write them",
    arguments: [
      ("%2B1%20(202)%20555-0150", "", "12025550150"), ("0012025550150", "", "12025550150"),
      ("2025550150", "US", "12025550150"), ("1%20202.555.0150", "us", "12025550150"),
      ("07700%20900123", "GB", "447700900123"), ("7700900123", "GB", "447700900123"),
      ("%2B447700900123", "GB", "447700900123"), ("0639980050", "FR", "33639980050"),
      ("0612345678", "IT", "390612345678"),
    ])
  func numbers(text: String, country: String, digits: String) throws {
    let query = "\(Self.own)&brand=Acme&number=\(text)\(country.isEmpty ? "" : "&country=\(country)")"

    let id = try id(of: get("json", query))
    let record = try get("search/json", "\(Self.own)&request_id=\(id)").answer
    #expect(record.contains(#""number":"\#(digits)""#))
  }
}
