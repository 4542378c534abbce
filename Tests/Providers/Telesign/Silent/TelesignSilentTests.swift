import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Telesign · Silent Verify", .contract("telesign.md 6"))
struct TelesignSilentTests {
  private let telesign: TelesignWorld

  init() throws { telesign = try TelesignWorld() }

  private func initiate(_ digits: String = TelesignWorld.number) throws -> Exchange {
    try telesign.send(
      .post, "/silent/initiate", json: #"{"phone_number":"\#(digits)","external_id":"mine"}"#)
  }

  private func finalize(
    _ reference: String, _ text: String, as customer: Headers = TelesignWorld.basic
  ) throws -> Exchange {
    try telesign.send(
      .post, "/silent/finalize",
      json: #"{"initiate_reference_id":"\#(reference)","verification":"\#(text)"}"#, as: customer)
  }

  private func path(_ url: String) -> String {
    url.replacing("http://127.0.0.1:5550", with: "")
  }

  /// Follows the URL of an initiation and returns the last response; `query` declares the handset of a trial.
  private func walk(_ initiated: Exchange, _ query: String = "") throws -> Exchange {
    let url = try initiated.members().string("verification_url")
    var exchange = try telesign.world.send(.to(path(url) + query))
    var hops = 0
    while let location = exchange.headers["Location"], hops < 20 {
      exchange = try telesign.world.send(.to(path(location)))
      hops += 1
    }
    return exchange
  }

  /// The status and code of `finalize` after the chain.
  private func finalizeAfterWalk(_ digits: String, _ query: String = "") throws -> String {
    let initiated = try initiate(digits)
    let text = try walk(initiated, query).answer.dropFirst(4).filter { $0 != "\n" }
    return try finalize(initiated.reference(), text.isEmpty ? "nothing" : text).errorCodes()
  }

  @Test("the text that a phone gets from the URL proves its number")
  func match() throws {
    let initiated = try initiate()
    initiated.matches(golden: "initiated")
    let url = try initiated.members().string("verification_url")
    try telesign.world.send(.to(path(url))).matches(golden: "redirect")
    let end = try walk(initiated)
    end.matches(golden: "proof")

    let answer = try finalize(initiated.reference(), String(end.answer.dropFirst(4)))

    answer.matches(golden: "matched")
    #expect(end.answer.wholeMatch(of: /200 [0-9a-f]{32}/) != nil)
    #expect(
      answer.answer.contains(#""external_id":"mine","status":{"code":4501,"description":"Success","#))
  }

  @Test("a reference id is a UUID of version 4, and resolves to its own verification only")
  func references() throws {
    for _ in 0..<20 {
      let reference = try initiate().reference()
      #expect(
        reference.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil
      )
    }
    for reference in ["0b6f6a0e-6d0e-4d0b-9a0e-3f2a6c1d9e77", "x", try initiate().reference().uppercased()] {
      #expect(try finalize(reference, "x").errorCodes() == "404 10011")
    }
  }

  @Test("a verification belongs to its customer")
  func owner() throws {
    let initiated = try initiate()
    let text = String(try walk(initiated).answer.dropFirst(4))
    let stranger = Request.basic("00000000-0000-4000-8000-000000000001", "x")

    #expect(
      try finalize(initiated.reference(), text, as: stranger).errorCodes() == "404 10011")
    #expect(try finalize(initiated.reference(), text).errorCodes() == "200 4501")
  }

  @Test(
    "for a known number the carrier's data decide",
    .contract("telesign.md 6, 15.1; carrier.md 4.6"),
    arguments: [
      ("12025550100", "200 4501"), ("12025550140", "200 4502"), ("12025550138", "400 40003"),
      ("12025550141", "503 45005"), ("12025550142", "408 40001"), ("12025550143", "503 45005"),
      ("12025550144", "503 45005"), ("15558670450", "200 4502"),
    ])
  func facts(digits: String, verdict: String) throws {
    #expect(try self.finalizeAfterWalk(digits) == verdict)
  }

  @Test(
    "a line whose operator does not support silent verification is rejected at once",
    arguments: ["12025550112", "12025550145", "12025550150", "33639980050"])
  func uncovered(digits: String) throws {
    #expect(try initiate(digits).errorCodes() == "400 40010")
  }

  @Test("a trial declares the handset and the bearer")
  func handsets() throws {
    #expect(try finalizeAfterWalk(TelesignWorld.number, "?sbx_handset=%2B12025550101") == "200 4502")
    #expect(try finalizeAfterWalk("12025550100", "?sbx_handset=%2B12025550100") == "200 4501")
    #expect(try finalizeAfterWalk("12025550100", "?sbx_bearer=wifi") == "400 40003")
    #expect(try finalizeAfterWalk("12025550100", "?sbx_outcome=noCoverage") == "400 40010")
    #expect(try finalizeAfterWalk("12025550100", "?sbx_outcome=userDenied") == "400 40003")
  }

  @Test("a scenario has priority over the number's default")
  func scenario() throws {
    try telesign.seed(
      #"{"subscribers":[{"number":"+15558675309","coversSilent":true,"scenarios":[{"outcome":"mismatch"}]}]}"#
    )

    #expect(try finalizeAfterWalk(TelesignWorld.number) == "200 4502")
  }

  @Test("a text from elsewhere proves nothing")
  func wrongText() throws {
    let (one, other) = (try initiate(), try initiate())
    let text = String(try walk(one).answer.dropFirst(4))

    #expect(try finalize(one.reference(), "guessed").errorCodes() == "200 4502")
    #expect(try finalize(other.reference(), text).errorCodes() == "200 4502")
    #expect(try finalize(one.reference(), text).errorCodes() == "200 4501")
    #expect(try finalize(one.reference(), text).errorCodes() == "200 4501", "it can be asked again")
  }

  @Test("a phone that skips the gateway proves nothing")
  func skipped() throws {
    let initiated = try initiate()
    let url = try initiated.members().string("verification_url")
    let text = try telesign.world.send(.to("\(path(url))/complete?grant=x")).answer.dropFirst(4)

    #expect(try finalize(initiated.reference(), String(text)).errorCodes() == "200 4502")
  }

  @Test("after five minutes it is too late")
  func late() throws {
    let initiated = try initiate()
    let text = String(try walk(initiated).answer.dropFirst(4))
    try telesign.advance(300)

    #expect(try finalize(initiated.reference(), text).errorCodes() == "400 40003")
  }

  @Test("missing or invalid parameters are rejected")
  func refusals() throws {
    let reference = try initiate().reference()

    try telesign.send(.post, "/silent/finalize", json: #"{"initiate_reference_id":"\#(reference)"}"#)
      .matches(golden: "without-verification")
    try initiate("abc").matches(golden: "no-number")
    try telesign.world.send(.to("/handset/telesign/silent/x")).matches(golden: "unknown")
    try telesign.world.send(.to("/handset/telesign/silent/x/complete")).matches(golden: "unknown")
    #expect(try telesign.send(.post, "/silent/initiate", json: "{}").errorCodes() == "400 10004")
    #expect(
      try telesign.send(.post, "/silent/finalize", json: #"{"verification":"x"}"#).errorCodes()
        == "400 10004")
    #expect(try initiate("15558670429").errorCodes() == "429 10019")
    #expect(
      try telesign.send(.post, "/silent/initiate", json: "{}", as: [:]).errorCodes() == "401 40002")
  }
}
