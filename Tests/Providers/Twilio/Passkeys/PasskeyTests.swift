import Crypto
import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Twilio · passkeys", .contract("twilio-verify.md 12"))
struct PasskeyTests {
  let twilio: TwilioWorld
  private let passkeys = "\(TwilioWorld.services)/\(TwilioWorld.service)/Passkeys"

  init() throws { twilio = try TwilioWorld() }

  /// A passkey of `Tests/Tools/passkeys.py` for `example.com`, whose private key is 32 times 7.
  private static let credential = "S5ScEwkEUGEZoxrSypS8mpf1a-kUZ2_gil3llOpMlr0"
  private static let attestationObject = """
    o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVkApqN5pvbur7mlXjeMEYA04nUeaC-rny0wqxPSElWGzhlHRQAAAAAAAAAAAAAAAAAAAAAAAAAAACB\
    LlJwTCQRQYRmjGtLKlLyal_Vr6RRnb-CKXeWU6kyWvaUBAgMmIAEhWQAgHhhTL9R1TALzBB2cdc6zO4P_2BrHzk_ogsyxyYvFiW4iWQAgpGwxHE4v9A\
    3ZajZT5uRURdMt_khuztdcepDGoYiBwKM
    """
  /// The passkey's answer to the challenge of this world. Signatures are random, so a test cannot make the
  /// same one again.
  private static let answer = """
    "clientDataJSON":"eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiV1VNd05HTmxaall5TTJWa05tVTVZVE5qTW1Zek9UQXpOVEZsT1RJNU5qVXhPUSIsIm9\
    yaWdpbiI6Imh0dHBzOi8vZXhhbXBsZS5jb20iLCJjcm9zc09yaWdpbiI6ZmFsc2V9",\
    "authenticatorData":"o3mm9u6vuaVeN4wRgDTidR5oL6ufLTCrE9ISVYbOGUcFAAAAAA",\
    "signature":"MEUCIGmdDFos2BkcgEIP-C8N8R_RuJTGBKtJYc0BJ20PB17iAiEArb69pfXRNnMwrQSssCm9M-N4uo6kfpehP2V2YvnWlkE"
    """

  private func call(_ path: String, _ body: String) throws -> Exchange {
    var headers = TwilioWorld.credentials
    headers.add("Content-Type", "application/json")
    return try twilio.send(.to("\(passkeys)/\(path)", .post, headers: headers, body: Array(body.utf8)))
  }

  private func create() throws -> (exchange: Exchange, sid: String) {
    let exchange = try call(
      "Factors",
      #"""
      {"friendly_name":"Ana","identity":"user-00000001","config":{"relying_party":{"id":"example.com"},\#
      "authenticator_attachment":"platform","discoverable_credentials":"preferred"\#
      ,"user_verification":"preferred"}}
      """#)
    return (exchange, try TwilioWorld.text("sid", in: exchange.answer))
  }

  private func verify(_ sid: String) throws -> Exchange {
    let challenge = Base64.encodeForURL(Array(sid.utf8))
    let data =
      #"{"type":"webauthn.create","challenge":"\#(challenge)","origin":"https://example.com","crossOrigin":false}"#
    return try call(
      "VerifyFactor",
      #"""
      {"id":"\#(Self.credential)","rawId":"\#(Self.credential)",\#
      "type":"public-key","response":{"attestationObject":"\#(Self.attestationObject)",\#
      "clientDataJSON":"\#(Base64.encodeForURL(Array(data.utf8)))"}}
      """#)
  }

  @Test("a factor is created, verified and asked")
  func flow() throws {
    let (created, sid) = try create()
    created.matches(golden: "created")

    let verified = try verify(sid)
    #expect(TwilioWorld.status(verified.answer) == 200)
    verified.matches(golden: "verified")

    try call("Challenges", #"{"identity":"user-00000001"}"#).matches(golden: "created")

    let approved = try call(
      "ApproveChallenge",
      #"""
      {"id":"\#(Self.credential)","rawId":"\#(Self.credential)","type":"public-key",\#
      "authenticatorAttachment":"platform","response":{\#(Self.answer)}}
      """#)
    #expect(TwilioWorld.status(approved.answer) == 200)
    approved.matches(golden: "approved")
  }
}
