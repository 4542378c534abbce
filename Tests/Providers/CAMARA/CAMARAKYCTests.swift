import Domain
import HTTP
import JSON
import Support
import Testing

@testable import CAMARA

@Suite("CAMARA · facts about persons", .contract("camara.md 9"))
struct CAMARAKYCTests {
  let camara: CAMARAWorld

  init() throws {
    camara = try CAMARAWorld()
    try camara.subscriber(
      CAMARAWorld.a,
      #"""
      {"email":"ada@example.com","activatedAt":"2020-01-01","contract":"Business","kyc":{
        "idDocument":"66666666q","idDocumentType":"passport","idDocumentExpiryDate":"2030-01-31",
        "givenName":"Martha","familyName":"Dixon","birthdate":"2008-01-05","country":"GB","postalCode":"BA1",
        "cityOfBirth":"Bath","countryOfBirth":"GB","nationality":"GB","gender":"FEMALE"}}
      """#)
  }

  private func match(_ members: String, as number: String? = nil) throws -> Exchange {
    try camara.ask(
      "/kyc-match/v0.4/match", number == nil ? about(CAMARAWorld.a, members) : "{\(members)}", as: number)
  }

  @Test("M43: equal values match, near ones have a higher score than far ones, and nothing else is said")
  func match() throws {
    let exchange = try match(
      #""givenName":" MARTHA ","familyName":"Dicksonx","idDocumentType":"other","postalCode":"BA2","region":"Avon""#
    )
    let far = try camara.fields(of: match(#""familyName":"Quill""#))

    exchange.matches(golden: "mixed")
    #expect(
      exchange.answer
        == #"200 {"idDocumentTypeMatch":"false","givenNameMatch":"true","familyNameMatch":"false","#
        + #""familyNameMatchScore":81,"postalCodeMatch":"false","regionMatch":"not_available"}"#)
    #expect(try far.int("familyNameMatchScore") < 81)
  }

  @Test("every member of the specification is compared")
  func all() throws {
    let exchange = try match(
      #""idDocument":"66666666Q","idDocumentType":"passport","idDocumentExpiryDate":"2030-01-31","#
        + #""birthdate":"2008-01-05","email":"ada@example.com","cityOfBirth":"bath","countryOfBirth":"GB","#
        + #""nationality":"GB","gender":"FEMALE","country":"GB""#)

    #expect(exchange.answer.split(separator: #":"true""#).count == 11)
  }

  @Test(
    "M44: a body with nothing to compare is refused",
    arguments: [
      ("{}", "400 INVALID_ARGUMENT"),
      (about(CAMARAWorld.a), "400 KNOW_YOUR_CUSTOMER.INVALID_PARAM_COMBINATION"),
      (about(CAMARAWorld.a, #""birthdate":"1978-02-30""#), "400 INVALID_ARGUMENT"),
      (about(CAMARAWorld.a, #""gender":"F""#), "400 INVALID_ARGUMENT"),
      (#"{"givenName":"Martha"}"#, "422 MISSING_IDENTIFIER"),
    ])
  func nothing(body: String, error: String) throws {
    let exchange = try camara.ask("/kyc-match/v0.4/match", body)

    if body == "{}" { exchange.matches(golden: "empty") }
    #expect(try camara.error(exchange) == error)
  }

  @Test("M44: an operator may demand the number of an identity document")
  func document() throws {
    try camara.configure(#""idDocumentRequired":true"#)

    #expect(
      try camara.error(match(#""givenName":"Martha""#)) == "403 KNOW_YOUR_CUSTOMER.ID_DOCUMENT_REQUIRED")
    #expect(
      try camara.error(match(#""idDocument":"1","givenName":"Martha""#))
        == "403 KNOW_YOUR_CUSTOMER.ID_DOCUMENT_MISMATCH")
    #expect(try match(#""idDocument":"66666666Q""#).answer == #"200 {"idDocumentMatch":"true"}"#)
  }

  @Test("M45: a number may repeat that of the token")
  func tokenContext() throws {
    let members = #""phoneNumber":"\#(CAMARAWorld.a)","givenName":"Martha""#

    #expect(try match(members, as: CAMARAWorld.a).answer == #"200 {"givenNameMatch":"true"}"#)
    #expect(try camara.error(match(members, as: CAMARAWorld.b)) == "403 INVALID_TOKEN_CONTEXT")
  }

  @Test("scores can be switched off")
  func noScores() throws {
    try camara.configure(#""matchScores":false"#)

    #expect(try match(#""familyName":"Dickson""#).answer == #"200 {"familyNameMatch":"false"}"#)
  }

  @Test(
    "similarity follows Jaro and Winkler",
    arguments: [
      ("MARTHA", "MARHTA", 96), ("DIXON", "DICKSONX", 81), ("JELLYFISH", "SMELLYFISH", 89),
      ("abc", "abc", 100),
      ("abc", "xyz", 0), ("", "a", 0), ("", "", 100), ("a", "a", 100), ("a", "b", 0),
    ])
  func similarity(one: String, other: String, percent: Int) {
    #expect(Int(100 * JaroWinkler.similarity(of: one, and: other)) == percent)
    #expect(Int(100 * JaroWinkler.similarity(of: other, and: one)) == percent)
  }

  private func tenure(_ day: String) throws -> Exchange {
    try camara.ask("/kyc-tenure/v0.2/check-tenure", about(CAMARAWorld.a, #""tenureDate":"\#(day)""#))
  }

  @Test("M46: a contract has run since its first day")
  func tenure() throws {
    let exchange = try tenure("2020-01-01")

    exchange.matches(golden: "since")
    #expect(exchange.answer == #"200 {"tenureDateCheck":true,"contractType":"Business"}"#)
    #expect(try tenure("2019-12-31").answer == #"200 {"tenureDateCheck":false,"contractType":"Business"}"#)
    #expect(try camara.error(tenure("2026-01-06")) == "400 OUT_OF_RANGE")
    #expect(try camara.error(tenure("yesterday")) == "400 INVALID_ARGUMENT")
  }

  private func age(_ more: String = #""ageThreshold":18"#) throws -> Exchange {
    try camara.ask("/kyc-age-verification/v0.2/verify", about(CAMARAWorld.a, more))
  }

  @Test("M47: a person is of age from the birthday on", arguments: ["true", "false", "not_available"])
  func age(word: String) throws {
    let birthdays = ["true": #""2008-01-05""#, "false": #""2008-01-06""#, "not_available": "null"]
    try camara.subscriber(CAMARAWorld.a, #"{"kyc":{"birthdate":\#(try #require(birthdays[word]))}}"#)

    let exchange = try age()

    exchange.matches(golden: "\(word)")
    #expect(exchange.answer == #"200 {"ageCheck":"\#(word)","verifiedStatus":true}"#)
  }

  @Test(
    "M47: a threshold is an integer up to 120",
    arguments: [
      (#""ageThreshold":121"#, "400 OUT_OF_RANGE"), (#""ageThreshold":-1"#, "400 OUT_OF_RANGE"),
      (#""ageThreshold":"18""#, "400 INVALID_ARGUMENT"), ("", "400 INVALID_ARGUMENT"),
      (#""ageThreshold":18,"includeContentLock":"yes""#, "400 INVALID_ARGUMENT"),
    ])
  func threshold(members: String, error: String) throws {
    #expect(try camara.error(age(members)) == error)
  }

  @Test("M47: an operator may have a lowest threshold")
  func ageMinimum() throws {
    try camara.configure(#""ageMinimum":18"#)

    #expect(try camara.error(age(#""ageThreshold":17"#)) == "400 OUT_OF_RANGE")
    #expect(try age(#""ageThreshold":18"#).answer.hasPrefix("200"))
  }

  @Test("locks are said only if they are asked for, and names have one score")
  func locks() throws {
    try camara.subscriber(CAMARAWorld.a, #"{"contentLock":true}"#)

    #expect(
      try age(
        #""ageThreshold":18,"givenName":"Martha","familyName":"Dicksonx","includeContentLock":true,"#
          + #""includeParentalControl":true"#
      ).answer
        == #"200 {"ageCheck":"true","verifiedStatus":true,"identityMatchScore":90,"contentLock":"true","#
        + #""parentalControl":"not_available"}"#)
  }
}
