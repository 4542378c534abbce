internal import COpenSSL

/// A public RSA key that checks signatures; a class because it owns OpenSSL's.
package final class RSAPublicKey {
  private let native: OpaquePointer

  /// Reads a key from its PEM text (SubjectPublicKeyInfo); nil for anything else.
  package init?(pem: String) {
    guard let key = PEM.read(pem, cossl_read_public_key) else { return nil }
    guard EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA else {
      EVP_PKEY_free(key)
      return nil
    }
    native = key
  }

  deinit { EVP_PKEY_free(native) }

  /// Whether the signature is one that `RSAPrivateKey.pssSignature` gives for the message.
  package func accepts(pssSignature signature: [UInt8], of message: [UInt8]) -> Bool {
    let digest = PSSDigest()
    guard digest.begin(EVP_DigestVerifyInit, with: native) else { return false }
    defer { ERR_clear_error() }
    return EVP_DigestVerify(digest.native, signature, signature.count, message, message.count) == 1
  }
}
