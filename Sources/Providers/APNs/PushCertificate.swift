import Crypto
import ProviderKit

/// A certificate by which a back end identifies itself. It is for one app. Source: contract 2;
/// https://developer.apple.com/documentation/usernotifications/establishing-a-certificate-based-connection-to-apns
struct PushCertificate: Equatable {
  let bundleID: String
  let environments: Set<Environment>
  private let certificate: ClientCertificate

  /// Nil for a certificate whose subject has no bundle id as `UID`.
  init?(_ certificate: ClientCertificate) {
    guard let bundleID = certificate.userID, Topic.isValid(bundleID) else { return nil }
    self.bundleID = bundleID
    self.certificate = certificate
    let named = Environment.allCases.filter { certificate.has(extension: $0.certificateExtension) }
    environments = Set(named.isEmpty ? Environment.allCases : named)
  }

  /// The certificate of a connection. An open sandbox accepts certificates that it does not know.
  init(_ der: [UInt8], in sandbox: Sandbox) throws {
    guard let shown = ClientCertificate(der: der), let certificate = PushCertificate(shown) else {
      throw APIError(
        .badCertificate, because: "the client's certificate has no UID with a bundle id in its subject")
    }
    guard try sandbox.acceptsUnknownAccounts || certificate.isKnown(in: sandbox) else {
      throw APIError(.badCertificate, because: "this sandbox's seeds do not have the client's certificate")
    }
    self = certificate
  }
}

/// Storage: a credential by the certificate's fingerprint. The secret is empty, since the certificate is
/// public.
extension PushCertificate {
  /// One of `certificates` in seeds.
  struct Seed: Equatable {
    var pem = ""

    static let schema = Schema<Seed>(
      "APNsCertificate", "A certificate by which a back end identifies itself.",
      [
        .required(
          "certificate", \.pem, .pushCertificate, "In PEM. Its subject has the app's bundle id as UID.")
      ])

    /// One that another sandbox has is left out.
    static func load(_ fields: Fields, into sandbox: Sandbox) throws {
      var seed = Seed()
      try schema.merge(fields, into: &seed)
      guard let certificate = ClientCertificate(pem: seed.pem).flatMap(PushCertificate.init) else { return }
      try sandbox.accounts.refuseTaken(
        certificate.name, of: APNsProvider.name, at: "\(fields.path).certificate")
      _ = try sandbox.accounts.register(
        Credential(
          provider: APNsProvider.name, name: certificate.name, secret: seed.pem,
          account: certificate.bundleID))
    }
  }

  private static let prefix = "certificate "
  fileprivate var name: String { Self.name(of: certificate.der) }

  /// The credential's name.
  static func name(of der: [UInt8]) -> String { prefix + Hex.encode(SHA256.hash(der)) }

  private func isKnown(in sandbox: Sandbox) throws -> Bool {
    try sandbox.accounts.find(name, of: APNsProvider.name) != nil
  }

  static func isName(_ name: String) -> Bool { name.hasPrefix(prefix) }

  /// All of a sandbox, in PEM.
  static func all(in sandbox: Sandbox) throws -> [Seed] {
    try sandbox.accounts.all(of: APNsProvider.name).filter { isName($0.name) }.map { Seed(pem: $0.secret) }
  }
}

extension Environment {
  /// The object identifier of the extension that limits a certificate to it.
  fileprivate var certificateExtension: String {
    switch self {
    case .development: "1.2.840.113635.100.6.3.1"
    case .production: "1.2.840.113635.100.6.3.2"
    }
  }
}

extension FieldType where Value == String {
  fileprivate static var pushCertificate: FieldType {
    .text(
      .string(pattern: "^-----BEGIN CERTIFICATE-----"),
      expected: "a certificate in PEM whose subject has a bundle id as UID"
    ) {
      ClientCertificate(pem: $0).flatMap(PushCertificate.init) != nil
    }
  }
}
