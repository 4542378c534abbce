internal import COpenSSL

/// Certificates that a client trusts; a class because it owns OpenSSL's.
package final class CertificateBundle {
  private var certificates: [OpaquePointer] = []

  /// None yet.
  package init() {}

  deinit { certificates.forEach(X509_free) }

  /// How many there are.
  package var count: Int { certificates.count }

  /// Adds the certificates of a text in PEM and passes over whatever else is in it; where one is broken, or there
  /// is none, it adds nothing.
  package func add(pem text: [UInt8]) throws(TLSError) {
    for certificate in try Self.read(text) {
      if contains(certificate) { X509_free(certificate) } else { certificates.append(certificate) }
    }
  }

  /// Adds the authority's.
  package func add(_ authority: CertificateAuthority) {
    guard !contains(authority) else { return }
    X509_up_ref(authority.root.native)
    certificates.append(authority.root.native)
  }

  /// Whether the authority's is among them.
  package func contains(_ authority: CertificateAuthority) -> Bool {
    contains(authority.root.native)
  }

  /// Whether the time of none of them is over at a moment, in seconds since 1970.
  package func isValid(at moment: Int) -> Bool {
    var moment = moment
    return certificates.allSatisfy { X509_cmp_time(X509_get0_notAfter($0), &moment) > 0 }
  }

  /// All of them in PEM.
  package var pem: String {
    PEM.write { target in certificates.allSatisfy { PEM_write_bio_X509(target, $0) == 1 } ? 1 : 0 }
  }

  private func contains(_ certificate: OpaquePointer) -> Bool {
    certificates.contains { X509_cmp($0, certificate) == 0 }
  }

  /// New certificates, which whoever calls has to free.
  private static func read(_ text: [UInt8]) throws(TLSError) -> [OpaquePointer] {
    guard text.count <= sizeLimit else { throw TLSError("it has more than \(sizeLimit) bytes") }
    guard let source = BIO_new_mem_buf(text, Int32(text.count)) else {
      throw .take(doing: "reading certificates")
    }
    defer { BIO_free(source) }
    var found: [OpaquePointer] = []
    ERR_clear_error()
    while let certificate = PEM_read_bio_X509(source, nil, nil, nil) { found.append(certificate) }
    let isAtEnd = cossl_is_end_of_pem(ERR_peek_last_error()) != 0
    if isAtEnd, !found.isEmpty {
      ERR_clear_error()
      return found
    }
    found.forEach(X509_free)
    throw isAtEnd
      ? TLSError("there is no certificate in it") : .take(doing: "reading certificate \(found.count + 1)")
  }

  /// The most bytes of a text that is read; the systems' own have a quarter of a million.
  package static let sizeLimit = 16 << 20
  /// Where OpenSSL, as it was built for this machine, looks for the authorities to trust.
  package static let defaultFile = String(cString: X509_get_default_cert_file())
}

// MARK: As Java reads them

extension CertificateBundle {
  /// All of them as a PKCS #12 store of trusted certificates. Nothing in it is secret, so nothing is encrypted, and
  /// the password only lets its reader see that it is whole.
  package func trustStore(password: String) -> [UInt8] {
    var bags: OpaquePointer?
    var safes: OpaquePointer?
    defer {
      cossl_free_bags(bags)
      cossl_free_safes(safes)
    }
    for (index, certificate) in certificates.enumerated() {
      Self.put(certificate, number: index + 1, in: &bags)
    }
    guard PKCS12_add_safe(&safes, bags, Self.plain, 0, nil) == 1, let store = PKCS12_add_safes(safes, 0)
    else {
      preconditionFailure("a store needs only memory")
    }
    defer { PKCS12_free(store) }
    // A salt keeps a password from being guessed; this one is written on the wall.
    var salt = Array("ringfence".utf8)
    // SHA-256 is what Java takes itself since 16, and understands since 8u301.
    let isSealed = PKCS12_set_mac(store, password, -1, &salt, Int32(salt.count), 1, EVP_sha256())
    precondition(isSealed == 1, "a store can be sealed")
    return Buffer.bytes { i2d_PKCS12_bio($0, store) }
  }

  /// Puts a certificate where it is trusted: Java asks for a name that no other has, and for the mark.
  private static func put(_ certificate: OpaquePointer, number: Int, in bags: inout OpaquePointer?) {
    let bag = PKCS12_add_cert(&bags, certificate)
    let purpose = UnsafePointer<UInt8>(OBJ_nid2obj(NID_anyExtendedKeyUsage))
    let isMarked = PKCS12_add1_attr_by_txt(bag, trustedKeyUsage, V_ASN1_OBJECT, purpose, -1)
    let name = "trusted-\(number)"
    precondition(
      isMarked == 1 && PKCS12_add_friendlyname_utf8(bag, name, -1) == 1, "a store needs only memory")
  }

  /// Oracle's, by which Java tells a certificate that is trusted from one of a chain; it is for every purpose.
  private static let trustedKeyUsage = "2.16.840.1.113894.746875.1.1"
  private static let plain: Int32 = -1
}
