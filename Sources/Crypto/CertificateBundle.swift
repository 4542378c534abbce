internal import COpenSSL

/// A set of certificates that a client trusts.
package final class CertificateBundle {
  /// In the order in which they were added.
  private(set) var certificates: [OpaquePointer] = []

  package init() {}

  deinit { certificates.forEach(X509_free) }

  package var count: Int { certificates.count }

  /// Adds all certificates of a PEM text and ignores everything else in it. Throws and adds nothing if a
  /// certificate is invalid, or if the text has none.
  package func add(pem text: [UInt8]) throws(TLSError) {
    for certificate in try Self.read(text) {
      if contains(certificate) { X509_free(certificate) } else { certificates.append(certificate) }
    }
  }

  package func add(_ authority: CertificateAuthority) {
    guard !contains(authority) else { return }
    X509_up_ref(authority.root.native)
    certificates.append(authority.root.native)
  }

  /// True if the authority's root is included.
  package func contains(_ authority: CertificateAuthority) -> Bool {
    contains(authority.root.native)
  }

  /// True if no certificate is expired at this time, in seconds since 1970.
  package func isValid(at moment: Int) -> Bool {
    var moment = moment
    return certificates.allSatisfy { X509_cmp_time(X509_get0_notAfter($0), &moment) > 0 }
  }

  package var pem: String {
    PEM.write { target in certificates.allSatisfy { PEM_write_bio_X509(target, $0) == 1 } ? 1 : 0 }
  }

  private func contains(_ certificate: OpaquePointer) -> Bool {
    certificates.contains { X509_cmp($0, certificate) == 0 }
  }

  /// The caller must free the certificates.
  private static func read(_ text: [UInt8]) throws(TLSError) -> [OpaquePointer] {
    guard text.count <= sizeLimit else { throw TLSError("it has more than \(sizeLimit) bytes") }
    guard let source = BIO_new_mem_buf(text, Int32(text.count)) else {
      throw .openSSL(doing: "reading certificates")
    }
    defer { BIO_free(source) }
    var found: [OpaquePointer] = []
    ERR_clear_error()
    while let certificate = cossl_read_certificate(source) { found.append(certificate) }
    let isAtEnd = cossl_is_end_of_pem(ERR_peek_last_error()) != 0
    if isAtEnd, !found.isEmpty {
      ERR_clear_error()
      return found
    }
    found.forEach(X509_free)
    throw isAtEnd
      ? TLSError("there is no certificate in it") : .openSSL(doing: "reading certificate \(found.count + 1)")
  }

  /// The maximum size of a PEM text. Those of operating systems have about 250 kB.
  package static let sizeLimit = 16 << 20
  /// The file with trusted authorities that this machine's OpenSSL uses.
  package static let defaultFile = String(cString: X509_get_default_cert_file())
}

// MARK: Java trust store

extension CertificateBundle {
  /// A PKCS #12 store for Java. Nothing in it is secret, so it is not encrypted. The password only protects
  /// its integrity.
  package func trustStore(password: String) -> [UInt8] {
    var bags: OpaquePointer?
    var safes: OpaquePointer?
    defer {
      cossl_free_bags(bags)
      cossl_free_safes(safes)
    }
    for (index, certificate) in certificates.enumerated() {
      Self.add(certificate, number: index + 1, in: &bags)
    }
    guard PKCS12_add_safe(&safes, bags, Self.unencrypted, 0, nil) == 1, let store = PKCS12_add_safes(safes, 0)
    else {
      preconditionFailure("cannot create a trust store")
    }
    defer { PKCS12_free(store) }
    // The salt can be constant, because the password is public.
    var salt = Array("ringfence".utf8)
    // Java's own default since 16, supported since 8u301.
    let isSigned = PKCS12_set_mac(store, password, -1, &salt, Int32(salt.count), 1, EVP_sha256())
    precondition(isSigned == 1, "cannot sign a trust store")
    return Buffer.bytes { i2d_PKCS12_bio($0, store) }
  }

  /// Adds a trusted certificate. Java requires a unique name and the trusted key usage attribute.
  private static func add(_ certificate: OpaquePointer, number: Int, in bags: inout OpaquePointer?) {
    let bag = PKCS12_add_cert(&bags, certificate)
    let purpose = UnsafePointer<UInt8>(OBJ_nid2obj(NID_anyExtendedKeyUsage))
    let isMarked = PKCS12_add1_attr_by_txt(bag, trustedKeyUsage, V_ASN1_OBJECT, purpose, -1)
    let name = "trusted-\(number)"
    precondition(
      isMarked == 1 && PKCS12_add_friendlyname_utf8(bag, name, -1) == 1, "cannot create a trust store")
  }

  /// Oracle's attribute for trusted certificates. Certificates without it only belong to a chain.
  private static let trustedKeyUsage = "2.16.840.1.113894.746875.1.1"
  private static let unencrypted: Int32 = -1
}
