internal import COpenSSL

/// An X.509 certificate, optionally with its private key of P-256.
final class Certificate {
  let native: OpaquePointer
  let key: OpaquePointer?

  /// Creates a certificate with a new P-256 key; self-signed without an issuer. `extensions` are OpenSSL's
  /// NIDs and configuration values.
  init(_ subject: String, days: Int, issuer: Certificate?, extensions: [(Int32, String)]) {
    guard let native = X509_new(), let key = cossl_make_p256() else {
      preconditionFailure("cannot create a certificate")
    }
    (self.native, self.key) = (native, key)
    X509_set_version(native, 2)
    Self.setRandomSerial(of: native)
    // Valid since yesterday, for clients whose clock is slow.
    X509_gmtime_adj(X509_getm_notBefore(native), -86_400)
    X509_gmtime_adj(X509_getm_notAfter(native), days * 86_400)
    X509_NAME_add_entry_by_txt(
      X509_get_subject_name(native), "CN", MBSTRING_UTF8, subject, Int32(subject.utf8.count), -1, 0)
    X509_set_issuer_name(native, X509_get_subject_name(issuer?.native ?? native))
    X509_set_pubkey(native, key)
    for (number, value) in extensions { add(number, value, issuer: issuer) }
    precondition(X509_sign(native, issuer?.key ?? key, EVP_sha256()) > 0, "cannot sign a certificate")
  }

  /// Reads the first certificate of a PEM text, without a key.
  init?(pem: String) {
    guard let native = PEM.read(pem, cossl_read_certificate) else { return nil }
    self.native = native
    key = nil
  }

  /// Reads a certificate and its key from one PEM text. Returns nil unless both are present and match.
  init?(withKey pem: String) {
    guard let native = PEM.read(pem, cossl_read_certificate) else { return nil }
    self.native = native
    key = PEM.read(pem, cossl_read_private_ec_key)
    defer { ERR_clear_error() }
    guard let key, X509_check_private_key(native, key) == 1 else { return nil }
  }

  deinit {
    X509_free(native)
    EVP_PKEY_free(key)
  }

  /// True between its start and end dates.
  var isValid: Bool {
    X509_cmp_current_time(X509_get0_notBefore(native)) < 0
      && X509_cmp_current_time(X509_get0_notAfter(native)) > 0
  }

  /// True if it has a subject key identifier. Issuers need one.
  var hasKeyIdentifier: Bool { X509_get0_subject_key_id(native) != nil }

  func isSigned(by issuer: Certificate) -> Bool {
    defer { ERR_clear_error() }
    return X509_verify(native, X509_get0_pubkey(issuer.native)) == 1
  }

  var pem: String { PEM.write { PEM_write_bio_X509($0, native) } }

  /// The certificate, then its key as PKCS #8.
  var pemWithKey: String {
    pem + PEM.write { PEM_write_bio_PKCS8PrivateKey($0, key, nil, nil, 0, nil, nil) }
  }

  var der: [UInt8] { Buffer.bytes { i2d_X509_bio($0, native) } }

  /// SHA-256 of the DER.
  var fingerprint: [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    precondition(X509_digest(native, EVP_sha256(), &digest, nil) == 1, "cannot hash a certificate")
    return digest
  }

  /// True if it has an extension with exactly this value.
  func has(_ number: Int32, _ value: String) -> Bool {
    let index = X509_get_ext_by_NID(native, number, -1)
    guard index >= 0, let found = X509_get_ext(native, index), let wanted = Self.make(number, value, nil, nil)
    else { return false }
    defer { X509_EXTENSION_free(wanted) }
    return ASN1_STRING_cmp(X509_EXTENSION_get_data(found), X509_EXTENSION_get_data(wanted)) == 0
      && X509_EXTENSION_get_critical(found) == X509_EXTENSION_get_critical(wanted)
  }

  private func add(_ number: Int32, _ value: String, issuer: Certificate?) {
    guard let made = Self.make(number, value, issuer?.native ?? native, native) else {
      preconditionFailure("cannot create the extension \(value)")
    }
    X509_add_ext(native, made, -1)
    X509_EXTENSION_free(made)
  }

  private static func make(
    _ number: Int32, _ value: String, _ issuer: OpaquePointer?, _ subject: OpaquePointer?
  ) -> OpaquePointer? {
    var context = X509V3_CTX()
    X509V3_set_ctx(&context, issuer, subject, nil, nil, 0)
    return X509V3_EXT_conf_nid(nil, &context, number, value)
  }

  /// 127 random bits, as public authorities use.
  private static func setRandomSerial(of native: OpaquePointer) {
    let number = BN_new()
    defer { BN_free(number) }
    precondition(
      BN_rand(number, 127, BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY) == 1, "cannot generate a random number")
    BN_to_ASN1_INTEGER(number, X509_get_serialNumber(native))
  }
}
