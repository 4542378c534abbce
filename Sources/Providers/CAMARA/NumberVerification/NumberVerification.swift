import Crypto
import ProviderKit

// Number Verification 2.1.0. Source: contract 5.

extension Scope {
  static let numberVerification = [
    "number-verification:verify", "number-verification:device-phone-number:read",
  ]
}

extension CAMARAProvider {
  static var numberVerificationRoutes: [Route<Sandbox>] {
    [
      .post(
        "/number-verification/v2/verify", as: "verifyPhoneNumber",
        operation("number-verification:verify", verifyPhoneNumber)),
      .get(
        "/number-verification/v2/device-phone-number", as: "sharePhoneNumber",
        operation("number-verification:device-phone-number:read", sharePhoneNumber)),
    ]
  }
}

/// `POST /verify`: whether the handset has a number.
func verifyPhoneNumber(_ context: RequestContext) throws -> Response {
  let body = try context.body
  let claim = try NumberClaim(body, context.version)
  let number = try provenNumber(context)
  return context.response { $0.member("devicePhoneNumberVerified", claim.matches(number)) }
}

/// `GET /device-phone-number`
func sharePhoneNumber(_ context: RequestContext) throws -> Response {
  let number = try provenNumber(context)
  return context.response { $0.member("devicePhoneNumber", number.description) }
}

/// The number that a client assumes: in clear, or hashed.
private enum NumberClaim {
  case number(String)
  /// The SHA-256 of the number with its `+`, in lower case.
  case hash(String)

  init(_ body: Fields, _ version: APIVersion) throws {
    let number = try body.optionalPhoneNumber()
    let hash = try body.optionalString("hashedPhoneNumber")
    switch (number, hash) {
    case (let number?, nil): self = .number(number)
    case (nil, let hash?):
      // Version 1 has no pattern for it.
      let isHash = hash.utf8.count == 64 && hash.utf8.allSatisfy { $0.isHexDigit }
      guard isHash || version.release != .fall25 else {
        throw body.mismatch("hashedPhoneNumber", expected: "64 hexadecimal digits")
      }
      self = .hash(hash.lowercased())
    default: throw Self.isNotOne
    }
    // Unlike elsewhere, the file has no room for an unknown member.
    guard body.count == 1 else { throw Self.isNotOne }
  }

  private static let isNotOne = APIError.invalid("body", expected: "one of phoneNumber and hashedPhoneNumber")

  func matches(_ number: PhoneNumber) -> Bool {
    switch self {
    case .number(let text): text == number.description
    case .hash(let hash): hash == Hex.encode(SHA256.hash(Array(number.description.utf8)))
    }
  }
}

/// The number of the token, if the network or the SIM card has proved it.
private func provenNumber(_ context: RequestContext) throws -> PhoneNumber {
  let token = context.token
  guard let number = token.number, token.isFromNetwork else {
    let origin = token.isThreeLegged ? "the client has named the number" : "it names nobody"
    throw APIError(.userNotAuthenticatedByMobileNetwork).because("the token: \(origin)")
  }
  try Subject.requireConsent(of: context.sandbox.subscribers[number], context)
  return number
}
