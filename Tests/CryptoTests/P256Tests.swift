import Crypto
import Testing

@Suite("P-256")
struct P256Tests {
  /// The key of RFC 6979, appendix A.2.5.
  private static let number: [UInt8] = [
    0xC9, 0xAF, 0xA9, 0xD8, 0x45, 0xBA, 0x75, 0x16, 0x6B, 0x5C, 0x21, 0x57, 0x67, 0xB1, 0xD6, 0x93,
    0x4E, 0x50, 0xC3, 0xDB, 0x36, 0xE8, 0x9B, 0x12, 0x7B, 0x8A, 0x62, 0x2B, 0x12, 0x0F, 0x67, 0x21,
  ]

  /// The frame of SubjectPublicKeyInfo on this curve, and the point that the RFC gives for the key.
  private static let point: [UInt8] = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A,
    0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
    0x60, 0xFE, 0xD4, 0xBA, 0x25, 0x5A, 0x9D, 0x31, 0xC9, 0x61, 0xEB, 0x74, 0xC6, 0x35, 0x6D, 0x68,
    0xC0, 0x49, 0xB8, 0x92, 0x3B, 0x61, 0xFA, 0x6C, 0xE6, 0x69, 0x62, 0x2E, 0x60, 0xF2, 0x9F, 0xB6,
    0x79, 0x03, 0xFE, 0x10, 0x08, 0xB8, 0xBC, 0x99, 0xA4, 0x1A, 0xE9, 0xE9, 0x56, 0x28, 0xBC, 0x64,
    0xF2, 0xF1, 0xB2, 0x0C, 0x2D, 0x7E, 0x9F, 0x51, 0x77, 0xA3, 0xC2, 0x94, 0xD4, 0x46, 0x22, 0x99,
  ]

  /// The curve's order: no key is so great.
  private static let order: [UInt8] = [
    0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
    0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
  ]

  @Test("the public key is the point in the RFC")
  func publicHalf() throws {
    let key = try #require(P256PrivateKey(number: Self.number))

    #expect(Self.bytes(of: key.publicPEM) == Self.point)
  }

  @Test("a private key is written with its public key")
  func privateHalf() throws {
    let key = try #require(P256PrivateKey(number: Self.number))
    let bytes = try #require(Self.bytes(of: key.privatePEM))

    #expect(key.privatePEM.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
    #expect(bytes.count == 138)
    #expect(Array(bytes.dropFirst(36).prefix(32)) == Self.number)
    #expect(bytes.suffix(65) == Self.point.suffix(65))
  }

  @Test(
    "a number outside the curve's range is not a key",
    arguments: [
      [], [1], [UInt8](repeating: 0, count: 32), P256Tests.order, [UInt8](repeating: 0xFF, count: 32),
      P256Tests.number + [0],
    ])
  func noKey(number: [UInt8]) {
    #expect(P256PrivateKey(number: number) == nil)
  }

  @Test("a key that `openssl ecparam -genkey` writes is read, its parameters before it are skipped")
  func fromOpenSSL() throws {
    let key = try #require(P256PrivateKey(pem: Self.openSSLKey))

    #expect(key.publicPEM == Self.openSSLPublicKey)
    #expect(P256PrivateKey(pem: key.privatePEM)?.publicPEM == Self.openSSLPublicKey)
  }

  @Test(
    "other texts are not keys",
    arguments: [
      "", "no key", P256Tests.openSSLPublicKey, P256Tests.otherCurve, P256Tests.encrypted,
      String(P256Tests.openSSLKey.dropLast(60)), P256Tests.parameters,
      "\(P256Tests.parameters)\n\(P256Tests.openSSLPublicKey)",
    ])
  func noPEM(text: String) {
    #expect(P256PrivateKey(pem: text) == nil)
  }

  private static let parameters = """
    -----BEGIN EC PARAMETERS-----
    BggqhkjOPQMBBw==
    -----END EC PARAMETERS-----
    """
  private static let openSSLKey = """
    -----BEGIN EC PARAMETERS-----
    BggqhkjOPQMBBw==
    -----END EC PARAMETERS-----
    -----BEGIN EC PRIVATE KEY-----
    MHcCAQEEIOMUS/R6tE64RZl/1TVwF2dFYk4bPObp07pM34YDEThWoAoGCCqGSM49
    AwEHoUQDQgAEoEfeBlqa6wqzVH+2EV54IJog95dhHcSeQO6hdnaY39xyhWyc6pYf
    OXAowP2DxR4jx3In3pX4CS2uUF83LCbJTA==
    -----END EC PRIVATE KEY-----
    """
  private static let openSSLPublicKey = """
    -----BEGIN PUBLIC KEY-----
    MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEoEfeBlqa6wqzVH+2EV54IJog95dh
    HcSeQO6hdnaY39xyhWyc6pYfOXAowP2DxR4jx3In3pX4CS2uUF83LCbJTA==
    -----END PUBLIC KEY-----

    """
  private static let otherCurve = """
    -----BEGIN PRIVATE KEY-----
    MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDCUn6ZuSMlSNSSYJQoJ
    10RGFebumoJqhXdxV6EuCBSvYbV0p+482lNxT3U15UW8lXyhZANiAASRd2OnZ4qe
    qhyJNtzi8nN0fH+nZ/u9ojIRquaWeWDuS6XqZzzBUw0DE2P5N9kavIQdPNgqpFX1
    NB/fBtVnh7Kc4524+0D8/7MBy9imqwrYUNtdr/MyxiBoLQar7iVo1xU=
    -----END PRIVATE KEY-----
    """
  private static let encrypted = """
    -----BEGIN ENCRYPTED PRIVATE KEY-----
    MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgxayjdh1kTGQICCAAw
    DAYIKoZIhvcNAgkFADAdBglghkgBZQMEAQIEENpNZhxLty69Pu4WGPFFPgYEgZDR
    W8Sz+lhM1kA2yspZGxhmwScvdnT+NV7iMdvYK7y1gNqbZG5C5+rgt/XjUs91jiBw
    kJQ33W0jtyzGVusXIn21uUpJKmVM7l6Xqqph9vtYOaHB7zHl1IL31GHacKXqF7OR
    AYnezckY0m7k0o5JVdbmcAde5inLLzM8WrnUGFPLjJxSV8RCQ20Tqx7Y+PxclUE=
    -----END ENCRYPTED PRIVATE KEY-----
    """

  private static func bytes(of pem: String) -> [UInt8]? {
    Base64.decode(pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined())
  }
}
