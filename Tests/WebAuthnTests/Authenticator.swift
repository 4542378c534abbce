import Crypto

@testable import WebAuthn

/// An authenticator with one passkey, built from the format's definition: no code of the server encodes here.
struct Authenticator {
  var relyingParty = "example.com"
  /// UP and UV.
  var flags: UInt8 = 0x05
  var signCount: UInt8 = 0
  var credentialID: [UInt8] = Array(1...16)
  var key = P256PrivateKey(number: [UInt8](repeating: 7, count: 32))!

  /// `clientDataJSON`.
  static func clientData(
    _ type: String, challenge: [UInt8], origin: String = "https://example.com"
  ) throws -> ClientData {
    let challenge = Base64.encodeForURL(challenge)
    return try ClientData(
      Array(
        #"{"type":"\#(type)","challenge":"\#(challenge)","origin":"\#(origin)","crossOrigin":false}"#.utf8))
  }

  /// The COSE key {1: 2, 3: -7, -1: 1, -2: x, -3: y}.
  var publicKey: [UInt8] {
    let point = key.publicDER.suffix(64)
    return [0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20] + point.prefix(32)
      + [0x22, 0x58, 0x20] + point.suffix(32)
  }

  func data(withCredential: Bool) -> [UInt8] {
    var data = SHA256.hash(Array(relyingParty.utf8))
    data += [flags | (withCredential ? 0x40 : 0), 0, 0, 0, signCount]
    guard withCredential else { return data }
    return data + [UInt8](repeating: 0, count: 16) + [0, UInt8(credentialID.count)] + credentialID + publicKey
  }

  /// {"fmt": "none", "attStmt": {}, "authData": data}.
  func attestation(of data: [UInt8]) -> [UInt8] {
    [0xa3, 0x63] + Array("fmt".utf8) + [0x64] + Array("none".utf8) + [0x67] + Array("attStmt".utf8)
      + [0xa0, 0x68] + Array("authData".utf8) + [0x59, UInt8(data.count >> 8), UInt8(data.count & 0xff)]
      + data
  }
}
