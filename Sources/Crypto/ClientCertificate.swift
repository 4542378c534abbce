internal import COpenSSL

/// The certificate of a client: who it says it is. No authority is checked.
package struct ClientCertificate: Equatable, Sendable {
  package let der: [UInt8]
  /// `UID` of the subject.
  package let userID: String?
  /// `CN` of the subject.
  package let commonName: String?
  /// `OU` of the subject.
  package let organizationalUnit: String?
  private let extensions: Set<String>

  /// Nil for bytes that are not a certificate.
  package init?(der: [UInt8]) {
    defer { ERR_clear_error() }
    let native = der.withUnsafeBufferPointer { bytes in
      var start = bytes.baseAddress
      return d2i_X509(nil, &start, bytes.count)
    }
    guard let native else { return nil }
    defer { X509_free(native) }
    self.der = der
    let subject = X509_get_subject_name(native)
    userID = Self.text(NID_userId, of: subject)
    commonName = Self.text(NID_commonName, of: subject)
    organizationalUnit = Self.text(NID_organizationalUnitName, of: subject)
    extensions = Set(
      (0..<X509_get_ext_count(native)).compactMap { Self.identifier(X509_get_ext(native, $0)) })
  }

  /// The first certificate of a PEM text.
  package init?(pem: String) {
    guard let der = Certificate(pem: pem)?.der else { return nil }
    self.init(der: der)
  }

  /// True if it has an extension with this object identifier, in dots.
  package func has(extension identifier: String) -> Bool { extensions.contains(identifier) }

  private static func text(_ number: Int32, of name: OpaquePointer?) -> String? {
    let index = X509_NAME_get_index_by_NID(name, number, -1)
    guard index >= 0, let entry = X509_NAME_get_entry(name, index) else { return nil }
    var bytes: UnsafeMutablePointer<UInt8>?
    let count = ASN1_STRING_to_UTF8(&bytes, X509_NAME_ENTRY_get_data(entry))
    guard count >= 0, let bytes else { return nil }
    defer { cossl_free(bytes) }
    return String(decoding: UnsafeBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
  }

  private static func identifier(_ extended: OpaquePointer?) -> String? {
    guard let extended else { return nil }
    var text = [CChar](repeating: 0, count: 80)
    let count = OBJ_obj2txt(&text, Int32(text.count), X509_EXTENSION_get_object(extended), 1)
    guard count > 0, count < text.count else { return nil }
    return String(decoding: text.prefix(Int(count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
