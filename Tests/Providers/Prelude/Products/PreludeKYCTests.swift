import Domain
import HTTP
import Support
import Testing

@Suite("Prelude · KYC match", .contract("prelude.md 9"))
struct PreludeKYCTests {
  private let prelude: PreludeWorld
  private static let path = "/v2/intel/kyc/match/+33639980050"

  init() throws {
    prelude = try PreludeWorld()
    try prelude.seed(
      #"""
      {"subscribers":[{"number":"+33639980050","email":"eloise@example.com","kyc":{
        "givenName":"Éloïse","familyName":"de la Forêt","birthdate":"1990-02-28","country":"FR",
        "address":"12, rue de l'Échelle","postalCode":"75001","locality":"Paris"}}]}
      """#)
  }

  private func match(_ claims: String, _ path: String = path) throws -> Exchange {
    try prelude.post(path, "{\(claims)}")
  }

  private func verdicts(_ claims: String) throws -> String {
    let answer = try match(claims).answer
    let start = try #require(answer.firstRange(of: #""operator":"Wren Mobile""#)).upperBound
    let end = try #require(answer.firstRange(of: #","request_id""#)).lowerBound
    return String(answer[start..<end].dropFirst())
  }

  @Test("each attribute of the request has a result in the provider's order, and a score if it differs")
  func matched() throws {
    let exchange = try match(
      #""given_name":"Eloise","family_name":"Laforet","birthdate":"1990-02-28","region":"IDF","postal_code":"75002""#
    )

    exchange.matches(golden: "mixed")
    #expect(
      exchange.answer.contains(
        #"{"phone_number":"+33639980050","country_code":"FR","operator":"Wren Mobile","#
          + #""birthdate_match":"true","family_name_match":"false","family_name_match_score":64,"#
          + #""given_name_match":"true","postal_code_match":"false","region_match":"not_available","request_id":""#
      ))
  }

  @Test(
    "names and addresses are compared without case, accents and punctuation",
    arguments: [
      (#""given_name":"ÉLOÏSE""#, #""given_name_match":"true""#),
      (#""given_name":"E\u0301loi\u0308se""#, #""given_name_match":"true""#),
      (#""address":"12 Rue de l Echelle""#, #""address_match":"true""#),
      (#""locality":" paris ""#, #""locality_match":"true""#),
      (#""email":"Eloise@Example.com""#, #""email_match":"true""#),
      (#""locality":"Lyon""#, #""locality_match":"false","locality_match_score":0"#),
      (#""given_name":"Eloisa""#, #""given_name_match":"false","given_name_match_score":84"#),
    ])
  func fuzzy(claim: String, verdict: String) throws {
    #expect(try verdicts(claim) == verdict)
  }

  @Test(
    "birthdate, country and postal code are compared exactly and have no score",
    arguments: [
      (#""birthdate":"1990-02-27""#, #""birthdate_match":"false""#),
      (#""country":"FR""#, #""country_match":"true""#), (#""country":"fr""#, #""country_match":"false""#),
      (#""postal_code":"75 001""#, #""postal_code_match":"false""#),
    ])
  func exact(claim: String, verdict: String) throws {
    #expect(try verdicts(claim) == verdict)
  }

  @Test("attributes that are not in the request have no result")
  func nothingAsked() throws {
    #expect(try verdicts("") == "")
    #expect(try verdicts(#""given_name":null,"family_name":"""#) == "")
  }

  @Test("without a record of the person nothing is available")
  func unknownPerson() throws {
    let exchange = try match(#""given_name":"Eloise""#, "/v2/intel/kyc/match/%2B33639980051")

    #expect(exchange.answer.contains(#""given_name_match":"not_available""#))
  }

  @Test("attributes must be strings, and the birthdate a day")
  func malformed() throws {
    let date = try match(#""birthdate":"1990-02-30""#)

    date.matches(golden: "no-such-day")
    #expect(try date.preludeError() == "400 invalid_date_format birthdate")
    #expect(try match(#""email":1"#).preludeError() == "400 invalid_request email")
    #expect(
      try match("", "/v2/intel/kyc/match/0612345678").preludeError() == "400 invalid_phone_number phone")
  }

  @Test("only operators of the configured countries answer; without countries KYC match is forbidden")
  func countries() throws {
    let american = "/v2/intel/kyc/match/+12025550100"

    #expect(try match("", american).preludeError() == "400 unsupported_country phone")
    try prelude.configure(#""kycCountries":["US"]"#)
    #expect(
      try match("", american).answer.hasPrefix(#"200 {"phone_number":"+12025550100","country_code":"US""#))
    #expect(try match("").preludeError() == "400 unsupported_country phone")
    try prelude.configure(#""kycCountries":[]"#)
    #expect(try match("").preludeError() == "403 forbidden")
  }
}
