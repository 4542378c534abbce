import Crypto
import Testing

@testable import WebAuthn

/// The registration in Twilio's OpenAPI document, which a browser made. Source: `twilio-verify.md` 12
@Suite("A recorded passkey")
struct RecordedPasskeyTests {
  private static let clientData = """
    eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiV1VZd05EaGtNV0UzWldNellUSmhOamszTURBMU9XTXlOelkyWW1Kak4yVXdaZyIsIm9y\
    aWdpbiI6Imh0dHBzOi8vZXhhbXBsZS5jb20iLCJjcm9zc09yaWdpbiI6ZmFsc2V9
    """
  private static let attestationObject = """
    o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YViko3mm9u6vuaVeN4wRgDTidR5oL6ufLTCrE9ISVYbOGUdFAAAAAAAAAAAAAAAAAAAAAAAAAAAAIOskpoSX\
    eqhlDArYYqrM8m-DneFOkxZ9L9wy8_tRGazUpQECAyYgASFYIOP8op-6gZJ1H0wHNLe2k7cgBqaSUR4pdcBqtOHPaYUhIlggsXZWuWfZS-6YpbeU9dsB2Uor\
    oACSKXJOrdE_auaUIf4
    """

  @Test("is accepted, with its credential and a key on the curve")
  func accept() throws {
    let clientData = try ClientData(#require(Base64.decodeFromURL(Self.clientData)))
    let challenge = Array("YF048d1a7ec3a2a6970059c2766bbc7e0f".utf8)

    let passkey = try PasskeyRegistration(
      clientData: clientData, attestationObject: #require(Base64.decodeFromURL(Self.attestationObject)),
      challenge: challenge,
      relyingParty: RelyingParty(
        id: "example.com", origins: ["https://example.com"], requiresUserVerification: true))

    #expect(Base64.encodeForURL(passkey.credentialID) == "6ySmhJd6qGUMCthiqszyb4Od4U6TFn0v3DLz-1EZrNQ")
    #expect(passkey.publicKey.count == 91)
  }
}
