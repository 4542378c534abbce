/// The part of a registration or an assertion that is wrong, and what was expected.
package enum WebAuthnError: Error, Equatable {
  case clientData(String)
  /// The origin or the relying party's id is not the expected one.
  case relyingParty(String)
  case attestationObject(String)
  case authenticatorData(String)
  case credentialData(String)
  case publicKey(String)
  case signature(String)
}
