internal import COpenSSL

/// Keys of the curve P-256 by their numbers and bytes.
///
/// Their encodings have one length, so they are read and written here. For each, OpenSSL would search all its
/// decoders or encoders.
private enum P256 {
  /// SubjectPublicKeyInfo (RFC 5280) before the point: id-ecPublicKey on prime256v1, the header of the bits.
  static let publicPrefix: [UInt8] = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A,
    0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
  ]

  /// PKCS #8 (RFC 5208) with an ECPrivateKey (RFC 5915). Some libraries require the point in it.
  static func privateDER(number: [UInt8], point: [UInt8]) -> [UInt8] {
    [
      0x30, 0x81, 0x87, 0x02, 0x01, 0x00,
      // Algorithm: id-ecPublicKey on prime256v1.
      0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01,
      0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07,
      // Key: version 1, its number, then its point.
      0x04, 0x6D, 0x30, 0x6B, 0x02, 0x01, 0x01, 0x04, 0x20,
    ] + number + [0xA1, 0x44, 0x03, 0x42, 0x00] + point
  }

  /// OpenSSL's key. The point is 4, x and y: 65 bytes. Returns nil for points that are not on the curve.
  static func key(point: [UInt8], number: OpaquePointer? = nil) -> OpaquePointer? {
    defer { ERR_clear_error() }
    return cossl_p256(point, number)
  }

  /// Nobody changes it. OpenSSL takes longer to make it than to multiply a point.
  nonisolated(unsafe) private static let group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1)

  /// The point of a private number. Returns nil unless the number is between 0 and the curve's order.
  static func point(of number: OpaquePointer?) -> [UInt8]? {
    guard BN_is_zero(number) == 0, BN_cmp(number, EC_GROUP_get0_order(group)) < 0 else { return nil }
    let point = EC_POINT_new(group)
    defer { EC_POINT_free(point) }
    EC_POINT_mul(group, point, number, nil, nil, nil)
    var bytes = [UInt8](repeating: 0, count: 65)
    EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, &bytes, bytes.count, nil)
    return bytes
  }
}

/// A private key of the curve P-256. It signs with ECDSA and SHA-256 (`ES256` of RFC 7518).
package final class P256PrivateKey {
  /// 32 bytes, big-endian.
  private let number: [UInt8]
  /// 4, x and y.
  private let point: [UInt8]
  private var madeNative: OpaquePointer?

  /// Creates the key from its number: 32 bytes, big-endian. Returns nil for 0 and for numbers that are not
  /// below the curve's order.
  package init?(number: [UInt8]) {
    guard number.count == 32 else { return nil }
    let value = BN_bin2bn(number, 32, nil)
    defer { BN_clear_free(value) }
    guard let point = P256.point(of: value) else { return nil }
    (self.number, self.point) = (number, point)
  }

  /// Reads an unencrypted PEM key. Returns nil for other text, other kinds of key, other curves, and numbers
  /// that are not below the curve's order.
  package convenience init?(pem: String) {
    guard let key = PEM.read(pem, cossl_read_private_ec_key) else { return nil }
    var number: OpaquePointer?
    defer {
      EVP_PKEY_free(key)
      BN_clear_free(number)
      ERR_clear_error()
    }
    guard P256PublicKey(der: Buffer.bytes { i2d_PUBKEY_bio($0, key) }) != nil,
      EVP_PKEY_get_bn_param(key, "priv", &number) == 1, BN_num_bits(number) <= 256
    else { return nil }
    self.init(number: Self.bytes(of: number))
  }

  deinit { EVP_PKEY_free(madeNative) }

  /// OpenSSL's key, made on first use: most keys of sandboxes sign nothing.
  var native: OpaquePointer {
    if let madeNative { return madeNative }
    let value = BN_bin2bn(number, 32, nil)
    defer { BN_clear_free(value) }
    guard let key = P256.key(point: point, number: value) else {
      preconditionFailure("the point is that of the number")
    }
    madeNative = key
    return key
  }

  /// PKCS #8 in PEM.
  package var privatePEM: String {
    PEM.text("PRIVATE KEY", P256.privateDER(number: number, point: point))
  }

  /// SubjectPublicKeyInfo in PEM.
  package var publicPEM: String { PEM.text("PUBLIC KEY", publicDER) }

  /// SubjectPublicKeyInfo: 91 bytes.
  package var publicDER: [UInt8] { P256.publicPrefix + point }

  /// 32 bytes, big-endian.
  static func bytes(of number: OpaquePointer?) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 32) { bytes, count in
      BN_bn2binpad(number, bytes.baseAddress, 32)
      count = 32
    }
  }

  /// A signature in DER: a SEQUENCE of r and s, at most 72 bytes.
  ///
  /// Two signatures of one message differ: OpenSSL before 3.2 cannot derive the secret number from the
  /// message (RFC 6979).
  package func signature(of message: [UInt8]) -> [UInt8] {
    DigestSignature.sign(message, with: native) ?? []
  }

  /// A signature in the form of tokens: r and s, 32 bytes each (RFC 7518, 3.4).
  package func rawSignature(of message: [UInt8]) -> [UInt8] {
    ECDSASignature.raw(signature(of: message)) ?? []
  }
}

/// A public key of the curve P-256. It verifies ECDSA with SHA-256 (`ES256` of RFC 7518).
package final class P256PublicKey {
  private let native: OpaquePointer
  /// SubjectPublicKeyInfo.
  package let der: [UInt8]

  /// Reads SubjectPublicKeyInfo with an uncompressed point: 91 bytes. Returns nil for other bytes and for
  /// points that are not on the curve.
  package init?(der: [UInt8]) {
    let prefix = P256.publicPrefix
    guard der.count == prefix.count + 65, der.starts(with: prefix + [4]),
      let key = P256.key(point: Array(der[prefix.count...]))
    else { return nil }
    native = key
    self.der = der
  }

  /// The key at a point: x and y, 32 bytes each.
  package convenience init?(x: [UInt8], y: [UInt8]) {
    guard x.count == 32 else { return nil }
    self.init(der: P256.publicPrefix + [4] + x + y)
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
    DigestSignature.verify(signature, of: message, with: native)
  }

  /// True for a signature in the form of tokens: r and s, 32 bytes each.
  package func accepts(rawSignature signature: [UInt8], of message: [UInt8]) -> Bool {
    ECDSASignature.der(signature).map { accepts(derSignature: $0, of: message) } ?? false
  }
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
