import Crypto
package import Domain

extension SigningKey {
  /// The pair on curve P-256 whose private key is a secret of 32 bytes; such secrets are made to fit the curve.
  @Sendable
  package static func p256(secret: [UInt8]) -> SigningKey {
    guard let key = P256PrivateKey(number: secret) else { preconditionFailure("the secret fits the curve") }
    return SigningKey(privatePEM: key.privatePEM, publicPEM: key.publicPEM)
  }
}
