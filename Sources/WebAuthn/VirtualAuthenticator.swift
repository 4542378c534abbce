package import Crypto
import JSON

/// An authenticator with one passkey, and the browser around it: what `navigator.credentials` answers
/// (WebAuthn 5.1).
package struct VirtualAuthenticator {
  private let credentialID: [UInt8]
  private let key: P256PrivateKey
  /// The relying party's id that the authenticator signs.
  package var relyingParty: String
  /// What the browser shows in its address bar.
  package var origin: String
  package var isUserVerified = true
  package var signCount = 0

  /// The id has 1 to 255 bytes.
  package init(credentialID: [UInt8], key: P256PrivateKey, relyingParty: String, origin: String) {
    self.credentialID = credentialID
    self.key = key
    self.relyingParty = relyingParty
    self.origin = origin
  }

  package struct Registration {
    package let clientData: [UInt8]
    package let attestationObject: [UInt8]
  }

  package struct Assertion {
    package let clientData: [UInt8]
    package let authenticatorData: [UInt8]
    /// In DER.
    package let signature: [UInt8]
  }

  /// The answer to `navigator.credentials.create()`, with the attestation `none`.
  package func register(answering challenge: [UInt8]) -> Registration {
    let data =
      authenticatorData(flags: Self.hasCredential) + Self.noModel
      + [0, UInt8(truncatingIfNeeded: credentialID.count)] + credentialID + publicKey
    // {"fmt": "none", "attStmt": {}, "authData": data}
    let object =
      [0xA3] + Self.cbor("fmt") + Self.cbor("none") + Self.cbor("attStmt") + [0xA0] + Self.cbor("authData")
      + [0x59, UInt8(truncatingIfNeeded: data.count >> 8), UInt8(truncatingIfNeeded: data.count)] + data
    return Registration(clientData: clientData(.registration, challenge), attestationObject: object)
  }

  /// The answer to `navigator.credentials.get()`.
  package func signIn(answering challenge: [UInt8]) -> Assertion {
    let (client, data) = (clientData(.assertion, challenge), authenticatorData(flags: 0))
    return Assertion(
      clientData: client, authenticatorData: data,
      signature: key.deterministicSignature(of: data + SHA256.hash(client)))
  }

  private func clientData(_ ceremony: ClientData.Ceremony, _ challenge: [UInt8]) -> [UInt8] {
    JSONWriter.object { json in
      json.member("type", ceremony.rawValue)
      json.member("challenge", Base64.encodeForURL(challenge))
      json.member("origin", origin)
      json.member("crossOrigin", false)
    }
  }

  private func authenticatorData(flags: UInt8) -> [UInt8] {
    let verified = isUserVerified ? Self.userVerified : 0
    let count = stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: signCount >> $0) }
    return SHA256.hash(Array(relyingParty.utf8)) + [flags | Self.userPresent | verified] + count
  }

  /// The COSE key {1: 2, 3: -7, -1: 1, -2: x, -3: y}: ES256 on P-256.
  private var publicKey: [UInt8] {
    let point = key.publicDER.suffix(64)
    return [0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20] + point.prefix(32)
      + [0x22, 0x58, 0x20] + point.suffix(32)
  }

  /// A text of at most 23 bytes in CBOR.
  private static func cbor(_ text: String) -> [UInt8] {
    [0x60 | UInt8(truncatingIfNeeded: text.utf8.count)] + Array(text.utf8)
  }

  private static let userPresent: UInt8 = 0x01
  private static let userVerified: UInt8 = 0x04
  private static let hasCredential: UInt8 = 0x40
  /// An authenticator that does not say its model.
  private static let noModel = [UInt8](repeating: 0, count: 16)
}
