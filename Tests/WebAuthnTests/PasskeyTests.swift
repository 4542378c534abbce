import Crypto
import Testing

@testable import WebAuthn

@Suite("Passkeys")
struct PasskeyTests {
  private let challenge = Array("YF0400000000000000000000000000000001".utf8)
  private let relyingParty = RelyingParty(id: "example.com", origins: [], requiresUserVerification: false)

  private func register(
    _ authenticator: Authenticator, type: String = "webauthn.create", origin: String = "https://example.com",
    answering: [UInt8]? = nil, at relyingParty: RelyingParty? = nil, attestation: [UInt8]? = nil
  ) throws -> PasskeyRegistration {
    try PasskeyRegistration(
      clientData: Authenticator.clientData(type, challenge: answering ?? challenge, origin: origin),
      attestationObject: attestation
        ?? authenticator.attestation(of: authenticator.data(withCredential: true)),
      challenge: challenge, relyingParty: relyingParty ?? self.relyingParty)
  }

  private func signIn(
    _ authenticator: Authenticator, key: P256PrivateKey? = nil, type: String = "webauthn.get",
    origin: String = "https://example.com", answering: [UInt8]? = nil, signCount: Int = 0
  ) throws -> Int {
    let clientData = try Authenticator.clientData(type, challenge: answering ?? challenge, origin: origin)
    let data = authenticator.data(withCredential: false)
    return try PasskeyAssertion.verify(
      clientData: clientData, authenticatorData: data,
      signature: (key ?? authenticator.key).signature(of: data + SHA256.hash(clientData.bytes)),
      challenge: challenge, relyingParty: relyingParty, publicKey: authenticator.key.publicDER,
      signCount: signCount)
  }

  @Test("a registration has the id and the key of its credential")
  func registration() throws {
    let authenticator = Authenticator()
    let passkey = try register(authenticator)
    #expect(passkey.credentialID == authenticator.credentialID)
    #expect(passkey.publicKey == authenticator.key.publicDER)
    #expect(passkey.signCount == 0)
  }

  @Test("a registration for another ceremony, challenge, origin or relying party is refused")
  func registrationElsewhere() {
    #expect(throws: WebAuthnError.clientData("type webauthn.create")) {
      try register(Authenticator(), type: "webauthn.get")
    }
    #expect(throws: WebAuthnError.clientData("the challenge that was asked")) {
      try register(Authenticator(), answering: [1, 2, 3])
    }
    for origin in ["http://example.com", "https://example.com.evil.example", "https://evilexample.com"] {
      #expect(throws: WebAuthnError.relyingParty("an origin of example.com, not \(origin)")) {
        try register(Authenticator(), origin: origin)
      }
    }
    #expect(throws: WebAuthnError.relyingParty("authenticator data for example.com")) {
      try register(Authenticator(relyingParty: "evil.example"))
    }
  }

  @Test("origins are those of the list, or any below the domain")
  func origins() throws {
    _ = try register(Authenticator(), origin: "https://login.example.com")
    let app = RelyingParty(
      id: "example.com", origins: ["android:apk-key-hash:abc"], requiresUserVerification: false)
    _ = try register(Authenticator(), origin: "android:apk-key-hash:abc", at: app)
    #expect(throws: WebAuthnError.self) { try register(Authenticator(), at: app) }
  }

  @Test("the user must be present, and verified where that is required")
  func flags() throws {
    #expect(throws: WebAuthnError.authenticatorData("the flag UP: a present user")) {
      try register(Authenticator(flags: 0x04))
    }
    _ = try register(Authenticator(flags: 0x01))
    #expect(throws: WebAuthnError.authenticatorData("the flag UV: a verified user")) {
      try register(
        Authenticator(flags: 0x01),
        at: RelyingParty(id: "example.com", origins: [], requiresUserVerification: true))
    }
  }

  @Test("broken attestation objects are refused at every length")
  func brokenAttestation() {
    let authenticator = Authenticator()
    let data = authenticator.data(withCredential: true)
    for count in 0..<data.count {
      #expect(throws: WebAuthnError.self) {
        try register(authenticator, attestation: authenticator.attestation(of: Array(data.prefix(count))))
      }
    }
    let whole = authenticator.attestation(of: data)
    for count in 0..<whole.count {
      #expect(throws: WebAuthnError.attestationObject("a map in CBOR with fmt, attStmt and authData")) {
        try register(authenticator, attestation: Array(whole.prefix(count)))
      }
    }
    #expect(throws: WebAuthnError.authenticatorData("nothing after its last member")) {
      try register(authenticator, attestation: authenticator.attestation(of: data + [0]))
    }
    #expect(throws: WebAuthnError.credentialData("the flag AT and a credential")) {
      try register(
        authenticator, attestation: authenticator.attestation(of: Array(data.prefix(32) + [5, 0, 0, 0, 0])))
    }
  }

  @Test("a key that is not on the curve is refused")
  func wrongKey() {
    let authenticator = Authenticator()
    var data = authenticator.data(withCredential: true)
    data[data.count - 1] ^= 1
    #expect(throws: WebAuthnError.publicKey("a point on the curve, in two times 32 bytes")) {
      try register(authenticator, attestation: authenticator.attestation(of: data))
    }
  }

  @Test("a sign-in is accepted with the passkey's signature only")
  func assertion() throws {
    #expect(try signIn(Authenticator()) == 0)
    let stolen = try #require(P256PrivateKey(number: [UInt8](repeating: 9, count: 32)))
    #expect(throws: WebAuthnError.signature("a signature by the passkey's key")) {
      try signIn(Authenticator(), key: stolen)
    }
    #expect(throws: WebAuthnError.clientData("type webauthn.get")) {
      try signIn(Authenticator(), type: "webauthn.create")
    }
    #expect(throws: WebAuthnError.clientData("the challenge that was asked")) {
      try signIn(Authenticator(), answering: [9])
    }
    #expect(throws: WebAuthnError.self) { try signIn(Authenticator(), origin: "https://evil.example") }
  }

  @Test("a signature counter must grow")
  func signCount() throws {
    #expect(try signIn(Authenticator(signCount: 3), signCount: 2) == 3)
    for old in [3, 4] as [Int] {
      #expect(throws: WebAuthnError.authenticatorData("a signature counter above \(old), not 3")) {
        try signIn(Authenticator(signCount: 3), signCount: old)
      }
    }
  }

  @Test(
    "client data must be an object with type, challenge and origin",
    arguments: [
      "", "[]", "{}", #"{"type":"webauthn.get","challenge":"AA"}"#,
      #"{"type":"webauthn.get","challenge":"A+","origin":"https://example.com"}"#,
      #"{"type":1,"challenge":"AA","origin":"https://example.com"}"#,
    ])
  func clientData(text: String) {
    #expect(throws: WebAuthnError.self) { try ClientData(Array(text.utf8)) }
  }
}
