import Crypto

/// The website or app that people sign in to.
package struct RelyingParty: Equatable, Sendable {
  /// A domain, such as `example.com`.
  package let id: String
  /// Origins from which ceremonies are accepted. Empty: https on the domain and below it.
  package let origins: [String]
  package let requiresUserVerification: Bool

  package init(id: String, origins: [String], requiresUserVerification: Bool) {
    self.id = id
    self.origins = origins
    self.requiresUserVerification = requiresUserVerification
  }

  /// Checks what registrations and assertions have in common (WebAuthn 7.1 and 7.2).
  func check(
    _ client: ClientData, _ authenticator: AuthenticatorData, _ ceremony: ClientData.Ceremony,
    challenge: [UInt8]
  ) throws(WebAuthnError) {
    guard client.ceremony == ceremony else { throw .clientData("type \(ceremony.rawValue)") }
    guard client.challenge == challenge else { throw .clientData("the challenge that was asked") }
    guard accepts(origin: client.origin) else {
      throw .relyingParty("an origin of \(id), not \(client.origin)")
    }
    guard authenticator.relyingPartyHash == SHA256.hash(Array(id.utf8)) else {
      throw .relyingParty("authenticator data for \(id)")
    }
    guard authenticator.isUserPresent else { throw .authenticatorData("the flag UP: a present user") }
    guard authenticator.isUserVerified || !requiresUserVerification else {
      throw .authenticatorData("the flag UV: a verified user")
    }
  }

  private func accepts(origin: String) -> Bool {
    guard origins.isEmpty else { return origins.contains(origin) }
    return origin == "https://\(id)" || origin.hasPrefix("https://") && origin.hasSuffix(".\(id)")
  }
}
