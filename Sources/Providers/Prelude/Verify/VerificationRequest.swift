import ProviderKit

/// The body of a creation, in the order of the provider's schema. Source: contract 3.1.
struct VerificationRequest {
  let target: TargetInput
  let signals: DeviceSignals
  let correlationID: String?
  let options: VerificationOptions

  /// Validates types, then conflicts, then values. Source: contract 11.3.
  init(_ fields: Fields) throws {
    target = try TargetInput(fields)
    signals = try DeviceSignals(fields)
    correlationID = try fields.optionalObject("metadata")?.optionalString("correlation_id")
    options = try VerificationOptions(fields.optionalObject("options"))
    try options.validate()
    try Validation.checkCorrelationID(correlationID, param: "metadata.correlation_id")
  }
}

/// The member `target` of a request, with a value that is not validated yet. Source: contract 3.1.
struct TargetInput {
  let kind: Target.Kind
  let value: String

  init(_ fields: Fields) throws {
    let target = try fields.object("target")
    kind = try target.word("type", of: Target.Kind.self)
    value = try target.string("value")
  }

  /// Source: contract 11.3, 6 and 7.
  func validated(_ settings: Settings) throws(APIError) -> Target {
    switch kind {
    case .phoneNumber:
      let number = try Validation.e164(value, param: "target.value")
      return Target(kind: kind, destination: number.description, number: number)
    case .emailAddress:
      guard settings.emailTargets else { throw APIError(.emailNotAllowed, param: "target.type") }
      guard EmailAddress.isValid(value) else {
        throw APIError.invalid("target.value", expected: "an email address")
      }
      return Target(kind: kind, destination: value.lowercased(), number: nil)
    }
  }
}

/// The phone number or email address that is verified.
struct Target {
  enum Kind: String, CaseIterable {
    case phoneNumber = "phone_number"
    case emailAddress = "email_address"
  }

  let kind: Kind
  /// E.164, or an email address in lower case. Source: contract 4.2.
  let destination: String
  /// Nil for email addresses.
  let number: PhoneNumber?

  init(kind: Kind, destination: String, number: PhoneNumber?) {
    self.kind = kind
    self.destination = destination
    self.number = number
  }

  /// The account's claim: at most one of its verifications is pending. Source: contract 4.2.
  var claim: Claim { Claim(provider: PreludeProvider.name, owner: "account", destination: destination) }

  init(_ verification: Verification) {
    let number = PhoneNumber(verification.claim.destination)
    self.init(
      kind: number == nil ? .emailAddress : .phoneNumber, destination: verification.claim.destination,
      number: number)
  }
}
