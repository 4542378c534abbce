import Crypto
import Testing

/// Signatures of RFC 6979, and of Twilio's mobile clients. Source: `twilio-verify.md` 19.2
@Suite("Signatures with P-256")
struct P256SignatureTests {
  private static let key = """
    MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEWW5aEv82MvoOPVvr59t7s1s8JL8gSaGzJ1QpOO06kbpw+hNLZT7OUeBqNxHqwaDmIUp93jDq569DOmWJ\
    evkT/Q==
    """
  private static let factor = "YF030123456789abcdef0123456789abcd"
  private static let factorSignature =
    "MEQCIHuPc6cN3P54fergBQ/wWTwk5kUVsbPtTzILlnPJf+LiAiBSfAOY98udL0Ua+GfqA7+h6RDu2+5AqIp1+FUr7cB0Jw=="
  private static let tokens = [
    """
    eyJjdHkiOiJ0d2lsaW8tcGJhO3Y9MSIsImtpZCI6IkNSMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMiLCJ0eXAiOiJKV1QiLCJhbGciOiJF\
    UzI1NiJ9.eyJzdWIiOiJBQzExMTExMTExMTExMTExMTExMTExMTExMTExMTExMTExIiwiZXhwIjoxNzY3MjI2MjAwLCJuYmYiOjE3NjcyMjU2MDB9.aAy\
    zMJE_vMVRH4tLH1ZLyWFXE16bMe2rmwQPPzxCICSw5fOiNQVE7LFuY5uJP906KT2etPZLgp9Id64xsExlMg
    """,
    """
    eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJzaWQiOiJZQzAzYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiIiwiZmFjdG9yX3NpZCI6Il\
    lGMDMwMTIzNDU2Nzg5YWJjZGVmMDEyMzQ1Njc4OWFiY2QiLCJzdGF0dXMiOiJhcHByb3ZlZCJ9.t8UJiDrBhEog1-taWOkpt8R1yvSiwGcll5P1WyA6q\
    FQhMI75CDlTjm5H_yAggcVUPS3PNJTl5mZmuXfpO8Fcuw
    """,
  ]
  private static let number = [UInt8](repeating: 0x2A, count: 32)

  private func publicKey() throws -> P256PublicKey {
    let der = try #require(Base64.decode(Self.key))
    return try #require(P256PublicKey(der: der))
  }

  @Test("a mobile client's signature of a factor is accepted, of another text not")
  func factor() throws {
    let (key, signature) = (try publicKey(), try #require(Base64.decode(Self.factorSignature)))

    #expect(key.accepts(derSignature: signature, of: Array(Self.factor.utf8)))
    #expect(!key.accepts(derSignature: signature, of: Array("YF03".utf8)))
    #expect(!key.accepts(derSignature: signature + [0], of: Array(Self.factor.utf8)))
    #expect(!key.accepts(derSignature: [], of: Array(Self.factor.utf8)))
  }

  @Test("a mobile client's token is accepted, a changed one not", arguments: tokens)
  func token(text: String) throws {
    let key = try publicKey()
    let parts = text.split(separator: ".")
    let signed = Array("\(parts[0]).\(parts[1])".utf8)
    let signature = try #require(Base64.decodeFromURL(parts[2]))

    #expect(key.accepts(rawSignature: signature, of: signed))
    #expect(!key.accepts(rawSignature: signature, of: signed + [0x41]))
    #expect(!key.accepts(rawSignature: Array(signature.dropLast()), of: signed))
    #expect(!key.accepts(rawSignature: [UInt8](repeating: 0, count: 64), of: signed))
  }

  @Test("a private key's signatures are accepted in both forms, by its own public key only")
  func signing() throws {
    let key = try #require(P256PrivateKey(number: Self.number))
    let read = try #require(P256PrivateKey(pem: key.privatePEM))
    let own = try #require(P256PublicKey(der: key.publicDER))
    let message = Array("YC03".utf8)

    #expect(read.publicDER == key.publicDER)
    #expect(own.accepts(derSignature: read.signature(of: message), of: message))
    #expect(own.accepts(rawSignature: read.rawSignature(of: message), of: message))
    #expect(try !publicKey().accepts(derSignature: key.signature(of: message), of: message))
  }

  @Test("a key can be read from its point")
  func point() throws {
    let der = try #require(Base64.decode(Self.key))
    let key = try #require(P256PublicKey(x: Array(der[27..<59]), y: Array(der[59...])))
    let signature = try #require(Base64.decode(Self.factorSignature))

    #expect(key.accepts(derSignature: signature, of: Array(Self.factor.utf8)))
  }

  @Test("other bytes are not a public key")
  func noKey() throws {
    let der = try #require(Base64.decode(Self.key))
    var offCurve = der
    offCurve[90] ^= 1
    var otherCurve = der
    otherCurve[22] = 0x01

    for bytes in [[], Array(der.dropLast()), der + [0], offCurve, otherCurve] {
      #expect(P256PublicKey(der: bytes) == nil)
    }
    #expect(P256PublicKey(x: [], y: Array(der[27...])) == nil)
    #expect(P256PrivateKey(pem: "-----BEGIN PRIVATE KEY-----") == nil)
  }

  @Test(
    "45 A2: a number that is not below the curve's order is not a private key",
    arguments: [0x00, 0xFF] as [UInt8])
  func noNumber(byte: UInt8) throws {
    let key = try #require(P256PrivateKey(number: Self.number))
    let text = key.privatePEM.split(separator: "\n").dropFirst().dropLast().joined()
    var der = try #require(Base64.decode(text))
    let place = try #require(der.firstRange(of: Self.number))
    der.replaceSubrange(place, with: [UInt8](repeating: byte, count: 32))
    let lines = stride(from: 0, to: der.count, by: 48).map {
      Base64.encode(Array(der.dropFirst($0).prefix(48)))
    }

    let pem = "-----BEGIN PRIVATE KEY-----\n\(lines.joined(separator: "\n"))\n-----END PRIVATE KEY-----\n"

    #expect(P256PrivateKey(pem: pem) == nil)
  }
}

@Suite("P-256 · deterministic signatures")
struct DeterministicSignatureTests {
  /// RFC 6979, A.2.5: the key, and its signatures of two messages with SHA-256.
  private static let number = "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721"

  @Test(
    "signatures are those of RFC 6979",
    arguments: [
      (
        "sample",
        "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
          + "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8"
      ),
      (
        "test",
        "f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367"
          + "019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083"
      ),
    ])
  func vectors(message: String, signature: String) throws {
    let key = try #require(P256PrivateKey(number: Self.bytes(Self.number)))
    let publicKey = try #require(P256PublicKey(der: key.publicDER))

    let found = key.deterministicRawSignature(of: Array(message.utf8))

    #expect(found == Self.bytes(signature))
    #expect(publicKey.accepts(rawSignature: found, of: Array(message.utf8)))
  }

  private static func bytes(_ hex: String) -> [UInt8] {
    let digits = hex.compactMap { $0.hexDigitValue }
    return stride(from: 0, to: digits.count, by: 2).map { place -> UInt8 in
      let byte: Int = digits[place] << 4 | digits[place + 1]
      return UInt8(byte)
    }
  }
}
