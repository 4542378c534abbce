internal import COpenSSL

/// A certificate authority of our own, that can vouch for a few names and no others: the constraint stands in its
/// certificate and is critical, so a key that leaks harms nobody (RFC 5280, 4.2.1.10).
///
/// A class because it owns OpenSSL's.
package final class CertificateAuthority {
  /// The names it can vouch for; literal addresses of the loopback besides.
  package let names: [String]
  let certificate: Certificate

  /// A new authority with a new key.
  package init(for names: [String]) {
    self.names = names
    certificate = Certificate(
      "Ringfence sandbox authority", days: Self.days, issuer: nil,
      extensions: [
        (NID_basic_constraints, "critical,CA:TRUE,pathlen:0"),
        (NID_key_usage, "critical,keyCertSign,cRLSign"),
        (NID_subject_key_identifier, "hash"), (NID_name_constraints, Self.constraint(names)),
      ])
  }

  /// The authority of these two texts; nil where they are none, do not belong together, have had their time, or
  /// vouch for other names.
  package init?(certificate: String, key: String, for names: [String]) {
    guard let kept = Certificate(pem: certificate, key: key), kept.isValid,
      kept.has(NID_name_constraints, Self.constraint(names))
    else { return nil }
    self.names = names
    self.certificate = kept
  }

  /// The certificate in PEM, which clients have to trust.
  package var certificatePEM: String { certificate.pem }
  /// The certificate in DER.
  package var certificateDER: [UInt8] { certificate.der }
  /// SHA-256 of that, by which one tells authorities apart.
  package var fingerprint: [UInt8] { certificate.fingerprint }
  /// The private key as PKCS #8 in PEM.
  package var privatePEM: String { certificate.keyPEM }

  /// A certificate for a name, or for the loopback and its addresses where no name is asked for.
  func certificate(for name: String?) -> Certificate {
    let subject = name ?? Self.loopback[0]
    let alternatives = name.map { ["DNS:\($0)"] } ?? Self.loopback.map { "DNS:\($0)" } + Self.addresses
    return Certificate(
      subject, days: Self.leafDays, issuer: certificate,
      extensions: [
        (NID_basic_constraints, "critical,CA:FALSE"), (NID_key_usage, "critical,digitalSignature"),
        (NID_ext_key_usage, "serverAuth"), (NID_subject_alt_name, alternatives.joined(separator: ",")),
        (NID_subject_key_identifier, "hash"), (NID_authority_key_identifier, "keyid:always"),
      ])
  }

  /// Whether it can vouch for a name.
  func admits(_ name: String) -> Bool { names.contains(name) || Self.loopback.contains(name) }

  /// Whether a text is an address of the loopback, which the certificate for no name covers.
  func isLoopback(_ text: String) -> Bool { Self.addresses.contains("IP:\(text)") }

  private static func constraint(_ names: [String]) -> String {
    let permitted = (names + loopback).map { "permitted;DNS:\($0)" } + networks.map { "permitted;IP:\($0)" }
    return "critical," + permitted.joined(separator: ",")
  }

  private static let loopback = ["localhost"]
  private static let addresses = ["IP:127.0.0.1", "IP:::1"]
  private static let networks = [
    "127.0.0.0/255.0.0.0", "0:0:0:0:0:0:0:1/ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
  ]
  private static let days = 3650
  /// Some clients take none for longer.
  private static let leafDays = 397
}
