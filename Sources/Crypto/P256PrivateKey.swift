internal import COpenSSL

/// A private key on curve P-256; a class because it owns OpenSSL's.
package final class P256PrivateKey {
  private let native: OpaquePointer

  /// The key that is this number, 32 bytes with the first one leading; nil where it is 0 or not below the
  /// curve's order.
  package init?(number: [UInt8]) {
    guard number.count == 32 else { return nil }
    // PKCS #8 (RFC 5208) around an ECPrivateKey (RFC 5915) without its public half, which OpenSSL works out.
    let encoded = Self.frame + number
    defer { ERR_clear_error() }
    let key = encoded.withUnsafeBufferPointer { bytes in
      var start = bytes.baseAddress
      return d2i_AutoPrivateKey(nil, &start, bytes.count)
    }
    guard let key else { return nil }
    let context = EVP_PKEY_CTX_new_from_pkey(nil, key, nil)
    defer { EVP_PKEY_CTX_free(context) }
    guard EVP_PKEY_private_check(context) == 1 else {
      EVP_PKEY_free(key)
      return nil
    }
    // Some readers of other makes want the public half beside the private one.
    EVP_PKEY_set_int_param(key, "include-public", 1)
    native = key
  }

  deinit { EVP_PKEY_free(native) }

  /// The key as PKCS #8 in PEM.
  package var privatePEM: String {
    PEM.write { PEM_write_bio_PKCS8PrivateKey($0, native, nil, nil, 0, nil, nil) }
  }

  /// The public key as SubjectPublicKeyInfo in PEM.
  package var publicPEM: String {
    PEM.write { PEM_write_bio_PUBKEY($0, native) }
  }

  private static let frame: [UInt8] = [
    0x30, 0x41, 0x02, 0x01, 0x00,
    // The algorithm: id-ecPublicKey on prime256v1.
    0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01,
    0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07,
    // The key: version 1, then its number.
    0x04, 0x27, 0x30, 0x25, 0x02, 0x01, 0x01, 0x04, 0x20,
  ]
}
