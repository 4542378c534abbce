import Crypto
import ProviderKit

/// How a caller proves which application it is, weakest first. Source: contract 1.
enum AuthLevel: String, CaseIterable, Comparable {
  /// The key alone, as in apps.
  case `public`
  /// Key and secret.
  case basic
  /// A signature of the request.
  case signed

  static func < (one: AuthLevel, other: AuthLevel) -> Bool { one.rank < other.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// The credentials in a request's `Authorization` header, not verified yet.
enum AuthorizationHeader: Equatable {
  case basic(key: String, secret: String)
  /// `Application key:signature`, or without a signature.
  case application(key: String, signature: String?)

  init?(_ headers: Headers) {
    if let basic = BasicAuthentication(headers) {
      self = .basic(key: basic.name, secret: basic.password)
      return
    }
    guard let field = headers["Authorization"] else { return nil }
    let words = field.split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "application" else { return nil }
    let parts = words[1].split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
    self = .application(key: String(parts[0]), signature: parts.count == 2 ? String(parts[1]) : nil)
  }

  var key: String {
    switch self {
    case .basic(let key, _), .application(let key, _): key
    }
  }

  var level: AuthLevel {
    switch self {
    case .basic: .basic
    case .application(_, nil): .public
    case .application: .signed
    }
  }
}

struct Authentication {
  let request: Request
  let settings: Settings
  let sandbox: Sandbox

  /// The calling application. `isOpen`: a request without credentials is one of the first application.
  ///
  /// If the sandbox is open, unknown keys are accepted, so that an app can keep its own credentials. Their
  /// secrets are unknown, and are not checked.
  func caller(isOpen: Bool) throws -> (Application, AuthLevel) {
    guard request.headers["Authorization"] != nil else {
      guard isOpen, let first = try Application.credentials(in: sandbox).first else {
        throw APIError(.invalidAuthorization).because("no Authorization header")
      }
      return (try Application(first, in: sandbox), .signed)
    }
    guard let header = AuthorizationHeader(request.headers) else {
      throw APIError(.invalidAuthorization)
        .because("expected Basic …, Application key:signature, or Application key")
    }
    let known = try Application.credential(header.key, in: sandbox)
    guard known != nil || sandbox.acceptsUnknownAccounts && UUIDText.isValid(header.key) else {
      throw APIError(.unknownApplication)
        .because("sandbox \(sandbox.name) has no application \(header.key)")
    }
    let unknown = Credential(
      provider: SinchProvider.name, name: header.key, secret: "", account: Application.account)
    let application = try Application(known ?? unknown, in: sandbox)
    try verify(header, of: application)
    let minimum = application.minimumAuth ?? settings.minimumAuth
    guard header.level >= minimum else {
      throw APIError(.authorizationRequired)
        .because("the application needs \(minimum.rawValue) authorization; found \(header.level.rawValue)")
    }
    return (application, header.level)
  }

  private func verify(_ header: AuthorizationHeader, of application: Application) throws {
    switch header {
    case .basic(_, let secret):
      guard application.secret.isEmpty || constantTimeEqual(application.secret, secret) else {
        throw APIError(.signature, "Wrong application secret.")
      }
    case .application(_, nil): break
    case .application(_, let signature?):
      guard let time = request.headers["x-timestamp"] else {
        throw APIError(.timestamp).because("x-timestamp: missing")
      }
      let signed = SignedText(request, at: time)
      guard application.secret.isEmpty || signed.hasSignature(signature, by: application.secret) else {
        throw APIError(.signature).because(signed.explanation(of: signature, by: application.secret))
      }
      try requireRecent(time)
    }
  }

  /// Official clients sign with the machine's time, so that is right, too, when a test has moved the
  /// sandbox's. Source: contract 1 and 9, `timestampTolerance`.
  private func requireRecent(_ text: String) throws {
    guard let time = Timestamp(rfc3339: text) else {
      throw APIError(.timestamp).because("x-timestamp: expected a time of ISO 8601; found \(text)")
    }
    let (tolerance, clock) = (settings.timestampTolerance, sandbox.clock)
    func age(at now: Timestamp) -> Duration { max(now - time, time - now) }
    guard
      tolerance <= 0
        || [clock.now, clock.machineTime].contains(where: { age(at: $0) <= .seconds(tolerance) })
    else {
      throw APIError(.timestamp).because(
        "x-timestamp is \(age(at: clock.now).wholeSeconds) s off; the sandbox's time is "
          + "\(clock.now.iso8601) (setting timestampTolerance: \(tolerance) s)")
    }
  }
}
