internal import COpenSSL

extension P256PrivateKey {
  /// A signature in the form of tokens, whose secret number follows from key and message (RFC 6979): two
  /// signatures of one message are equal. For keys that protect nothing, because the time it takes depends on
  /// the key.
  package func deterministicRawSignature(of message: [UInt8]) -> [UInt8] {
    let digest = SHA256.hash(message)
    let numbers = BN_CTX_new()
    let group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1)
    defer {
      EC_GROUP_free(group)
      BN_CTX_free(numbers)
    }
    BN_CTX_start(numbers)
    defer { BN_CTX_end(numbers) }
    let order = EC_GROUP_get0_order(group)
    var secret: OpaquePointer?
    EVP_PKEY_get_bn_param(native, "priv", &secret)
    defer { BN_clear_free(secret) }
    let hash = BN_CTX_get(numbers)
    BN_bin2bn(digest, Int32(digest.count), hash)
    BN_nnmod(hash, hash, order, numbers)
    var source = NonceSource(key: Self.bytes(of: secret), hash: Self.bytes(of: hash))
    let (nonce, r, s) = (BN_CTX_get(numbers), BN_CTX_get(numbers), BN_CTX_get(numbers))
    let point = EC_POINT_new(group)
    defer { EC_POINT_free(point) }
    repeat {
      repeat {
        let bytes = source.next()
        BN_bin2bn(bytes, Int32(bytes.count), nonce)
      } while BN_is_zero(nonce) == 1 || BN_cmp(nonce, order) >= 0
      EC_POINT_mul(group, point, nonce, nil, nil, numbers)
      EC_POINT_get_affine_coordinates(group, point, r, nil, numbers)
      BN_nnmod(r, r, order, numbers)
      // s = (hash + r · secret) / nonce
      BN_mod_mul(s, r, secret, order, numbers)
      BN_mod_add(s, s, hash, order, numbers)
      BN_mod_inverse(nonce, nonce, order, numbers)
      BN_mod_mul(s, s, nonce, order, numbers)
    } while BN_is_zero(r) == 1 || BN_is_zero(s) == 1
    return Self.bytes(of: r) + Self.bytes(of: s)
  }

  /// The same in DER.
  package func deterministicSignature(of message: [UInt8]) -> [UInt8] {
    ECDSASignature.der(deterministicRawSignature(of: message)) ?? []
  }
}

/// Candidates for the secret number (RFC 6979, 3.2).
private struct NonceSource {
  private var key = [UInt8](repeating: 0, count: 32)
  private var value = [UInt8](repeating: 1, count: 32)
  private var isFirst = true

  init(key secret: [UInt8], hash: [UInt8]) {
    for separator in [0, 1] as [UInt8] { update(with: [separator] + secret + hash) }
  }

  mutating func next() -> [UInt8] {
    if !isFirst { update(with: [0]) }
    isFirst = false
    value = HMAC.authenticate(value, key: key)
    return value
  }

  private mutating func update(with bytes: [UInt8]) {
    key = HMAC.authenticate(value + bytes, key: key)
    value = HMAC.authenticate(value, key: key)
  }
}
