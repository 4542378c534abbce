import Domain
import HTTP
import JSON
import ProviderKit

// `POST /v3/unify`. Source: contract 4.1 and 4.2.

func createUnify(_ context: RequestContext) throws -> Response {
  let body = try context.body
  let possession = try body.word("possessionType", of: Session.PossessionType.self)
  let options = try SessionOptions(unify: body, possession)
  try body.checkContact()
  let number = try context.numberToUnify(body)
  let users = TestUsers(
    sandbox: context.sandbox, settings: context.settings, client: context.client, solution: .unify)
  if let number { try users.user(of: number).rejectStart(in: context.sandbox) }
  var session = Session(
    .unify, possession, of: context.client, lifetime: .seconds(context.settings.sessionSeconds),
    in: context.sandbox)
  session.options = options
  session.number = number?.text
  try session.insert(in: context.sandbox)
  try session.askOnHandset(in: context.sandbox)
  return context.response { json in
    json.member("success", Success.pending.rawValue)
    json.member("authToken", AuthToken.text(of: session, for: context.request, in: context.sandbox))
    json.member("correlationId", session.correlationID)
  }
}

extension RequestContext {
  /// The number of the body: `phoneNumber`, or that of the customer `proveId`.
  fileprivate func numberToUnify(_ body: Body) throws -> MobileNumber? {
    let known = try body.text("proveId").map { proveID in
      guard let identity = try Identity.find(proveID, of: client, in: sandbox) else {
        throw APIError.malformed("proveId", expected: "the proveId of an earlier success")
      }
      return identity.number
    }
    guard let text = try body.text("phoneNumber") ?? known else { return nil }
    return try number(text, named: "phoneNumber")
  }

  /// A number of the region whose host the request names. Source: contract 1.1 and 3.3.
  func number(_ text: String, named field: String) throws -> MobileNumber {
    guard let number = MobileNumber(text) else {
      throw APIError.malformed(field, expected: MobileNumber.expected)
    }
    if let region = Region(ofHost: request.host), region != number.region {
      throw APIError.malformed(field, expected: "a number of the region of \(request.host)")
    }
    try requirePossible(number.number, named: field)
    return number
  }

  /// Throws for a number that cannot exist, in a sandbox that accepts others than its test users. Source:
  /// contract 4.2.
  private func requirePossible(_ number: PhoneNumber, named field: String) throws {
    guard settings.unknownNumbers == .accept else { return }
    let validity = try sandbox.numbers.validity(of: number)
    guard validity != .valid, try TestUser.find(number, in: sandbox) == nil else { return }
    throw APIError.malformed(field, expected: "a number that can exist")
      .because(NumberPlan.explanation(of: validity, number))
  }
}

extension SessionOptions {
  /// Source: contract 4.1.
  fileprivate init(unify body: Body, _ possession: Session.PossessionType) throws {
    finalTargetURL = try body.finalTargetURL(isRequired: possession == .desktop)
    smsMessage = try body.smsMessage
    allowsOTPRetry = try body.flag("allowOTPRetry") ?? false
    checksReputation = try body.flag("checkReputation") ?? false
    rebind = try body.flag("rebind") ?? false
    deviceID = try body.text("deviceId")
    mobileAuth = try body.flag("mobileAuthEnabled")
    clientRequestID = try body.text("clientRequestId")
    clientCustomerID = try body.text("clientCustomerId")
    clientHumanID = try body.text("clientHumanId")
  }
}

/// Members that several operations have. Source: contract 4.1 and 7.1.
extension Body {
  func finalTargetURL(isRequired: Bool) throws -> String? {
    let name = "finalTargetUrl"
    let expected = "at most 128 characters: letters, digits and -._+=/:?"
    let url = try text(name, maxLength: 128, expected) { $0.isAlphanumeric || "-._+=/:?".utf8.contains($0) }
    if isRequired, url == nil { throw APIError.missing(name) }
    return url
  }

  /// A text with a placeholder for code or URL.
  var smsMessage: String? {
    get throws {
      let name = "smsMessage"
      guard let text = try text(name, maxLength: 160, "at most 160 characters", { _ in true }) else {
        return nil
      }
      guard MessageTemplate(text) != nil else {
        throw APIError.malformed(name, expected: "a run of 4, 5 or 6 characters #")
      }
      return text
    }
  }

  /// Checks members that have no effect in the sandbox.
  func checkContact() throws {
    _ = try text("emailAddress", maxLength: 254, "letters, digits and @.+") {
      $0.isAlphanumeric || "@.+".utf8.contains($0)
    }
    _ = try text("ipAddress", maxLength: 45, "letters, digits and .:") {
      $0.isAlphanumeric || ".:".utf8.contains($0)
    }
  }
}
