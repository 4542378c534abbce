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

    let first = try #require(key.pssSignature(of: message))
    let second = try #require(key.pssSignature(of: message))

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

  @Test("45 A2: a key whose numbers do not belong together signs nothing")
  func brokenKey() throws {
    let base64 = Self.key.split(separator: "\n").filter { !$0.contains("-") && !$0.contains(" ") }
    var der = try #require(Base64.decode(base64.joined()))
    // An even modulus, which cannot be the product of two large primes.
    let modulus = try #require(der.firstRange(of: [0x02, 0x82, 0x01, 0x01, 0x00]))
    der[modulus.upperBound + 255] &= 0xFE
    let lines = stride(from: 0, to: der.count, by: 48).map {
      Base64.encode(Array(der.dropFirst($0).prefix(48)))
    }
    let pem = "-----BEGIN PRIVATE KEY-----\n\(lines.joined(separator: "\n"))\n-----END PRIVATE KEY-----\n"

    let key = try #require(RSAPrivateKey(pem: pem))

    #expect(key.pssSignature(of: [1]) == nil)
    #expect(key.pkcs1Signature(of: [1]) == nil)
  }

  @Test("45 A2: a key with which a signature would take too long is refused")
  func longKey() {
    #expect(RSAPrivateKey(pem: String(repeating: " ", count: 20_000) + Self.key) == nil)
    #expect(RSAPrivateKey(pem: Self.long) == nil)
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
  /// 4,160 bits.
  private static let long = """
    -----BEGIN PRIVATE KEY-----
    MIIJZQIBADANBgkqhkiG9w0BAQEFAASCCU8wgglLAgEAAoICCQCJox0CpB1rQUoa
    J3ISQG8hHstHGDsSRdJE1k/lDzAg6n900kk1wTJ3iBoUu7vAkBFkZ2UFEY6MMlq+
    SyLROGOMmet9LiorhzSbFhq/5Ki87SDL+khHd7CFbsyZ8myQhrf+1s1PAfl5/Zvo
    YeUxCKxJr+meaWWKh+875+NMmmQVuZB+goaIMLxUdbMuUTn1yGb5EKSKkCYpjxyG
    VYx/kAndBdwjhtMCHGXrfmTN5ZsH2RkbeIBIixRP+oNYOpJmRyQI9LUfnA/9n9vD
    ncX+IvVemD2Zlb15BVgbwUKaUZr//Epl7hjw1B753KnjzFSfNPH5ZziAfyaP04R/
    c1WxkfZXEt4KFuL1dkSnVuBwNgGw5FeXkoZU2wDYNnZVAGRGO7GV8Hrx6TOszBlL
    vvKQ7kG8VloukuPlmVrHCYqnx4efzv/Dbf2NHz/+LJqgNloJMhlcLywFz+XyI9Sc
    RcWWwGvMRDyob3DKMReyrjpjiVqnnZ5ew+7tMkjodGqisG1080iFTEh/l2kQicTQ
    6ewbfJVpnWuq9pokacsU3olbVRP6e3PZE5Ce/wnymDwIfMN7L9zeHweMIOoANYCb
    hLodDlR1TOnXC8SWV3HKFIg1dOb4tt52T+zeBuYOu1W+pS4ZH6uaLv2tfgmRwBqB
    cqRq8P6loNXLW8DTBtGpSTwKee4ky6kYiUXxxQ1LAgMBAAECggIIDkQq+KAcMIbW
    8HkQONYW7r7rYRYg4Vb9YYc5RsvZOEA2L9ywG/NHkN45ndaLsnz8YITbErhsJxn9
    D+Zn2HnYz7UQlKwZUOO1zzFuWl+QIe0OTjZGEapVUK9YY8id+ikMn0ySgVL6Eev4
    ohCrmfaFLSofs/zGuqI2aOYzSDhkkV/nm0VaPnmWu8ZraSygLlq0WbKg63/fhMVB
    tqbdZkd+zjsSQ1hxPLHG2q8CMdlPxXN6R7+oxFwuIdAclyOTEyjikk8TCxC5E5fj
    RpZu9FWZS1HKaMX9mrK0HERe6/Hzd/8lkwUn7qZ+A3Yc4fDHAK2TOz+4upDzZUsO
    W8uPoVU4zHO3MiJgPy99v/8/aty++1HH/r8tJrVQgaGe6ccNYdMrM8ufUQMcx+on
    DffL4mVo1DpZg3h8QJ0qP1GPFc9xwdIqzYBcN+Ts/4ma0BezsQjNlRjr1XGJRsvt
    Zd56dHt5DoFcRYVARC5jBh/AAGr5+mmQQWNNQuV90TOJMJ5j57aCi2Smd+5QhbKc
    36IzDoO4o9RosGIoyoh9HQeRMmvwjyMKYKhlOlEqYinxvD2iWdxxHrP7jdKfRsVz
    cV8oTDUQdZYvjB0J1XdCP5S3b6eHZpC8bPPr0TDkkPpWS3lVX6yTxNUa1tWC6Dis
    MnHOnxkuNG0wj68sPgY0Jh2s6I1FXZaUwGkZqRYFiQKCAQUAvl+RSBHZqmGs7zEy
    h6llcwGySrBfjtT74iYEufzlIhcQcv0W6ZdEKdEmpa0t1ho3X35hEmd3I6oznziw
    FLevaEvlErDtAp6cwHtlKuhEFw8pRTfGmSn5ObvZLenGFQuCkxLP+MSFBhlNAybo
    5W2C1KZuIstygdsJ8OyR3nmdQHSU2EUIEvxzfl66FWhy1XArOvJVwavUONe3Dny2
    EorbUd/iCdPf/3wfH+dC4THbgjTg4OZvksm4/2cnlXaxgHljkcDBGaet6dW/fg5i
    ftbDxcw8VWGR/LMfuil/ZAeUiEpqkYgJO0cL8wJlqSoP/jj1AWZG2QUFXV8blTqL
    twlg6nttT5cCggEFALkVlYJ2n93UfjmATnXhBGqSaoDBvmNSHhdKg+IK+asPvdCq
    BQs4dgqUPdJXK1B+jmdOVNqTgqJoPxfggn+UDE1D5cPDjyxPvbYERCVwsi3I4uXo
    G2zl4tzrOVbCGtxlgeJMNsESwy8VQA7KxqK/TK93ncukIrgL1wGPVjY7Mr+qDXCS
    tX29Id+PNLhS+wH7OV7K6+omMpeXDtqGywN6qO4cEcgH8e/2s4pY6t+Xa2ulerVs
    Wmc2W1MsfC7b/LYe41RktvQL+qXlpT2StG9jPK6LwO083H8AdKaV5d5gQoMbYmSQ
    fqqm5gfwS9JjbpYKen926IPECnksP1XBNj9abAAuHGZtAoIBBH5ur+kCWeILTrPo
    o5tviD3SIZvy+PO+Ra7S+w6eg3qZgMYtifsHCDERg65Cjo+EB8R3BXcYmgporjIP
    jvmjaG5HAVLhh/bWalp3WSAe86Gw4wLiYRY1xxxtwnX4rSIq68RLmS2pLoN3aCsw
    uzor+djK05huL5VIaJjGNLZhZGt7QaNEbXFWkkmaFdHD9YgFH+DdMtEWEjLSKPQJ
    JU65Q6FjpBZMzZY609z3VPaEizk1byhOQklliWSuGJ7uHkKp29PgBR7JuvnyiGPq
    n8WHUqvZ0TQPQcpnGComB0HiuuWtLouKoj7pF2mD7QplMgvvvd/5EhJtgDubv5Dj
    OgkMxH3WDSnvAoIBBBHrRgtYgsfOT94vTulYvL24qTkICO/CvokQvM4AtAVcw8rU
    +yIH+F2z1nxr1hS3+/+CdPKof2hL4XflU50Yb0x3u2IFp/HpUnux1Asv6wBFx7ns
    i+MyKpGq8GU267TU2wtWx6JPt7fyPb5w4WRWUw1V7mAN5xKcitdq0jTz7EjkJOL2
    QT4INqRXUApcdlLNyNMloEuOIS3OATElBbizgnFzJEGSi1jpMJ6/VxYIqezFG6k+
    8U221Iar8uXyhHf5a5b7HT9pfX3cSvA4KOHz4Kchfq85Sju9ho2uS5AJD8dzukX0
    O184Q2MXX6/h0o4SO6PllkNTkpQCtasOxrrBfV1TGYrNAoIBBDC80Eu6NlMmegAx
    bnmCgjWVMvkDTElTrSIEv8ojSPbJplKV/3ENc6R871zxns1gOqtyX+pwIWq8tLlf
    K2oK8DSmf5tyrUeTQM0egbrK0OwFbvAhmz6QWFt4fo/Ulkr3I+y8UWVcPtUFWuKs
    K7Lu/6zkQImmuDda6StOTSajfqmSBPg2yFiDzcfD+CIyPIsaMrWDLa3Ifrq/5REO
    VbunMlYMujr6gbOqNUxaadRW/+6WQG0ByoCAJKRtfB92O+quQrEm/hZDHr196Prg
    UWxkPzvduDwNaBOqB/2/YFyfjKaa0KemPmWiK/KZSKKabKGWaZqKl32/BD7Oq9Ti
    8PHfGgAdgLh8
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
    let signature = try #require(key.pkcs1Signature(of: message))

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
