import Crypto
package import Domain

extension SigningKey {
  /// The pair of a private RSA key in PEM; nil for anything else.
  package init?(pem: String) {
    guard let key = RSAPrivateKey(pem: pem) else { return nil }
    self.init(privatePEM: pem, publicPEM: key.publicPEM)
  }

  /// A signature of the bytes: RSASSA-PSS with SHA-256, 32 bytes of salt.
  package func pssSignature(of bytes: [UInt8]) -> [UInt8] {
    guard let key = RSAPrivateKey(pem: privatePEM) else { preconditionFailure("a kept key was read before") }
    return key.pssSignature(of: bytes)
  }
}
