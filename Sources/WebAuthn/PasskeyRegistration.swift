import Crypto

/// A new passkey (WebAuthn 7.1).
package struct PasskeyRegistration: Equatable, Sendable {
  package let credentialID: [UInt8]
  /// SubjectPublicKeyInfo in DER of a P-256 key.
  package let publicKey: [UInt8]
  /// The authenticator's signature counter; 0 if it has none.
  package let signCount: Int

  /// Verifies the answer to `navigator.credentials.create()`, for attestation `none`.
  ///
  /// An attestation in another format says who made the authenticator. It was not asked for, so it is not
  /// checked.
  package init(
    clientData: ClientData, attestationObject: [UInt8], challenge: [UInt8], relyingParty: RelyingParty
  ) throws(WebAuthnError) {
    guard let object = CBOR(attestationObject[...]), let format = object[.text("fmt")]?.text,
      let statement = object[.text("attStmt")], let bytes = object[.text("authData")]?.bytes
    else { throw .attestationObject("a map in CBOR with fmt, attStmt and authData") }
    let data = try AuthenticatorData(bytes)
    try relyingParty.check(clientData, data, .registration, challenge: challenge)
    guard format != "none" || statement == .map([:]) else {
      throw .attestationObject("an empty attStmt for the format none")
    }
    guard let credential = data.credential else { throw .credentialData("the flag AT and a credential") }
    credentialID = credential.id
    publicKey = try Self.publicKey(credential.publicKey)
    signCount = data.signCount
  }

  /// Reads a COSE key (RFC 9053, 7.1): 1 is its type, 3 its algorithm, -1 its curve, -2 and -3 are its
  /// coordinates.
  private static func publicKey(_ key: CBOR) throws(WebAuthnError) -> [UInt8] {
    guard key[.integer(1)]?.integer == 2, key[.integer(3)]?.integer == -7, key[.integer(-1)]?.integer == 1
    else { throw .publicKey("a key for ES256 on the curve P-256") }
    guard let x = key[.integer(-2)]?.bytes, let y = key[.integer(-3)]?.bytes, x.count == 32, y.count == 32,
      let known = P256PublicKey(x: x, y: y)
    else { throw .publicKey("a point on the curve, in two times 32 bytes") }
    return known.der
  }
}
