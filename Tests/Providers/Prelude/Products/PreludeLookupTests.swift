import Domain
import HTTP
import Support
import Testing

@Suite("Prelude · lookup", .contract("prelude.md 7, 16.1"))
struct PreludeLookupTests {
  private let prelude: PreludeWorld

  init() throws { prelude = try PreludeWorld() }

  private func lookUp(_ segment: String, _ query: String = "") throws -> Exchange {
    try prelude.get("/v2/lookup/\(segment)\(query)")
  }

  @Test("a lookup has the line and its networks")
  func line() throws {
    let exchange = try lookUp("+33639980050")

    exchange.matches(golden: "mobile")
    #expect(
      exchange.answer
        == #"200 {"phone_number":"+33639980050","country_code":"FR","line_type":"mobile","flags":[],"#
        + #""network_info":{"carrier_name":"Wren Mobile","mcc":"208","mnc":"99"},"#
        + #""original_network_info":{"carrier_name":"Wren Mobile","mcc":"208","mnc":"99"}}"#)
  }

  @Test("a plus in the path may be percent-encoded", arguments: ["+33639980005", "%2B33639980005"])
  func plus(segment: String) throws {
    let answer = try lookUp(segment).answer

    #expect(answer.contains(#""phone_number":"+33639980005""#))
    #expect(answer.contains(#""line_type":"mobile","flags":["ported"]"#))
  }

  @Test(
    "last digits choose the line type and the flags",
    arguments: [
      ("12", #""line_type":"fixed_line","flags":[]"#), ("13", #""line_type":"unknown","flags":[]"#),
      ("17", #""line_type":"mobile","flags":["temporary"]"#),
      ("55", #""line_type":"voip","flags":["temporary"]"#),
    ])
  func endings(ending: String, part: String) throws {
    #expect(try lookUp("+336399800\(ending)").answer.contains(part))
    #expect(try lookUp("+120255501\(ending)").answer.contains(part))
  }

  @Test(
    "every line type has a name of the provider's",
    arguments: [
      ("mobile", "mobile"), ("landline", "fixed_line"), ("fixed_voip", "voip"), ("non_fixed_voip", "voip"),
      ("toll_free", "toll_free"), ("premium", "premium_rate"), ("shared_cost", "shared_cost"),
      ("personal", "other"), ("pager", "pager"), ("voicemail", "voice_mail"), ("uan", "universal_access"),
      ("unknown", "unknown"),
    ])
  func lineTypes(type: String, word: String) throws {
    try prelude.seed(#"{"subscribers":[{"number":"+33639980017","lineType":"\#(type)"}]}"#)

    #expect(try lookUp("+33639980017").answer.contains(#""line_type":"\#(word)""#))
  }

  @Test("the carrier's record overrides the last digits")
  func record() throws {
    try prelude.seed(#"{"subscribers":[{"number":"+33639980013","lineType":"mobile"}]}"#)

    #expect(try lookUp("+33639980013").answer.contains(#""line_type":"mobile","flags":[]"#))
  }

  @Test("the header and a rule of the seed override both", .contract("prelude.md 16.1"))
  func scenario() throws {
    try prelude.seed(#"{"prelude":{"numbers":[{"number":"+33639980050","outcome":"shadow_blocked"}]}}"#)
    var headers = PreludeWorld.credentials
    headers.add("X-Sandbox-Scenario", "blocked_invalid_phone_line")

    let ruled = try lookUp("+33639980050").answer
    let asked = try prelude.get("/v2/lookup/+33639980050", as: headers).answer

    #expect(ruled.contains(#""line_type":"mobile","flags":["temporary"]"#))
    #expect(asked.contains(#""line_type":"fixed_line","flags":[]"#))
  }

  @Test("the original network of a ported number has no name")
  func ported() throws {
    try prelude.seed(
      #"{"subscribers":[{"number":"+33639980050","ported":true,"mcc":"208","mnc":"01","#
        + #""originalMcc":"208","originalMnc":"20","operator":"Heron"}]}"#)

    let answer = try lookUp("+33639980050").answer

    #expect(answer.contains(#""network_info":{"carrier_name":"Heron","mcc":"208","mnc":"01"}"#))
    #expect(answer.contains(#""original_network_info":{"mcc":"208","mnc":"20"}"#))
    #expect(answer.contains(#""flags":["ported"]"#))
  }

  @Test(
    "the caller name is returned on request",
    arguments: ["?type=cnam", "?type[]=cnam", "?type%5B%5D=cnam", "?type=cnam,cnam", "?type=cnam&type=cnam"])
  func callerName(query: String) throws {
    try seedPerson()

    #expect(try lookUp("+33639980050", query).answer.hasSuffix(#","caller_name":"ÉLOÏSE DE LA FO"}"#))
  }

  @Test(
    "the caller name is missing if it was not requested, is not enabled, or is unknown")
  func noCallerName() throws {
    #expect(try !lookUp("+33639980050", "?type=cnam").answer.contains("caller_name"))
    try seedPerson()
    #expect(try !lookUp("+33639980050").answer.contains("caller_name"))
    try prelude.configure(#""callerNames":false"#)
    #expect(try !lookUp("+33639980050", "?type=cnam").answer.contains("caller_name"))
  }

  @Test("an invalid number and an unknown feature are rejected")
  func rejected() throws {
    let number = try lookUp("0612345678")
    let feature = try lookUp("+33639980050", "?type=cnam,colour")

    number.matches(golden: "no-number")
    #expect(try number.preludeError() == "400 invalid_phone_number phone_number")
    #expect(try feature.preludeError() == "400 invalid_request type")
  }

  private func seedPerson() throws {
    try prelude.seed(
      #"{"subscribers":[{"number":"+33639980050","kyc":{"givenName":"Éloïse","familyName":"de la Forêt"}}]}"#)
  }
}
