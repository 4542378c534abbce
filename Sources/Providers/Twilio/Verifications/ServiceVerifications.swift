import Domain

struct ServiceVerifications {
  private let service: String
  private let sandbox: Sandbox

  init(_ context: RequestContext) {
    service = context.service.sid
    sandbox = context.sandbox
  }

  /// The Service's claim to a destination. The domain of an email address is compared in lower case.
  /// Source: contract 4.4.
  func claim(to destination: String) -> Claim {
    var destination = destination
    if let at = destination.utf8.firstIndex(of: UInt8(ascii: "@")) {
      destination = destination[..<at] + destination[at...].lowercased()
    }
    return Claim(provider: TwilioProvider.name, owner: service, destination: destination)
  }

  /// The verification with this SID, or the newest one to this destination.
  func find(_ sidOrDestination: String) throws -> Verification? {
    guard let ordinal = VerificationSid.ordinal(of: sidOrDestination, in: sandbox) else {
      return try sandbox.verifications.latest(claim(to: sidOrDestination))
    }
    let found = try sandbox.verifications.find(ordinal)
    return found?.claim.owner == service && found?.claim.provider == TwilioProvider.name ? found : nil
  }
}
