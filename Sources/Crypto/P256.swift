internal import COpenSSL

/// A private key of the curve P-256. It signs with ECDSA and SHA-256 (`ES256` of RFC 7518).
package final class P256PrivateKey {
  let native: OpaquePointer

  /// Creates the key from its number: 32 bytes, big-endian. Returns nil for 0 and for numbers that are not
  /// below the curve's order.
  package init?(number: [UInt8]) {
    guard number.count == 32 else { return nil }
    // PKCS #8 (RFC 5208) with an ECPrivateKey (RFC 5915). OpenSSL computes the public key.
    let encoded = Self.prefix + number
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
    // Some other libraries require the public key in the file.
    EVP_PKEY_set_int_param(key, "include-public", 1)
    native = key
  }

  /// Reads an unencrypted PEM key. Returns nil for other text, other kinds of key, and other curves.
  package init?(pem: String) {
    guard let key = PEM.read(pem, cossl_read_private_key) else { return nil }
    guard EVP_PKEY_get_base_id(key) == EVP_PKEY_EC, P256PublicKey(der: Self.publicDER(of: key)) != nil else {
      EVP_PKEY_free(key)
      return nil
    }
    native = key
  }

  deinit { EVP_PKEY_free(native) }

  /// PKCS #8 in PEM.
  package var privatePEM: String {
    PEM.write { PEM_write_bio_PKCS8PrivateKey($0, native, nil, nil, 0, nil, nil) }
  }

  /// SubjectPublicKeyInfo in PEM.
  package var publicPEM: String {
    PEM.write { PEM_write_bio_PUBKEY($0, native) }
  }

  /// SubjectPublicKeyInfo: 91 bytes.
  package var publicDER: [UInt8] { Self.publicDER(of: native) }

  /// A signature in DER: a SEQUENCE of r and s, at most 72 bytes.
  ///
  /// Two signatures of one message differ: OpenSSL before 3.2 cannot derive the secret number from the
  /// message (RFC 6979).
  package func signature(of message: [UInt8]) -> [UInt8] {
    DigestSignature.sign(message, with: native)
  }

  /// A signature in the form of tokens: r and s, 32 bytes each (RFC 7518, 3.4).
  package func rawSignature(of message: [UInt8]) -> [UInt8] {
    guard let raw = ECDSASignature.raw(signature(of: message)) else {
      preconditionFailure("OpenSSL signs in DER")
    }
    return raw
  }

  private static func publicDER(of key: OpaquePointer) -> [UInt8] { Buffer.bytes { i2d_PUBKEY_bio($0, key) } }

  private static let prefix: [UInt8] = [
    0x30, 0x41, 0x02, 0x01, 0x00,
    // Algorithm: id-ecPublicKey on prime256v1.
    0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01,
    0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07,
    // Key: version 1, then its number.
    0x04, 0x27, 0x30, 0x25, 0x02, 0x01, 0x01, 0x04, 0x20,
  ]
}

/// A public key of the curve P-256. It verifies ECDSA with SHA-256 (`ES256` of RFC 7518).
package final class P256PublicKey {
  private let native: OpaquePointer
  /// SubjectPublicKeyInfo.
  package let der: [UInt8]

  /// Reads SubjectPublicKeyInfo with an uncompressed point: 91 bytes. Returns nil for other bytes and for
  /// points that are not on the curve.
  package init?(der: [UInt8]) {
    guard der.count == Self.prefix.count + 65, der.starts(with: Self.prefix + [4]) else { return nil }
    defer { ERR_clear_error() }
    let key = der.withUnsafeBufferPointer { bytes in
      var start = bytes.baseAddress
      return d2i_PUBKEY(nil, &start, bytes.count)
    }
    guard let key else { return nil }
    native = key
    self.der = der
  }

  /// The key at a point: x and y, 32 bytes each.
  package convenience init?(x: [UInt8], y: [UInt8]) {
    guard x.count == 32 else { return nil }
    self.init(der: Self.prefix + [4] + x + y)
  }

  /// Reads SubjectPublicKeyInfo in PEM. Returns nil for other text, other kinds of key, and other curves.
  package convenience init?(pem: String) {
    guard let key = PEM.read(pem, cossl_read_public_key) else { return nil }
    defer { EVP_PKEY_free(key) }
    self.init(der: Buffer.bytes { i2d_PUBKEY_bio($0, key) })
  }

  deinit { EVP_PKEY_free(native) }

  /// True for a signature in DER: a SEQUENCE of r and s.
  package func accepts(derSignature signature: [UInt8], of message: [UInt8]) -> Bool {
    let digest = EVP_MD_CTX_new()
    defer {
      EVP_MD_CTX_free(digest)
      ERR_clear_error()
    }
    guard EVP_DigestVerifyInit(digest, nil, EVP_sha256(), nil, native) == 1 else { return false }
    return EVP_DigestVerify(digest, signature, signature.count, message, message.count) == 1
  }

  /// True for a signature in the form of tokens: r and s, 32 bytes each.
  package func accepts(rawSignature signature: [UInt8], of message: [UInt8]) -> Bool {
    ECDSASignature.der(signature).map { accepts(derSignature: $0, of: message) } ?? false
  }

  /// SubjectPublicKeyInfo before the point: id-ecPublicKey on prime256v1, and the header of the bits.
  private static let prefix: [UInt8] = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A,
    0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
  ]
}

/// The two forms of a signature on a curve of 256 bits.
enum ECDSASignature {
  /// DER from r and s, 32 bytes each; nil for other lengths.
  static func der(_ raw: [UInt8]) -> [UInt8]? {
    guard raw.count == 64, let signature = ECDSA_SIG_new() else { return nil }
    defer { ECDSA_SIG_free(signature) }
    let (r, s) = (Array(raw.prefix(32)), Array(raw.suffix(32)))
    // The signature frees both numbers.
    guard ECDSA_SIG_set0(signature, BN_bin2bn(r, 32, nil), BN_bin2bn(s, 32, nil)) == 1 else { return nil }
    var der = [UInt8](repeating: 0, count: Int(i2d_ECDSA_SIG(signature, nil)))
    der.withUnsafeMutableBufferPointer { bytes in
      var start = bytes.baseAddress
      _ = i2d_ECDSA_SIG(signature, &start)
    }
    return der
  }

  /// r and s, 32 bytes each, from DER; nil for other bytes.
  static func raw(_ der: [UInt8]) -> [UInt8]? {
    let signature = der.withUnsafeBufferPointer { bytes in
      var start = bytes.baseAddress
      return d2i_ECDSA_SIG(nil, &start, bytes.count)
    }
    guard let signature else { return nil }
    defer { ECDSA_SIG_free(signature) }
    var (r, s) = ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 0, count: 32))
    guard BN_bn2binpad(ECDSA_SIG_get0_r(signature), &r, 32) == 32,
      BN_bn2binpad(ECDSA_SIG_get0_s(signature), &s, 32) == 32
    else { return nil }
    return r + s
  }
}
