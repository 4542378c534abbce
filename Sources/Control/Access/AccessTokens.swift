import Crypto
package import Domain
package import HTTP
import JSON

/// The tokens of a server: the admin token opens everything, the token of a sandbox opens that sandbox.
///
/// A sandbox's token is computed from its name, the number of its tokens that were revoked, and the server's key. So it
/// stays valid after a reset and a restart.
package struct AccessTokens: Sendable {
  enum Holder: Equatable {
    case admin
    case sandbox(String)
  }

  private let admin: String
  private let sandboxKey: [UInt8]

  /// `sandboxKey` holds 32 random bytes.
  package init(admin: String, sandboxKey: [UInt8]) {
    self.admin = admin
    self.sandboxKey = sandboxKey
  }

  /// `sandbox.NAME.DIGITS`
  package func token(for sandbox: Sandbox) -> String {
    token(for: sandbox.name, revoked: sandbox.configuration.revokedTokens)
  }

  private func token(for name: String, revoked: Int) -> String {
    "sandbox.\(name).\(digits(for: revoked == 0 ? name : "\(name) \(revoked)"))"
  }

  /// 64 hexadecimal digits that follow from a label and the server's key. No name of a sandbox is a label with a space.
  func digits(for label: String) -> String {
    Hex.encode(HMAC.authenticate(Array(label.utf8), key: sandboxKey))
  }

  /// True if the request has the admin token.
  package func isAdmin(_ request: Request) -> Bool {
    TokenCheck.token(of: request).map { constantTimeEqual($0, admin) } ?? false
  }

  /// Nil for a wrong token.
  func holder(of token: String, in sandboxes: Sandboxes) -> Holder? {
    if constantTimeEqual(token, admin) { return .admin }
    guard token.hasPrefix("sandbox."), let end = token.lastIndex(of: ".") else { return nil }
    let name = String(token[..<end].dropFirst("sandbox.".count))
    let revoked = sandboxes[name]?.configuration.revokedTokens ?? 0
    return constantTimeEqual(token, self.token(for: name, revoked: revoked)) ? .sandbox(name) : nil
  }
}

/// Checks the token of each request.
struct TokenCheck {
  let tokens: AccessTokens
  /// The machine's clock.
  let now: WallClock
  private var failures = FailedAttempts()

  init(tokens: AccessTokens, now: @escaping WallClock) {
    self.tokens = tokens
    self.now = now
  }

  /// Throws if the request's token does not open this route and sandbox.
  mutating func admit(
    _ request: Request, to route: Route<Sandbox>?, of name: String?, in sandboxes: Sandboxes
  ) throws(ControlProblem) -> Admission {
    switch try holder(request, sandboxes) {
    case .admin: return Admission(sandbox: name)
    case .sandbox(let own):
      if let route, Self.adminOperations.contains(route.name) { throw .adminOnly(holder: own) }
      // The capture `name` is a sandbox's name in every route that has it.
      for named in [name, request.parameters.value("name")] {
        if let named, named != own { throw .notFound("sandbox \(named)") }
      }
      let revoked = sandboxes[own]?.configuration.revokedTokens
      return Admission(sandbox: own) { [weak sandboxes] in
        sandboxes?[own].map { $0.configuration.revokedTokens == revoked } ?? true
      }
    }
  }

  private mutating func holder(
    _ request: Request, _ sandboxes: Sandboxes
  ) throws(ControlProblem) -> AccessTokens.Holder {
    guard let token = Self.token(of: request) else { throw .missingToken }
    let client = FailedAttempts.client(of: request)
    let time = now()
    if let seconds = failures.secondsUntilRetry(client, at: time) {
      throw .tooManyAttempts(from: client, retryAfter: seconds)
    }
    guard let holder = tokens.holder(of: token, in: sandboxes) else {
      failures.add(client, at: time)
      throw .wrongToken
    }
    return holder
  }

  /// A program's token, or a browser's. A header of another scheme counts as none.
  fileprivate static func token(of request: Request) -> String? {
    guard let field = request.headers["Authorization"] else { return BrowserToken.read(from: request) }
    let words = field.split(separator: " ", maxSplits: 1)
    return words.count == 2 && words[0].lowercased() == "bearer" ? String(words[1]) : nil
  }

  /// Operations on the server, not on one sandbox.
  static let adminOperations = Set([
    "listSandboxes", "createSandbox", "updateSandbox", "deleteSandbox", "createSandboxToken",
    "revokeSandboxToken", "metrics",
  ]).union(workshopOperations)

  private static let workshopOperations: Set = [
    "listStories", "listWorkshops", "createWorkshop", "fetchWorkshop", "deleteWorkshop", "fetchResults",
    "streamBoard",
    "resetParticipants", "breakParticipants", "fixParticipants", "moveParticipants", "noteParticipants",
    "showWorkshops", "showWorkshop", "showCards",
  ]
}

/// Wrong tokens, counted by the client's address.
struct FailedAttempts {
  private struct Minute {
    let start: Timestamp
    var failures = 0
  }

  private var minutes: [String: Minute] = [:]

  static let limit = 10
  private static let length = Duration.seconds(60)
  /// Older counts are discarded beyond this number.
  private static let maxAddresses = 10_000

  /// The client's address without its port.
  static func client(of request: Request) -> String {
    String(request.peer[..<(request.peer.lastIndex(of: ":") ?? request.peer.endIndex)])
  }

  /// Nil if the client may try now.
  func secondsUntilRetry(_ client: String, at time: Timestamp) -> Int? {
    guard let minute = minutes[client], minute.failures >= Self.limit else { return nil }
    let left = Self.length - (time - minute.start)
    return left > .zero ? max(1, Int(left.components.seconds)) : nil
  }

  mutating func add(_ client: String, at time: Timestamp) {
    if minutes.count >= Self.maxAddresses { minutes = minutes.filter { time - $0.value.start < Self.length } }
    if minutes.count >= Self.maxAddresses { minutes = [:] }
    var minute = minutes[client] ?? Minute(start: time)
    if time - minute.start >= Self.length { minute = Minute(start: time) }
    minute.failures += 1
    minutes[client] = minute
  }
}

extension ControlProblem {
  /// The answer to a request that waits.
  static let revokedToken = unauthorized(
    "Authorization: the token was revoked; ask the operator of this server for another one")

  fileprivate static let missingToken = unauthorized(
    "Authorization: this server requires a token; expected Bearer TOKEN. With curl, add: "
      + "-H 'Authorization: Bearer TOKEN'. In a workshop, it is on your card; else ask who runs the server"
  )

  fileprivate static let wrongToken = unauthorized(
    "Authorization: wrong token; expected the one of --admin-token, or a sandbox's token")

  private static func unauthorized(_ message: String) -> ControlProblem {
    var problem = ControlProblem(status: 401, message: message, field: "Authorization")
    problem.headers = ["WWW-Authenticate": #"Bearer realm="ringfence""#]
    return problem
  }

  fileprivate static func adminOnly(holder name: String) -> ControlProblem {
    ControlProblem(
      status: 403,
      message: "Authorization: this operation requires the admin token; found the token of sandbox \(name)",
      field: "Authorization")
  }

  fileprivate static func tooManyAttempts(from client: String, retryAfter seconds: Int) -> ControlProblem {
    var problem = ControlProblem(
      status: 429,
      message:
        "Authorization: too many wrong tokens from \(client); expected at most \(FailedAttempts.limit) a "
        + "minute. Try again in \(seconds) s",
      field: "Authorization")
    problem.headers = ["Retry-After": String(seconds)]
    return problem
  }
}
