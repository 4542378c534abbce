internal import COpenSSL

/// A certificate authority of our own, that can vouch for a few names and no others, so that a key that leaks harms
/// nobody.
///
/// ```
/// root ──signs──> issuer ──signs──> a certificate for each name
/// trusted by      its key is kept   shown together with the issuer
/// clients; its
/// key is gone
/// ```
///
/// The constraint stands in both (RFC 5280, 4.2.1.10) and is critical. The root's alone would not do: Java looks at
/// no constraint of a certificate that it trusts, only at those on the way from there.
///
/// A class because it owns OpenSSL's.
package final class CertificateAuthority {
  /// The names it can vouch for; literal addresses of the loopback besides.
  package let names: [String]
  let root: Certificate
  let issuer: Certificate

  /// A new authority with new keys.
  package init(for names: [String]) {
    self.names = names
    let signer = Self.certificate("Ringfence sandbox authority", issuer: nil, pathLength: 1, for: names)
    issuer = Self.certificate("Ringfence sandbox issuer", issuer: signer, pathLength: 0, for: names)
    guard let root = Certificate(pem: signer.pem) else { preconditionFailure("what was written can be read") }
    self.root = root
  }

  /// The authority of these two texts; nil where they are none, do not belong together, have had their time, or
  /// vouch for other names.
  package init?(root: String, issuer: String, for names: [String]) {
    guard let root = Certificate(pem: root), let issuer = Certificate(withKey: issuer),
      issuer.isSigned(by: root), issuer.namesItsKey,
      [root, issuer].allSatisfy({ $0.isValid && $0.has(NID_name_constraints, Self.constraint(names)) })
    else { return nil }
    self.names = names
    self.root = root
    self.issuer = issuer
  }

  /// The root in PEM, which clients have to trust.
  package var rootPEM: String { root.pem }
  /// The root in DER.
  package var rootDER: [UInt8] { root.der }
  /// SHA-256 of that, by which one tells authorities apart.
  package var fingerprint: [UInt8] { root.fingerprint }
  /// The issuer in PEM, then its private key: the secret.
  package var issuerPEM: String { issuer.pemWithKey }

  /// A certificate for a name, or for the loopback and its addresses where no name is asked for.
  func certificate(for name: String?) -> Certificate {
    let subject = name ?? Self.loopback[0]
    let alternatives = name.map { ["DNS:\($0)"] } ?? Self.loopback.map { "DNS:\($0)" } + Self.addresses
    return Certificate(
      subject, days: Self.leafDays, issuer: issuer,
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

  /// A certificate that signs others, so many steps down from it.
  private static func certificate(
    _ subject: String, issuer: Certificate?, pathLength: Int, for names: [String]
  ) -> Certificate {
    Certificate(
      subject, days: days, issuer: issuer,
      extensions: [
        (NID_basic_constraints, "critical,CA:TRUE,pathlen:\(pathLength)"),
        (NID_key_usage, "critical,keyCertSign,cRLSign"), (NID_name_constraints, constraint(names)),
        (NID_subject_key_identifier, "hash"), (NID_authority_key_identifier, "keyid:always"),
      ])
  }

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
