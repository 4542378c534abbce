import Crypto
import Testing

@testable import WebAuthn

@Suite("Virtual authenticator")
struct VirtualAuthenticatorTests {
  private let party = RelyingParty(id: "example.com", origins: [], requiresUserVerification: true)
  private let challenge = Array("YF0400000000000000000000000000000001".utf8)
  private let key = P256PrivateKey(number: [UInt8](repeating: 7, count: 32))!
  private let id = [UInt8](repeating: 9, count: 16)

  private var authenticator: VirtualAuthenticator {
    var authenticator = VirtualAuthenticator(
      credentialID: id, key: key, relyingParty: "example.com", origin: "https://example.com")
    authenticator.signCount = 70_000
    return authenticator
  }

  private func signIn(
    _ authenticator: VirtualAuthenticator, after signCount: Int = 0
  ) throws -> Int {
    let answer = authenticator.signIn(answering: challenge)
    return try PasskeyAssertion.verify(
      clientData: ClientData(answer.clientData), authenticatorData: answer.authenticatorData,
      signature: answer.signature, challenge: challenge, relyingParty: party, publicKey: key.publicDER,
      signCount: signCount)
  }

  @Test("its registration is accepted, with its id, key and counter")
  func registration() throws {
    let answer = authenticator.register(answering: challenge)

    let passkey = try PasskeyRegistration(
      clientData: ClientData(answer.clientData), attestationObject: answer.attestationObject,
      challenge: challenge, relyingParty: party)

    #expect((passkey.credentialID, passkey.publicKey, passkey.signCount) == (id, key.publicDER, 70_000))
  }

  @Test("its sign-in is accepted, and always the same")
  func assertion() throws {
    #expect(try signIn(authenticator) == 70_000)
    #expect(
      authenticator.signIn(answering: challenge).signature
        == authenticator.signIn(answering: challenge).signature)
  }

  @Test("each change of it is refused")
  func faults() {
    var (elsewhere, otherParty, unverified) = (authenticator, authenticator, authenticator)
    elsewhere.origin = "https://wrong-origin.example"
    otherParty.relyingParty = "wrong-rp.example"
    unverified.isUserVerified = false
    #expect(throws: WebAuthnError.self) { try signIn(elsewhere) }
    #expect(throws: WebAuthnError.relyingParty("authenticator data for example.com")) {
      try signIn(otherParty)
    }
    #expect(throws: WebAuthnError.authenticatorData("the flag UV: a verified user")) {
      try signIn(unverified)
    }
    #expect(throws: WebAuthnError.self) { try signIn(authenticator, after: 70_000) }
  }
}
