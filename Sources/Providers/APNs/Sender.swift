import Crypto
import ProviderKit

/// The back end that a request comes from.
struct Sender {
  enum Credential {
    case key(Key)
    case certificate(PushCertificate)
  }

  let credential: Credential

  /// Fails if the request does not identify a back end. A client that shows a certificate needs no token:
  /// Apple ignores the header then. Source: contract 2
  init(of request: Request, in sandbox: Sandbox, _ settings: Settings) throws {
    let environment = Environment(host: request.host)
    if let der = request.connection.clientCertificate {
      let certificate = try PushCertificate(der, in: sandbox)
      if let environment, !certificate.environments.contains(environment) {
        throw APIError(
          .badCertificateEnvironment, because: "the certificate is not for \(environment.rawValue)")
      }
      credential = .certificate(certificate)
      return
    }
    let (key, token, issuedAt) = try Self.key(of: request, in: sandbox, settings)
    if let allowed = key.environment, let environment, allowed != environment {
      throw APIError(.badEnvironmentKeyID, because: "the key \(key.keyID) is for \(allowed.rawValue) only")
    }
    try requireKeyOfConnection(key, request, in: sandbox)
    if settings.limitsTokenUpdates {
      try TokenUpdates.require(token, issuedAt: issuedAt, of: key, at: environment, in: sandbox)
    }
    credential = .key(key)
  }

  private static func key(
    of request: Request, in sandbox: Sandbox, _ settings: Settings
  ) throws -> (Key, token: String, issuedAt: Timestamp) {
    switch BearerToken(request.headers) {
    case .absent:
      throw APIError(
        .missingProviderToken, because: "no header authorization: bearer TOKEN, and no certificate")
    case .malformed:
      throw APIError(.invalidProviderToken, because: "authorization: expected bearer and one token")
    case .token(let text):
      guard let token = ProviderToken(text) else {
        throw APIError(
          .invalidProviderToken, because: "expected a JSON Web Token with alg ES256 and kid in its header")
      }
      let (key, issuedAt) = try token.verify(in: sandbox, settings)
      return (key, text, issuedAt)
    }
  }

  /// The topic of a request that names none; nil if it must name one.
  var defaultTopic: Topic? {
    if case .certificate(let certificate) = credential { Topic(certificate.bundleID) } else { nil }
  }

  /// Fails if the sender may not push to the app: its credential names others, or only a key of another team
  /// names it.
  func require(_ topic: Topic, in sandbox: Sandbox) throws {
    switch credential {
    case .certificate(let certificate):
      guard topic.bundleID != certificate.bundleID else { return }
      throw APIError(.topicDisallowed, because: "the certificate is for \(certificate.bundleID)")
    case .key(let key):
      if let allowed = key.topics {
        guard !allowed.contains(topic.bundleID) else { return }
        throw APIError(
          .topicDisallowed,
          because: "the key \(key.keyID) may push to \(allowed.joined(separator: ", ")) only")
      }
      let owners = try Key.all(in: sandbox).filter { $0.topics?.contains(topic.bundleID) ?? false }
      guard let owner = owners.first, !owners.contains(where: { $0.teamID == key.teamID }) else { return }
      throw APIError(.topicDisallowed, because: "\(topic.bundleID) is an app of team \(owner.teamID)")
    }
  }

  /// Fails for a type that needs a provider token.
  func require(_ type: PushType) throws {
    guard type == .location, case .certificate = credential else { return }
    throw APIError(.forbidden, because: "location pushes need a provider token, not a certificate")
  }
}

/// Fails if the first push of the connection had a key of another team, or with other limits.
/// Source: contract 2;
/// https://developer.apple.com/documentation/usernotifications/establishing-a-token-based-connection-to-apns
private func requireKeyOfConnection(_ key: Key, _ request: Request, in sandbox: Sandbox) throws {
  let name = "\(APNsProvider.name) \(sandbox.name) key"
  let limits =
    "\(key.teamID) \(key.environment?.rawValue ?? "") \(key.topics?.joined(separator: ",") ?? "")"
  let first = request.connection.notes[name] ?? limits
  request.connection.notes[name] = first
  guard first == limits else {
    throw APIError(
      .unrelatedKeyID,
      because: "kid: the first push of this connection had a key of another team, or with other limits")
  }
}
