import Crypto
import ProviderKit
import WebAuthn

/// The settings of a passkey, and what its registration brought. Source: contract 12.
struct PasskeyConfig: Equatable, Sendable {
  enum Attachment: String, CaseIterable, Sendable {
    case platform
    case crossPlatform = "cross-platform"
    case any
  }

  enum Need: String, CaseIterable, Sendable {
    case required, preferred, discouraged
  }

  var domain = ""
  var relyingPartyName: String?
  var origins: [String] = []
  var attachment: Attachment?
  var discoverableCredentials: Need?
  var userVerification: Need?

  /// In base64url; nil until the factor is verified.
  var credential: String?
  /// SubjectPublicKeyInfo in base64; nil until the factor is verified.
  var publicKey: String?
  /// The authenticator's signature counter.
  var signCount = 0

  /// The settings of a Service's `Passkeys.*` parameters. Fails if they name no relying party.
  init(_ service: Service) throws(APIError) {
    try self.init(
      domain: service.relyingPartyId, name: service.relyingPartyName,
      origins: service.relyingPartyOrigins ?? [])
    setCriteria(of: service)
  }

  mutating func setCriteria(of service: Service) {
    attachment = service.authenticatorAttachment.flatMap { Attachment(rawValue: $0) }
    discoverableCredentials = service.discoverableCredentials.flatMap { Need(rawValue: $0) }
    userVerification = service.userVerification.flatMap { Need(rawValue: $0) }
  }

  /// Fails with 60371 without any relying party, and with 60372 without a domain.
  init(domain: String?, name: String?, origins: [String]) throws(APIError) {
    guard domain != nil || name != nil || !origins.isEmpty else {
      throw APIError(code: 60371).because(
        "config.relying_party: missing, and the Service has no Passkeys.RelyingParty.Id")
    }
    guard let domain, Self.isDomain(domain) else {
      throw APIError(code: 60372).because("config.relying_party.id: expected a domain such as example.com")
    }
    for origin in origins where !Self.isOrigin(origin, of: domain) {
      throw APIError(code: 60371).because(
        "config.relying_party.origins: expected https://\(domain), a host below it, or an app; found \(origin)"
      )
    }
    self.domain = domain
    relyingPartyName = name
    self.origins = origins
  }

  init() {}

  private static func isDomain(_ text: String) -> Bool {
    (1...253).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        $0.isAlphanumeric || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
      }
  }

  /// Browsers accept no other origins. Apps have a scheme of their own, such as `android:apk-key-hash:…`.
  private static func isOrigin(_ text: String, of domain: String) -> Bool {
    let parts = text.split(separator: "://", maxSplits: 1)
    guard parts.count == 2, let scheme = parts.first, let authority = parts.last else {
      return text.hasPrefix("android:") || text.hasPrefix("ios:")
    }
    let host = authority.prefix { $0 != ":" }
    guard host == domain || host.hasSuffix(".\(domain)") else { return false }
    return scheme == "https" || scheme == "http" && host == "localhost"
  }

  var relyingParty: RelyingParty {
    RelyingParty(id: domain, origins: origins, requiresUserVerification: userVerification == .required)
  }

  static let schema = Schema<PasskeyConfig>([
    .required("domain", \.domain, .string),
    .optional("relyingPartyName", \.relyingPartyName, .string),
    .field("origins", \.origins, .array(of: .string), default: []),
    .optional("attachment", \.attachment, .word),
    .optional("discoverableCredentials", \.discoverableCredentials, .word),
    .optional("userVerification", \.userVerification, .word),
    .optional("credential", \.credential, .string),
    .optional("publicKey", \.publicKey, .string),
    .field("signCount", \.signCount, .integer(0...Int(UInt32.max)), default: 0),
  ])
}

/// Members of answers. Source: contract 12.
extension PasskeyConfig {
  func write(config json: inout JSONWriter) {
    json.object("config") { json in
      json.object("relying_party") {
        $0.member("id", domain)
        $0.member("name", relyingPartyName)
        $0.member("origins", origins)
      }
      json.member("authenticator_attachment", attachment?.rawValue)
      json.member("discoverable_credentials", discoverableCredentials?.rawValue)
      json.member("user_verification", userVerification?.rawValue)
    }
  }

  /// The options that a browser's call needs. `credentials` are known ones: those of the user that must not
  /// be registered again, or that may sign in.
  func write(
    options json: inout JSONWriter, _ ceremony: ClientData.Ceremony, of sid: String, user: PasskeyUser?,
    credentials: [String]
  ) {
    json.object("options") { json in
      json.object("publicKey") { json in
        json.object("rp") {
          $0.member("id", domain)
          $0.member("name", relyingPartyName ?? domain)
        }
        if let user { user.write(to: &json) }
        json.member("challenge", Base64.encodeForURL(Array(sid.utf8)))
        json.array("pubKeyCredParams", CollectionOfOne(Self.es256)) { json, algorithm in
          json.value {
            $0.member("type", "public-key")
            $0.member("alg", algorithm)
          }
        }
        json.member("timeout", Self.timeout.milliseconds)
        switch ceremony {
        case .registration: write(credentials, as: "excludeCredentials", to: &json)
        case .assertion:
          json.member("rpId", domain)
          json.member("userVerification", (userVerification ?? .preferred).rawValue)
          write(credentials, as: "allowCredentials", to: &json)
        }
        json.object("authenticatorSelection") {
          if let attachment, attachment != .any {
            $0.member("authenticatorAttachment", attachment.rawValue)
          }
          $0.member("requireResidentKey", discoverableCredentials == .required)
          $0.member("residentKey", (discoverableCredentials ?? .preferred).rawValue)
          $0.member("userVerification", (userVerification ?? .preferred).rawValue)
        }
        json.member("attestation", "none")
      }
    }
  }

  private func write(_ credentials: [String], as name: StaticString, to json: inout JSONWriter) {
    json.array(name, credentials) { json, credential in
      json.value {
        $0.member("type", "public-key")
        $0.member("id", credential)
      }
    }
  }

  /// Source: https://www.iana.org/assignments/cose
  private static let es256 = -7

  /// How long a ceremony may take.
  static let timeout = Duration.seconds(600)
}

/// The user of a ceremony, as authenticators keep it.
struct PasskeyUser {
  /// SID of the entity.
  let entity: String
  let name: String

  fileprivate func write(to json: inout JSONWriter) {
    json.object("user") {
      $0.member("id", Base64.encodeForURL(Array(entity.utf8)))
      $0.member("name", name)
      $0.member("displayName", name)
    }
  }
}
