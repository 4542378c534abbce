internal import COpenSSL

/// OpenSSL's state of one signature; a class because it owns it.
final class PSSDigest {
  /// How OpenSSL begins to sign or to check.
  typealias Start = (
    OpaquePointer?, UnsafeMutablePointer<OpaquePointer?>?, OpaquePointer?, OpaquePointer?, OpaquePointer?
  ) -> Int32

  let native = EVP_MD_CTX_new()

  deinit { EVP_MD_CTX_free(native) }

  /// Begins with a key and the parameters of `RSAPrivateKey.pssSignature`.
  func begin(_ start: Start, with key: OpaquePointer) -> Bool {
    var context: OpaquePointer?
    return start(native, &context, EVP_sha256(), nil, key) == 1
      && EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1
      && EVP_PKEY_CTX_set_rsa_mgf1_md(context, EVP_sha256()) == 1
      && EVP_PKEY_CTX_set_rsa_pss_saltlen(context, 32) == 1
  }
}
