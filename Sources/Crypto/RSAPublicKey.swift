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

  /// Whether the signature is one of the message by RSASSA-PKCS1-v1_5 with SHA-256, `RS256` in tokens (RFC 7518, 3.3).
  package func accepts(pkcs1Signature signature: [UInt8], of message: [UInt8]) -> Bool {
    let digest = EVP_MD_CTX_new()
    defer {
      EVP_MD_CTX_free(digest)
      ERR_clear_error()
    }
    guard EVP_DigestVerifyInit(digest, nil, EVP_sha256(), nil, native) == 1 else { return false }
    return EVP_DigestVerify(digest, signature, signature.count, message, message.count) == 1
  }
}
