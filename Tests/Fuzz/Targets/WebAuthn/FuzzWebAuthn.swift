import WebAuthn

/// The same bytes as client data, as an attestation object and as authenticator data.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzWebAuthn(_ data: UnsafeRawPointer, _ size: Int) -> CInt {
  let bytes = [UInt8](UnsafeRawBufferPointer(start: data, count: size))
  _ = try? ClientData(bytes)
  guard let client = try? ClientData(Array(clientData.utf8)) else { return 0 }
  let party = RelyingParty(id: "example.com", origins: [], requiresUserVerification: false)
  _ = try? PasskeyRegistration(
    clientData: client, attestationObject: bytes, challenge: [0], relyingParty: party)
  _ = try? PasskeyAssertion.verify(
    clientData: client, authenticatorData: bytes, signature: bytes, challenge: [0], relyingParty: party,
    publicKey: bytes, signCount: 0)
  return 0
}

private let clientData = #"{"type":"webauthn.create","challenge":"AA","origin":"https://example.com"}"#
