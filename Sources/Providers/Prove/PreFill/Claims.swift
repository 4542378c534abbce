import ProviderKit

/// What a client says about a person to fetch the data. Source: contract 7.1.
struct PersonClaims: Equatable, Sendable {
  /// `1981-01-17`, `1981-01` or `01-17`
  var birthDate: String?
  /// Nine digits, or the last four.
  var ssn: String?

  static let schema = Schema<PersonClaims>([
    .optional("dob", \.birthDate, .string),
    .optional("ssn", \.ssn, .string),
  ])

  init() {}

  init(_ body: Body) throws {
    birthDate = try body.text("dob")
    if let birthDate, !Self.isDate(birthDate) {
      throw APIError.malformed("dob", expected: "YYYY-MM-DD, YYYY-MM or MM-DD")
    }
    // Very old clients send `last4SSN`.
    ssn = try body.text("ssn") ?? body.text("last4SSN")
    if let ssn, !(ssn.utf8.allSatisfy(\.isDigit) && [4, 9].contains(ssn.utf8.count)) {
      throw APIError.malformed("ssn", expected: "nine digits, or the last four")
    }
  }

  var isEmpty: Bool { birthDate == nil && ssn == nil }

  /// The same with what another request adds.
  func merged(with newer: PersonClaims) -> PersonClaims {
    var claims = newer
    claims.birthDate = newer.birthDate ?? birthDate
    claims.ssn = newer.ssn ?? ssn
    return claims
  }

  func failures(against person: Person) -> [FraudCode] {
    var codes: [FraudCode] = []
    if let ssn, !person.hasSSN(ssn) { codes.append(.ssnMismatch) }
    if let birthDate, !person.isBorn(on: birthDate) { codes.append(.birthDateMismatch) }
    return codes
  }

  private static func isDate(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    return [[4, 2, 2], [4, 2], [2, 2]].contains(parts.map(\.utf8.count))
      && parts.allSatisfy { $0.utf8.allSatisfy(\.isDigit) }
  }
}

/// The member `individual` of a request. Only the first address and email address count. Source: contract
/// 7.1.
struct IndividualClaims {
  private let firstName: String?
  private let lastName: String?
  private let claims: PersonClaims
  private let postalCode: String?

  init(_ individual: Body) throws {
    firstName = try individual.text("firstName")
    lastName = try individual.text("lastName")
    claims = try PersonClaims(individual)
    _ = try individual.fields.optionalStrings("emailAddresses")
    let addresses = try individual.fields.optionalObjects("addresses", atMost: SandboxLimits.items) ?? []
    for address in addresses { Body(address).declare("address", "extendedAddress", "city", "region") }
    postalCode = try addresses.first.flatMap { try Body($0).text("postalCode") }
    for address in addresses.dropFirst() { Body(address).declare("postalCode") }
  }

  /// First and last name must match the person's; other claims only if they are given.
  func failures(against person: Person) -> [FraudCode] {
    var codes = claims.failures(against: person)
    if firstName == nil || lastName == nil { codes.append(.tooFewElements) }
    if !person.isNamed(firstName, lastName) { codes.append(.nameMismatch) }
    if let postalCode, !person.livesIn(postalCode: postalCode) { codes.append(.addressMismatch) }
    return codes
  }
}

extension Person {
  /// The members of `individual` in a response.
  func write(to json: inout JSONWriter) {
    if !firstName.isEmpty { json.member("firstName", firstName) }
    if !lastName.isEmpty { json.member("lastName", lastName) }
    if let birthDate { json.member("dob", birthDate) }
    if let ssn { json.member("ssn", ssn) }
    if let emailAddress { json.member("emailAddresses", [emailAddress]) }
    guard !addresses.isEmpty else { return }
    json.array("addresses", addresses) { json, address in
      json.value { address.write(to: &$0, postalCode: "postalCode") }
    }
  }
}

/// The members `idv` and `kyc`, for clients with that add-on. Source: contract 7.1.
struct IdentityReport {
  let failures: [FraudCode]

  private func agrees(_ code: FraudCode) -> Bool { !failures.contains(code) }

  /// 0 to 100.
  private func score(_ code: FraudCode) -> Int { agrees(code) ? 100 : 0 }

  private var confidence: String { failures.isEmpty ? "high" : "low" }

  func write(to json: inout JSONWriter) {
    json.object("idv") {
      $0.member("multiCIPConfidence", confidence)
      $0.object("dataSource1", writeSource)
    }
    json.object("kyc") { $0.member("totalHits", 0) }
  }

  private func writeSource(to json: inout JSONWriter) {
    let livesThere = agrees(.addressMismatch)
    json.object("address") {
      $0.member("addressScore", score(.addressMismatch))
      $0.member("streetNumber", score(.addressMismatch))
      $0.member("street", livesThere)
      $0.member("city", livesThere)
      $0.member("region", livesThere)
      $0.member("postalCode", livesThere)
    }
    json.member("cipConfidence", confidence)
    json.object("identifiers") {
      $0.member("dob", agrees(.birthDateMismatch))
      $0.member("ssn", agrees(.ssnMismatch))
      $0.member("last4", agrees(.ssnMismatch))
    }
    json.object("name") {
      $0.member("firstName", score(.nameMismatch))
      $0.member("lastName", score(.nameMismatch))
      $0.member("nameScore", score(.nameMismatch))
    }
    if !failures.isEmpty { json.member("reasonCodes", failures.map { String($0.rawValue) }) }
  }
}
