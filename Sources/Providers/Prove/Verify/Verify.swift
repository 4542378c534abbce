import ProviderKit

// `POST /v3/verify` and `POST /v3/verify/batch`. Source: contract 7.2 and 7.3.

func verifyIdentity(_ context: RequestContext) throws -> Response {
  let body = try context.body
  let query = try VerifyQuery(body, context)
  let requestID = try body.text("clientRequestId")
  let result = try query.verify(in: context)
  let correlationID = IdentifierKind.correlation.new(in: context.sandbox)
  var response = Response.json(200) { json in
    json.member("success", result.passes ? "true" : "false")
    json.member("correlationId", correlationID)
    if let requestID { json.member("clientRequestId", requestID) }
    if let id = query.enrollment.clientCustomerID { json.member("clientCustomerId", id) }
    result.write(to: &json)
  }
  response.why = result.why
  return response
}

/// A missing member is an error of the whole request; other mistakes are errors of their item.
func verifyIdentities(_ context: RequestContext) throws -> Response {
  let body = try context.body
  guard let items = try body.fields.optionalObjects("items", atMost: maxBatchItems) else {
    throw APIError.missing("items")
  }
  let results = try items.map { try verifyItem(Body($0), in: context) }
  let requestID = try body.text("clientRequestId")
  let correlationID = IdentifierKind.correlation.new(in: context.sandbox)
  return .json(200) { json in
    json.member("correlationId", correlationID)
    if let requestID { json.member("clientRequestId", requestID) }
    guard !results.isEmpty else { return }
    json.array("results", results) { json, result in json.value(object: result.write) }
  }
}

private func verifyItem(_ item: Body, in context: RequestContext) throws -> BatchResult {
  // All required, whatever the type. Source: contract 7.3.
  for name in ["firstName", "lastName", "phoneNumber", "verificationType"] {
    _ = try item.requiredText(name)
  }
  let customerID = try item.text("clientCustomerId") ?? ""
  do {
    let query = try VerifyQuery(item, context)
    return BatchResult(customerID: customerID, outcome: .success(try query.verify(in: context)))
  } catch let error as APIError {
    let number = try item.requiredText("phoneNumber")
    return BatchResult(customerID: customerID, outcome: .failure(.init(number: number, error: error)))
  }
}

/// What a client wants to know. Source: contract 7.2.
enum VerificationType: String, CaseIterable {
  case humanAssurance
  case verifiedUser
  case accountOpening
  case prefill
  case prefillForBiz
  case identityResolution

  var needsName: Bool { self == .verifiedUser || self == .accountOpening }
}

/// A request of verify, or an item of a batch.
private struct VerifyQuery {
  let number: MobileNumber
  let type: VerificationType
  let firstName: String?
  let lastName: String?
  let enrollment: Enrollment

  init(_ body: Body, _ context: RequestContext) throws {
    let text = try body.requiredText("phoneNumber")
    type = try body.word("verificationType", of: VerificationType.self)
    firstName = try type.needsName ? body.requiredText("firstName") : body.text("firstName")
    lastName = try type.needsName ? body.requiredText("lastName") : body.text("lastName")
    enrollment = try Enrollment(body)
    body.declare("emailAddress", "ipAddress", "userAgent", "proveId")
    number = try MobileNumber(text, named: "phoneNumber", in: context)
  }

  func verify(in context: RequestContext) throws -> VerifyResult {
    let user = try TestUsers(.verify, of: context).user(of: number)
    var script = user.verify
    if script.passes, !user.person.isNamed(firstName, lastName) { script = .nameMismatch }
    let enrolled =
      script.passes ? try enrollment.enroll(number, for: context.client, in: context.sandbox) : nil
    let alias = context.sandbox.entropy.secret(
      "prove alias of \(user.number)", length: 64, of: .alphanumeric)
    return VerifyResult(
      query: self, user: user, script: script, enrolled: enrolled, alias: alias.uppercased())
  }
}

/// What verify found.
private struct VerifyResult {
  let query: VerifyQuery
  let user: TestUser
  /// `user.verify`, or its replacement if the name does not match.
  let script: VerifyScript
  /// Nil unless verify passed. Passing numbers are enrolled. Source: contract 7.2.
  let enrolled: Identity?
  let alias: String

  var passes: Bool { enrolled != nil }

  /// For the journal.
  var why: String? {
    guard !passes else { return nil }
    return script == user.verify
      ? "the script of test user \(user.number)"
      : "the name does not match that of test user \(user.number)"
  }
}

extension VerifyScript {
  /// Source: contract 9.6.
  fileprivate static let nameMismatch: VerifyScript = {
    var script = VerifyScript()
    script.passes = false
    script.assurance = Assurance(level: .zero, reasons: ["AL0b"])
    script.failures = [.nameMismatch]
    return script
  }()

  fileprivate var evaluation: Evaluation {
    var evaluation = passes ? Evaluation.passed(.authentication, .risk) : .passed()
    for code in failures { evaluation.fail(code) }
    return evaluation
  }
}

extension VerifyResult {
  /// The members that a single result and an item of a batch have in common.
  func write(to json: inout JSONWriter) {
    json.member("phoneNumber", query.number.text)
    if let id = query.enrollment.clientHumanID { json.member("clientHumanId", id) }
    if let enrolled { json.member("proveId", enrolled.proveID) }
    json.member("provePhoneAlias", alias)
    json.member("isEnrolled", passes)
    json.object("identity", writeIdentity)
    if !script.additionalIdentities.isEmpty {
      json.array("additionalIdentities", script.additionalIdentities) { json, person in
        json.value {
          $0.member("firstName", person.firstName)
          $0.member("lastName", person.lastName)
          person.assurance.write(to: &$0)
        }
      }
    }
    if query.type == .prefillForBiz, passes, !script.businesses.isEmpty {
      json.array("businesses", script.businesses) { json, business in json.value(object: business.write) }
    }
    script.evaluation.write(to: &json)
  }

  private func writeIdentity(to json: inout JSONWriter) {
    let person = user.person
    if passes, !person.firstName.isEmpty { json.member("firstName", person.firstName) }
    if passes, !person.lastName.isEmpty { json.member("lastName", person.lastName) }
    if passes, query.type == .prefill {
      if let birthDate = person.birthDate { json.member("dateOfBirth", birthDate) }
      if let ssn = person.ssn { json.member("nationalId", ssn) }
      if let emailAddress = person.emailAddress { json.member("emails", [emailAddress]) }
      if !person.addresses.isEmpty {
        json.array("addresses", person.addresses) { json, address in
          json.value { address.write(to: &$0, postalCode: "zipCode") }
        }
      }
    }
    script.assurance.write(to: &json)
  }
}

/// Source: contract 7.3.
private struct BatchResult {
  struct Failure: Error {
    let number: String
    let error: APIError
  }

  let customerID: String
  let outcome: Result<VerifyResult, Failure>

  func write(to json: inout JSONWriter) {
    json.member("clientCustomerId", customerID)
    switch outcome {
    case .success(let result):
      json.member("success", result.passes ? "true" : "false")
      json.member("assuranceLevel", result.script.assurance.level.rawValue)
      result.write(to: &json)
    case .failure(let failure):
      json.member("success", "false")
      json.member("assuranceLevel", Assurance.Level.minusOne.rawValue)
      json.member("phoneNumber", failure.number)
      json.member("error", failure.error.message)
    }
  }
}

extension Assurance {
  /// `reasons` is there even if it is empty: SDKs require it. Source: contract 3.1.
  func write(to json: inout JSONWriter) {
    json.member("assuranceLevel", level.rawValue)
    json.member("reasons", reasons)
  }
}

extension Business {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("businessName", name)
    if let tradeName { json.member("tradeName", tradeName) }
    if let taxID { json.member("taxId", taxID) }
    if let address = address.first {
      json.object("businessAddress") { address.write(to: &$0, postalCode: "zipCode") }
    }
  }
}
