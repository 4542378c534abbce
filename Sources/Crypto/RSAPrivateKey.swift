internal import COpenSSL

/// A private RSA key that signs with PSS; a class because it owns OpenSSL's.
package final class RSAPrivateKey {
  /// The fewest bits that a key may have.
  package static let fewestBits: Int32 = 2048

  private let native: OpaquePointer

  /// Reads an unencrypted key of enough bits from its PEM text; nil for anything else.
  package init?(pem: String) {
    guard let key = PEM.read(pem, cossl_read_private_key) else { return nil }
    guard EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA, EVP_PKEY_get_bits(key) >= Self.fewestBits else {
      EVP_PKEY_free(key)
      return nil
    }
    native = key
  }

  deinit { EVP_PKEY_free(native) }

  /// The public key as SubjectPublicKeyInfo in PEM.
  package var publicPEM: String {
    PEM.write { PEM_write_bio_PUBKEY($0, native) }
  }

  /// A signature of the message: RSASSA-PSS with SHA-256, MGF1 with SHA-256, 32 bytes of salt (RFC 8017, 8.1).
  package func pssSignature(of message: [UInt8]) -> [UInt8] {
    let digest = PSSDigest()
    guard digest.begin(EVP_DigestSignInit, with: native) else { preconditionFailure("this key can sign") }
    var count = 0
    EVP_DigestSign(digest.native, nil, &count, message, message.count)
    var signature = [UInt8](repeating: 0, count: count)
    let code = EVP_DigestSign(digest.native, &signature, &count, message, message.count)
    precondition(code == 1, "signing needs only memory and chance")
    return signature
  }
}
