import Crypto
import Testing

@Suite("RSA-PSS")
struct RSATests {
  /// The key of `Seeds/default/keys.json`, with its leading line.
  private static let key = """
    Test key of the Ringfence sandbox: published on purpose, it protects nothing.
    -----BEGIN PRIVATE KEY-----
    MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQClK03BJhP11Eb0
    ieT2yJMCfjQdQd3hUYI89OejE3IMGJw+lJCPnsmJSl+Ey3JgMh7mQ92w/jQZjhlC
    wa7DrZ0/2TME4qgTLwo78UPHHogcu8FzOxO9AVCIa4KULoimpunWTNmN7dDdUtRh
    IIzIFwtTQKqW4ZuMckedTt8iNd4zwlMZqPTnezqBHsTSBJVBOdG5Bhmq12IgpL1u
    i9NZgwcZ/77oXfQN8YZZw20O+45z2lGkke2x74ULLncqrZtIA02eNNuOeAvkrIAj
    lBXCpJHLT08+ZPhYbjOBKUpHt/Kc4Qlod89zSvzYDFWdYzDXUg0b3IUUlPZf+n6Z
    rhb5uT/bAgMBAAECggEAOv9kVz1UPOe17qyA2jvb8zSERf0cldrJFCAAy6nq/3Id
    AWeM2ZhE8eLcirEnKkBM9EBCpHGwx34P/N31IJVXyZI6XKDfm3aeh7nO1YXM5cKV
    P6VXEBiznP8WFfsnOav+c9tgjIdpp1zqWsVHNEOy+mprZNiyeLDrbr/ZCT3HoKHS
    k+acI5o/Pr9pgb6U9rPTXBBrBXxiPqMsIzFZVII93Ts60VYyIBHgrTgCWnwL5kRQ
    whKCEc4T9m+IU+zeJhy+Pv4mLXSMRunV0/w0nkb/jmaBuP1hmPn3U8Hb0XSdPKWL
    dtfEv/tiVzza/euqRJwXn1EM6m2bqpgmT/SMVO/wmQKBgQDUr/tAFKsu1I+TmdNE
    dDHrW+Y40swJz9jYd2VY9QP2TBextifVBuLjsU+rtdVZpIbO6FKx2dp9bmZDbrB9
    DZtUSEmD2WRsqavjuDom+M8m0dOEx5hB0BilvTdWD5hLhd32unFACjhwiBh84XV1
    nuxLXhT5aDuRcSgQ5XQFNv8biQKBgQDGzg45g+xuU0oMXq4S2jMk/9b2n5yMDst1
    nSNxdEPP0EXj+SHYxgW4VkjWUrLA6j9k5f8o5mPTAB9NY9g4WS4zuXDqTLbpaz0Z
    cEcI4ZnoTfpQ4XGbQql1109uiZRE7CV1i6WIKxIj01Z1AhXJbwoV4yaDsL1Yh5Ge
    cuoqEMLzQwKBgQCwxmAW/9bUApofPQBK6iS/kU+FtTcfhKCgMoSK7oLPiKk87MCo
    n6OfSjWE64obitL9UD3DUuX10PewXmTUW6XZ5IctzldYtaGHkQzMbYqHomii+N5E
    /TgvMVi38BhN1UMKmiYc6yHD7mokCaR+EYwmjFj0fzzbguihOoU2/GIGuQKBgCtP
    3R1+tlXa43kKb5Y/34CiFG0qnOqOlpkLIRuontV5pKBkOJGHottkQP4gij0pS6Jp
    0UtR1lGz5x3vML4l/8DZF9aT3A3ChU8zfOZccDGCO5S/aQbQYScBP5bvdlQFtquD
    Pw8Jgyw28NERITn/bQ0TreJm8PmGn50LoCSF/lMNAoGAHGLgte8Sb1IMUM7baZii
    NpSi7c2vSSIvp7fwY6gvUkw9r7HXBh1DS06rnTmQxJyz2HgDshaQ6mu71p3CcRK4
    rsFVazCMPlmr+biUe6NRxlhOGfn0VC25u4w0NgWjF0tU5kI1+1jOUVi5CtpRVydf
    pGKHQojn0KNau2X1JskWQAk=
    -----END PRIVATE KEY-----

    """

  /// Its public key, from `openssl pkey -pubout`.
  private static let publicKey = """
    -----BEGIN PUBLIC KEY-----
    MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEApStNwSYT9dRG9Ink9siT
    An40HUHd4VGCPPTnoxNyDBicPpSQj57JiUpfhMtyYDIe5kPdsP40GY4ZQsGuw62d
    P9kzBOKoEy8KO/FDxx6IHLvBczsTvQFQiGuClC6Ipqbp1kzZje3Q3VLUYSCMyBcL
    U0CqluGbjHJHnU7fIjXeM8JTGaj053s6gR7E0gSVQTnRuQYZqtdiIKS9bovTWYMH
    Gf++6F30DfGGWcNtDvuOc9pRpJHtse+FCy53Kq2bSANNnjTbjngL5KyAI5QVwqSR
    y09PPmT4WG4zgSlKR7fynOEJaHfPc0r82AxVnWMw11ING9yFFJT2X/p+ma4W+bk/
    2wIDAQAB
    -----END PUBLIC KEY-----

    """

  /// `openssl dgst -sha256 -sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:32 -sign` of "Ringfence".
  private static let signature = """
    kwiK98nVvMSiRkZcAj7epAmCYcrSxIdQP0kZAaj4tb2zWs7jFudIO+1FOP/wG/eQiiOMphNaLPCnATjP3UwieTF8jD\
    TMYXNj4ShPNRsQ7NePBDiP0+cfo0Ppme/39RKPJI4emUXFTql1BYeo4gzOoqVqJTXxw+CX3wrRh4KAzyNylgggGZrL\
    lfom7Xmki8Q7zS7ZN1TSoarXAEb99x8ALrXBasvzkwdK4aNM4epR4YdnkF1uRPumcUmEnzYwETBn6hullYwdPu2DvU\
    SN1E0mOOjZrZ7eDpuxpshYCJHQaVAngCVelANQAMnswonEN1A2fIOf8STIrrRGLT6/PrJg/Q==
    """

  /// Its PKCS #1 v1.5 signature, from OpenSSL.
  private static let pkcs1Signature = """
    Ij98BSDwZvBByjal0Cx6dHHc/AcEr1fwezc36fqBt+CP6AGD3ZBg0ixWMUx8nA47PKKMD03ISuo8SGqzwsIuHud7YT\
    KtNw2raLzYMienFSkk0ZQwhQYmxQDfHC0fpZyF0jnekktLg5me0UMht0s7rd1ygVAWrsZOo60cLAD2yOktLwXphQNM\
    tuoInizM9110tCLXAgpr/IcMMrObk3ZfO4YN+mHyTuwRzvtWePNPfPhhpaaOJgiJxWUYFSgpkkmt8fKwyINHX0psUs\
    JAVlrLfxCbOJRj1qFQc6CcnoYnlZ2/kVJuwaAp73Aa2cjhuMQx4Kqm0qOrLD+e/PpOLmu0TQ==
    """

  @Test("a PKCS #1 v1.5 signature is accepted for its bytes and scheme only")
  func pkcs1() throws {
    let key = try #require(RSAPublicKey(pem: Self.publicKey))
    let signature = try #require(Base64.decode(Self.pkcs1Signature))
    let salted = try #require(Base64.decode(Self.signature))

    #expect(key.accepts(pkcs1Signature: signature, of: Array("Ringfence".utf8)))
    #expect(!key.accepts(pkcs1Signature: signature, of: Array("ringfence".utf8)))
    #expect(!key.accepts(pkcs1Signature: salted, of: Array("Ringfence".utf8)))
    #expect(!key.accepts(pssSignature: signature, of: Array("Ringfence".utf8)))
    #expect(!key.accepts(pkcs1Signature: [], of: Array("Ringfence".utf8)))
  }

  @Test("the public key is the one that the openssl tool prints")
  func publicHalf() throws {
    let key = try #require(RSAPrivateKey(pem: Self.key))

    #expect(key.publicPEM == Self.publicKey)
  }

  @Test("a signature of the openssl tool is accepted for its bytes only")
  func foreignSignature() throws {
    let key = try #require(RSAPublicKey(pem: Self.publicKey))
    let signature = try #require(Base64.decode(Self.signature))

    #expect(key.accepts(pssSignature: signature, of: Array("Ringfence".utf8)))
    #expect(!key.accepts(pssSignature: signature, of: Array("ringfence".utf8)))
    #expect(!key.accepts(pssSignature: Array(signature.dropLast()), of: Array("Ringfence".utf8)))
    #expect(!key.accepts(pssSignature: [], of: Array("Ringfence".utf8)))
  }

  @Test("a signature is as long as the key, salted, and valid", arguments: [[], Array("body".utf8)])
  func signing(message: [UInt8]) throws {
    let key = try #require(RSAPrivateKey(pem: Self.key))
    let checker = try #require(RSAPublicKey(pem: key.publicPEM))

    let (first, second) = (key.pssSignature(of: message), key.pssSignature(of: message))

    #expect(first.count == 256)
    #expect(first != second)
    for signature in [first, second] { #expect(checker.accepts(pssSignature: signature, of: message)) }
  }

  @Test(
    "anything but an unencrypted RSA key of enough bits is rejected, without a password prompt",
    arguments: [
      "", "nonsense", RSATests.publicKey, RSATests.elliptic, RSATests.short, RSATests.encrypted,
    ])
  func noKey(pem: String) {
    #expect(RSAPrivateKey(pem: pem) == nil)
  }

  @Test("a private key is not accepted as a public key")
  func noPublicKey() {
    #expect(RSAPublicKey(pem: Self.key) == nil)
    #expect(RSAPublicKey(pem: "") == nil)
  }

  // Keys of other kinds, made for these tests.
  private static let elliptic = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgroQ2tzsStwse5xz2
    e8x+QGCapaj85UQCismpGmnNajihRANCAARTG1ZDo4KICrXaPevsrHyqWI5A6v9L
    b/DxDTSkPU78dqsjYxsY6tG886SFPMDxfaLWyKnUPchS7gbjQJS2fbRs
    -----END PRIVATE KEY-----
    """
  private static let short = """
    -----BEGIN PRIVATE KEY-----
    MIICeAIBADANBgkqhkiG9w0BAQEFAASCAmIwggJeAgEAAoGBAPK2POsv2NwaA9fX
    Ow2D1OeR7IWSq3kqwK/GcrXARVpKmXq86FLoUmil8cxD1JIBw+heV1pND/pslgyl
    7XDWcFpvrxfew1I8Bx1xvgJx6oVu1/De0/nsGB8tgD5h1nKRNbXC/lbfUbEY+zyS
    PJwuizEGxosWBuxMEbcbD1lU+IHrAgMBAAECgYEAnNNX5XdTHlTI6uwtQfxO0xoc
    w+oTVgVj36/QatPDfCX7qazqSLfIl8mxxRSHA5iUZ06eDsEAdAU5pw6Hr4M/sE2S
    WyPEzPdLZMJHmLp1vRQAcycaOX2vFFhwYoasg3senTUWuKX5u/j54VGAT2Gw8Aqy
    rIGKXzorFCxGYhdEQrECQQD9VC66yxPSHZ9rDSq5UlesmaqSybcLR0rChkgwus8q
    HfYyRCLJpyqPX6dLJSbEQS6IbKcsdwsUTTFqNdx7Fe/PAkEA9UVlkSBedDYZh18s
    wX2RzNmM+ItW/GElbfuNRd+w2Ze9gv4YZG+SHcUpbk34lsstmYbu/5YW/qkfTBGc
    frrXJQJAagByuUjGl3I7xdCxovA4rYlzXY64YCjJuJH13SYeD5KP9UKbh+PCJFIz
    L3dxPEfGD+HfJfT+FtWiKr407vAj8wJBAMr++bXohWRHVk+tHNyzsdVKhRs8L+1H
    9fOWC/G11qfwp5/f745IrTVIdibeD422cXIstGgC79srXETYGp7kwqUCQQDthyyg
    JWpf4CyxSKiCfk4Fh/H40HD+2EHI8kw72Z+d90ZnMdGfCovNNiBAFKuAQ2u4iezl
    MvwodUdxC1IZhsFM
    -----END PRIVATE KEY-----
    """
  private static let encrypted = """
    -----BEGIN ENCRYPTED PRIVATE KEY-----
    MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAjrm9PmS2YwEQICCAAw
    DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEDKL3RD3dCibTpNvaOIp2+kEgZBw
    WLMwrhPYZbAiWeJlKgGEbTj3KJ91gEFMQwFWIdL5oHZNFqUTq1ITvYWEpFclW3Us
    fiwxsfmxerNhAPjPMvALomUhitZ34Vc5EZYs5eqPZatJZx9wNZZ8ic+48u+JiUT7
    wImGt31v0tHt34sm5Q56/SdLbkWBgv8nnxcWX//pHlS4jPu5jm1/aPBktWSZhgA=
    -----END ENCRYPTED PRIVATE KEY-----
    """

  @Test("a key is read from its numbers, as tokens' key sets have them")
  func numbers() throws {
    let key = try #require(RSAPrivateKey(pem: Self.key))
    let whole = try #require(RSAPublicKey(pem: Self.publicKey))
    let message = Array("Ringfence".utf8)
    let signature = key.pkcs1Signature(of: message)

    let rebuilt = try #require(RSAPublicKey(modulus: whole.modulus, exponent: whole.exponent))

    #expect(whole.exponent == [1, 0, 1])
    #expect(whole.modulus.count == 256)
    #expect(rebuilt.accepts(pkcs1Signature: signature, of: message))
    #expect(!rebuilt.accepts(pkcs1Signature: signature, of: message + [0]))
    #expect(key.pkcs1Signature(of: message) == signature)
  }

  @Test("numbers that are no key of enough bits", arguments: [0, 1, 128, 255, 1025])
  func noKey(count: Int) {
    #expect(RSAPublicKey(modulus: [UInt8](repeating: 0xFF, count: count), exponent: [1, 0, 1]) == nil)
    #expect(RSAPublicKey(modulus: [UInt8](repeating: 0xFF, count: 256), exponent: []) == nil)
  }
}
