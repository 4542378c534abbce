internal import COpenSSL

/// The sandbox's certificate authority. It can only issue certificates for a few names, so a leaked key is
/// harmless.
///
/// ```
/// root ──signs──> issuer ──signs──> a certificate for each name
/// trusted by      its key is        sent together with the issuer
/// clients; its    stored
/// key is deleted
/// ```
///
/// Both have a critical name constraint (RFC 5280, 4.2.1.10). The issuer needs it too, because Java ignores
/// the constraints of a trusted root.
package final class CertificateAuthority {
  /// The names that an authority covers, in addition to the loopback.
  package struct Scope: Sendable {
    let names: [String]
    /// Domains that have further names. Clients accept any name below them; the authority signs for
    /// `contains` only.
    let domains: [String]
    let contains: @Sendable (String) -> Bool
    /// Names under which a client may show a certificate.
    let withClientCertificates: Set<String>
    /// True for names under which servers speak HTTP/2.
    let offersHTTP2: @Sendable (String) -> Bool

    package init(
      names: [String], domains: [String], withClientCertificates: [String] = [],
      offersHTTP2: @escaping @Sendable (String) -> Bool = { _ in true },
      contains: @escaping @Sendable (String) -> Bool
    ) {
      self.offersHTTP2 = offersHTTP2
      self.names = names
      self.domains = domains
      self.withClientCertificates = Set(withClientCertificates)
      self.contains = contains
    }

    /// These names only.
    package init(_ names: [String]) {
      self.init(names: names, domains: []) { names.contains($0) }
    }
  }

  package let scope: Scope
  let root: Certificate
  let issuer: Certificate

  /// Creates an authority with new keys.
  package init(for scope: Scope) {
    self.scope = scope
    let signer = Self.certificate("Ringfence sandbox authority", issuer: nil, pathLength: 1, for: scope)
    issuer = Self.certificate("Ringfence sandbox issuer", issuer: signer, pathLength: 0, for: scope)
    guard let root = Certificate(pem: signer.pem) else {
      preconditionFailure("cannot read the new root certificate")
    }
    self.root = root
  }

  /// What stored files contain.
  package enum Stored {
    case usable(CertificateAuthority)
    /// Expired, for other names, or from an older version of this program.
    case outdated
    case damaged(Part)
  }

  package enum Part: String {
    case root = "not a certificate in PEM"
    case issuer = "not a certificate with its private key in PEM"
    case pair = "the key does not belong to the certificate"
  }

  package static func read(root: String, issuer: String, for scope: Scope) -> Stored {
    guard let root = Certificate(pem: root) else { return .damaged(.root) }
    guard let issuer = Certificate(withKey: issuer) else {
      // Older versions stored the root's key, without a certificate.
      return issuer.hasPrefix("-----BEGIN PRIVATE KEY") ? .outdated : .damaged(.issuer)
    }
    guard issuer.isSigned(by: root) else { return .damaged(.pair) }
    guard issuer.hasKeyIdentifier,
      [root, issuer].allSatisfy({ $0.isValid && $0.has(NID_name_constraints, constraint(scope)) })
    else { return .outdated }
    return .usable(CertificateAuthority(root: root, issuer: issuer, for: scope))
  }

  private init(root: Certificate, issuer: Certificate, for scope: Scope) {
    self.scope = scope
    self.root = root
    self.issuer = issuer
  }

  /// The certificate that clients must trust.
  package var rootPEM: String { root.pem }
  package var rootDER: [UInt8] { root.der }
  /// SHA-256 of the root's DER.
  package var fingerprint: [UInt8] { root.fingerprint }
  /// The issuer, then its private key. Must be kept secret.
  package var issuerPEM: String { issuer.pemWithKey }

  /// Issues a certificate for a name; without a name, for the loopback, its addresses and all names: some
  /// clients do not say whom they want.
  func certificate(for name: String?) -> Certificate {
    let subject = name ?? Self.loopback[0]
    let alternatives =
      name.map { ["DNS:\($0)"] } ?? (Self.loopback + scope.names).map { "DNS:\($0)" } + Self.addresses
    return Certificate(
      subject, days: Self.leafDays, issuer: issuer,
      extensions: [
        (NID_basic_constraints, "critical,CA:FALSE"), (NID_key_usage, "critical,digitalSignature"),
        (NID_ext_key_usage, "serverAuth"), (NID_subject_alt_name, alternatives.joined(separator: ",")),
        (NID_subject_key_identifier, "hash"), (NID_authority_key_identifier, "keyid:always"),
      ])
  }

  /// True if it can issue a certificate for the name.
  func covers(_ name: String) -> Bool { scope.contains(name) || Self.loopback.contains(name) }

  /// True for an address of the loopback. The certificate without a name covers it.
  func isLoopback(_ text: String) -> Bool { Self.addresses.contains("IP:\(text)") }

  /// Issues an authority's certificate. `pathLength` limits the number of authorities below it.
  private static func certificate(
    _ subject: String, issuer: Certificate?, pathLength: Int, for scope: Scope
  ) -> Certificate {
    Certificate(
      subject, days: days, issuer: issuer,
      extensions: [
        (NID_basic_constraints, "critical,CA:TRUE,pathlen:\(pathLength)"),
        (NID_key_usage, "critical,keyCertSign,cRLSign"), (NID_name_constraints, constraint(scope)),
        (NID_subject_key_identifier, "hash"), (NID_authority_key_identifier, "keyid:always"),
      ])
  }

  private static func constraint(_ scope: Scope) -> String {
    let permitted =
      (scope.names + scope.domains + loopback).map { "permitted;DNS:\($0)" }
      + networks.map { "permitted;IP:\($0)" }
    return "critical," + permitted.joined(separator: ",")
  }

  private static let loopback = ["localhost"]
  private static let addresses = ["IP:127.0.0.1", "IP:::1"]
  private static let networks = [
    "127.0.0.0/255.0.0.0", "0:0:0:0:0:0:0:1/ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
  ]
  private static let days = 3650
  /// Some clients reject longer validity.
  private static let leafDays = 397
}
