import Crypto

/// A sign-in with a passkey (WebAuthn 7.2).
package enum PasskeyAssertion {
  /// Verifies the answer to `navigator.credentials.get()`. Returns the authenticator's new signature counter.
  ///
  /// - Parameters:
  ///   - publicKey: of the passkey, as its registration had it.
  ///   - signCount: the last known counter. One that does not grow is a copied key; 0 twice is no counter.
  package static func verify(
    clientData: ClientData, authenticatorData: [UInt8], signature: [UInt8], challenge: [UInt8],
    relyingParty: RelyingParty, publicKey: [UInt8], signCount: Int
  ) throws(WebAuthnError) -> Int {
    let data = try AuthenticatorData(authenticatorData)
    try relyingParty.check(clientData, data, .assertion, challenge: challenge)
    guard let key = P256PublicKey(der: publicKey) else { throw .publicKey("a key for ES256") }
    guard key.accepts(derSignature: signature, of: authenticatorData + SHA256.hash(clientData.bytes)) else {
      throw .signature("a signature by the passkey's key")
    }
    guard data.signCount > signCount || (data.signCount, signCount) == (0, 0) else {
      throw .authenticatorData("a signature counter above \(signCount), not \(data.signCount)")
    }
    return data.signCount
  }
}
