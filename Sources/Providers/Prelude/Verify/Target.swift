import Domain
import JSON
import ProviderKit

/// What is to be verified, as a request names it. Source: contract 3.1.
struct TargetForm {
  /// What it is.
  let kind: Target.Kind
  /// A phone number or an email address, not yet looked at.
  let value: String

  /// Reads the member `target` of a body.
  init(_ fields: Fields) throws {
    let target = try fields.object("target")
    let word = try target.string("type")
    guard let kind = Target.Kind(rawValue: word) else {
      let words = Target.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw target.mismatch("type", expected: "one of \(words)")
    }
    self.kind = kind
    value = try target.string("value")
  }

  /// The target that it names. Source: contract 11.3, 6 and 7.
  func target(_ settings: Settings) throws(Problem) -> Target {
    switch kind {
    case .phoneNumber:
      guard let number = PhoneNumber(value) else {
        throw Problem(.invalidPhoneNumber, param: "target.value")
      }
      return Target(kind: kind, destination: number.description, number: number)
    case .emailAddress:
      guard settings.emailTargets else { throw Problem(.emailNotAllowed, param: "target.type") }
      guard EmailAddress.isValid(value) else {
        throw Problem.invalid("target.value", expected: "an email address")
      }
      return Target(kind: kind, destination: value.lowercased(), number: nil)
    }
  }
}

/// What is verified.
struct Target {
  /// What it is.
  enum Kind: String, CaseIterable {
    case phoneNumber = "phone_number"
    case emailAddress = "email_address"
  }

  /// What it is.
  let kind: Kind
  /// Where messages go; email addresses are compared without case. Source: contract 4.2.
  let destination: String
  /// The number, where it is one.
  let number: PhoneNumber?

  /// What a verification is about.
  init(kind: Kind, destination: String, number: PhoneNumber?) {
    self.kind = kind
    self.destination = destination
    self.number = number
  }

  /// The target of a verification that was begun.
  init(_ verification: Verification) {
    let number = PhoneNumber(verification.claim.destination)
    self.init(
      kind: number == nil ? .emailAddress : .phoneNumber, destination: verification.claim.destination,
      number: number)
  }
}

extension Call {
  /// A phone number, or the refusal that names the field it came in.
  func number(_ text: String, of param: String) throws(Problem) -> PhoneNumber {
    guard let number = PhoneNumber(text) else { throw Problem(.invalidPhoneNumber, param: param) }
    return number
  }
}
