import Domain
import HTTP
import JSON
import Support
import Testing

@testable import Prove

@Suite("Prove · verify", .contract("prove.md 7.2"))
struct ProveVerifyTests {
  private func body(_ number: String, _ type: String = "accountOpening", _ more: String = "") -> String {
    #"{"phoneNumber":"\#(number)","verificationType":"\#(type)"\#(more)}"#
  }

  private func named(_ first: String, _ last: String) -> String {
    #","firstName":"\#(first)","lastName":"\#(last)""#
  }

  @Test("a passing user is enrolled and gets an assurance level with reasons")
  func passes() throws {
    let prove = try ProveWorld()
    let passed = try prove.call(
      .post, "/v3/verify",
      body(
        "2001004049", "accountOpening",
        named("bettina", "HALBERT")
          + #","clientRequestId":"r1","clientCustomerId":"c1","clientHumanId":"h1","userAgent":"x""#))

    passed.matches(golden: "passed")
    let id = try prove.fields(of: passed).string("proveId")
    #expect(try prove.call(.get, "/v3/identity").answer.contains(id))
  }

  @Test("a failing user, and another name, fail with level 0", arguments: [("2001004054", "Alf", "Novotni")])
  func fails(number: String, first: String, last: String) throws {
    let prove = try ProveWorld()

    try prove.call(.post, "/v3/verify", body(number, "accountOpening", named(first, last)))
      .matches(golden: "failed")
    let other = try prove.call(
      .post, "/v3/verify", body("2001004049", "verifiedUser", named("Eve", "Halbert")))
    #expect(other.answer.hasPrefix(#"200 {"success":"false""#))
    #expect(other.answer.contains(#""failureReasons":{"9014":"#))
    #expect(other.why == "the name does not match that of test user +12001004049")
  }

  @Test("other identities of the number have reasons too, even if there are none")
  func additional() throws {
    let answer = try ProveWorld().call(.post, "/v3/verify", body("2001004053", "humanAssurance")).answer

    #expect(
      answer.contains(
        #""additionalIdentities":[{"firstName":"Elias","lastName":"Coldman","assuranceLevel":"AL-1","reasons":[]}"#
      ))
  }

  @Test("Pre-Fill data are in answers of that type only")
  func preFill() throws {
    let prove = try ProveWorld()

    try prove.call(.post, "/v3/verify", body("2001004011", "prefill")).matches(golden: "prefill")
    let other = try prove.call(.post, "/v3/verify", body("2001004011", "humanAssurance"))
    #expect(!other.answer.contains("148882298"))
  }

  @Test("numbers of Europe have a plus sign or not", arguments: ["447968900002", "+447968900002"])
  func europe(number: String) throws {
    let answer = try ProveWorld().call(.post, "/v3/verify", body(number, "humanAssurance")).answer

    #expect(answer.contains(#""phoneNumber":"\#(number)""#))
    #expect(answer.hasPrefix(#"200 {"success":"true""#))
  }

  @Test(
    "a wrong request names the field",
    arguments: [
      (#"{"phoneNumber":"","verificationType":"prefill"}"#, "field 'phoneNumber' is missing"),
      (#"{"phoneNumber":"2001004049"}"#, "field 'verificationType' is missing"),
      (
        #"{"phoneNumber":"2001004049","verificationType":"x"}"#,
        "field 'verificationType' is invalid: expected one of humanAssurance, verifiedUser, accountOpening, prefill, prefillForBiz, identityResolution"
      ),
      (
        #"{"phoneNumber":"2001004049","verificationType":"accountOpening"}"#,
        "field 'firstName' is missing"
      ),
      (
        #"{"phoneNumber":"abc","verificationType":"prefill"}"#,
        "field 'phoneNumber' is invalid: expected 10 digits in the US and Canada, else + and country code"
      ),
    ])
  func wrong(body: String, message: String) throws {
    #expect(
      try ProveWorld().call(.post, "/v3/verify", body).answer
        == #"400 {"code":8001,"message":"\#(message)"}"#)
  }

  @Test("a batch answers in the order of its items, with errors in their place", .contract("prove.md 7.3"))
  func batch() throws {
    let prove = try ProveWorld()
    func item(_ number: String, _ first: String, _ last: String, _ more: String = "") -> String {
      body(number, "accountOpening", named(first, last) + more)
    }
    let items = [
      item("2001004049", "Bettina", "Halbert", #","clientCustomerId":"c1""#),
      item("2001009011", "Kurt", "Mathen"), item("2125550100", "No", "Body"),
    ]
    try prove.call(
      .post, "/v3/verify/batch", "{\"clientRequestId\":\"r1\",\"items\":[\(items.joined(separator: ","))]}"
    ).matches(golden: "mixed")

    #expect(
      try prove.call(.post, "/v3/verify/batch", "{}").answer
        == #"400 {"code":8001,"message":"field 'items' is missing"}"#)
    #expect(
      try prove.call(.post, "/v3/verify/batch", #"{"items":[{"firstName":"a"}]}"#).answer
        == #"400 {"code":8001,"message":"field 'lastName' is missing"}"#)
  }

  @Test("a seed scripts verify, and businesses are for their own type")
  func seeded() throws {
    let prove = try ProveWorld()
    try prove.seed(
      """
      {"testUsers":[{"number":"+12001004049","solutions":["verify"],"verify":{"assurance":{"level":"AL3"},
      "businesses":[{"businessName":"Halbert Tools","taxId":"123456789","businessAddress":[{"city":"Athens","postalCode":"30610"}]}]}}]}
      """)

    let answer = try prove.call(.post, "/v3/verify", body("2001004049", "prefillForBiz")).answer
    #expect(answer.contains(#""assuranceLevel":"AL3""#))
    #expect(
      answer.contains(
        #""businesses":[{"businessName":"Halbert Tools","taxId":"123456789","businessAddress":{"city":"Athens","zipCode":"30610"}}]"#
      ))
    #expect(
      !(try prove.call(.post, "/v3/verify", body("2001004049", "humanAssurance")).answer.contains("Tools")))
  }
}
