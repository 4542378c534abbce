import Crypto

extension SigningKey {
  /// The P-256 key pair with this private key: 32 bytes that are known to fit the curve.
  @Sendable
  package static func p256(secret: [UInt8]) -> SigningKey {
    guard let key = P256PrivateKey(number: secret) else {
      preconditionFailure("the secret is not a private key of P-256")
    }
    return SigningKey(privatePEM: key.privatePEM, publicPEM: key.publicPEM)
  }

  /// The key pair of a private RSA key in PEM that can sign; nil for any other text.
  package init?(pem: String) {
    guard let key = RSAPrivateKey(pem: pem), key.pssSignature(of: []) != nil else { return nil }
    self.init(privatePEM: pem, publicPEM: key.publicPEM)
  }

  /// An RSASSA-PSS signature with SHA-256 and 32 bytes of salt.
  package func pssSignature(of bytes: [UInt8], in sandbox: Sandbox) throws(DamagedState) -> [UInt8] {
    try signature(in: sandbox) { $0.pssSignature(of: bytes) }
  }

  /// An RSASSA-PKCS1-v1_5 signature with SHA-256: `RS256` of tokens.
  package func pkcs1Signature(of bytes: [UInt8], in sandbox: Sandbox) throws(DamagedState) -> [UInt8] {
    try signature(in: sandbox) { $0.pkcs1Signature(of: bytes) }
  }

  private func signature(
    in sandbox: Sandbox, _ sign: (RSAPrivateKey) -> [UInt8]?
  ) throws(DamagedState) -> [UInt8] {
    guard let key = sandbox.parsedKeys.key(in: privatePEM, parse: { RSAPrivateKey(pem: $0) }),
      let signature = sign(key)
    else { throw DamagedState(expected: "a private RSA key in PEM") }
    return signature
  }

  /// The private key without text before its PEM block. All new sandboxes answer with that of the same seed.
  package func barePrivatePEM(in sandbox: Sandbox) -> String {
    sandbox.parsedKeys.key(in: privatePEM) { BarePEM($0) }?.text ?? ""
  }
}

private struct BarePEM {
  let text: String

  init(_ pem: String) {
    let lines = pem.utf8.split(separator: UInt8(ascii: "\n"))
    let key = lines.drop { !$0.starts(with: "-----BEGIN".utf8) }
    text = String(decoding: Array(key.joined(separator: "\n".utf8)) + Array("\n".utf8), as: UTF8.self)
  }
}
