import Crypto
import JSON

/// What the browser knows of a ceremony (WebAuthn 5.8.1): `clientDataJSON`.
package struct ClientData {
  package enum Ceremony: String, Sendable {
    case registration = "webauthn.create"
    case assertion = "webauthn.get"
  }

  /// The bytes that the authenticator's signature covers.
  package let bytes: [UInt8]
  package let ceremony: Ceremony?
  /// The challenge that the ceremony answers.
  package let challenge: [UInt8]
  package let origin: String

  package init(_ bytes: [UInt8]) throws(WebAuthnError) {
    self.bytes = bytes
    do throws(FieldError) {
      let fields = try Fields(bytes, repeatedNames: .rejected)
      ceremony = Ceremony(rawValue: try fields.string("type"))
      guard let challenge = Base64.decodeFromURL(try fields.string("challenge")) else {
        throw fields.mismatch("challenge", expected: "base64url")
      }
      self.challenge = challenge
      origin = try fields.string("origin")
    } catch {
      throw .clientData(error.description)
    }
  }
}
