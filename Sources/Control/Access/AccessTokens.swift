import Crypto

/// The tokens of a server: the admin token opens everything, the token of a sandbox opens that sandbox.
///
/// A sandbox's token is computed from its name, the number of its tokens that were revoked, and the server's
/// key. So it stays valid after a reset and a restart.
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
    "sandbox.\(name).\(digits(for: Self.label(name, revoked)))"
  }

  private static func label(_ name: String, _ revoked: Int) -> String {
    revoked == 0 ? name : "\(name) \(revoked)"
  }

  /// 64 hexadecimal digits that follow from a label and the server's key. No name of a sandbox is a label
  /// with a space.
  func digits(for label: String) -> String {
    Hex.encode(HMAC.authenticate(Array(label.utf8), key: sandboxKey))
  }

  /// The random seed of a new sandbox of this name. It shows nothing of the server's key.
  @Sendable
  package func seed(for sandbox: String, revoked: Int) -> Int {
    let digits = digits(for: "random seed \(Self.label(sandbox, revoked))")
    // Without the sign's bit, so that the seed can be asked for.
    return Int(truncatingIfNeeded: UInt64(digits.prefix(16), radix: 16) ?? 0) & Int.max
  }

  /// True if the request has the admin token.
  package func isAdmin(_ request: Request) -> Bool {
    TokenCheck.token(of: request).map { constantTimeEqual($0, admin) } ?? false
  }

  /// The sandbox that a token is for, right or wrong; nil if it can only be an admin token.
  static func sandboxName(in token: String) -> String? {
    guard token.hasPrefix("sandbox."), let end = token.lastIndex(of: ".") else { return nil }
    return String(token[..<end].dropFirst("sandbox.".count))
  }

  /// Nil for a wrong token.
  func holder(of token: String, in sandboxes: Sandboxes) -> Holder? {
    if constantTimeEqual(token, admin) { return .admin }
    guard let name = Self.sandboxName(in: token) else { return nil }
    let revoked = sandboxes[name]?.configuration.revokedTokens ?? 0
    return constantTimeEqual(token, self.token(for: name, revoked: revoked)) ? .sandbox(name) : nil
  }
}

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
      if let route { try require(route.access, of: own, in: sandboxes) }
      // The capture `name` is a sandbox's name in every route that has it.
      for named in [name, request.parameters.value("name")] {
        if let named, named != own { throw .otherSandbox(named, holder: own) }
      }
      let revoked = sandboxes[own]?.configuration.revokedTokens
      return Admission(sandbox: own) { [weak sandboxes] in
        sandboxes?[own].map { $0.configuration.revokedTokens == revoked } ?? true
      }
    }
  }

  /// Throws if the holder of a sandbox's token may not call a route with this access.
  private func require(_ access: Access, of own: String, in sandboxes: Sandboxes) throws(ControlProblem) {
    switch access {
    case .admin: throw .adminOnly(holder: own)
    case .sandbox:
      // Closed if the workshop cannot be read.
      guard case .success(nil) = Result(catching: { try sandboxes[own]?.workshopPlace }) else {
        throw .notForParticipants(holder: own)
      }
    case .participant, .open: return
    }
  }

  private mutating func holder(
    _ request: Request, _ sandboxes: Sandboxes
  ) throws(ControlProblem) -> AccessTokens.Holder {
    guard let token = Self.token(of: request) else { throw .missingToken }
    if let holder = tokens.holder(of: token, in: sandboxes) { return holder }
    try slowDown(token, from: FailedAttempts.client(of: request))
    throw .wrongToken
  }

  /// Wrong tokens are counted by address, and by the sandbox that they try to open. So many addresses
  /// together have no more attempts than one, and a right token is never refused because of others.
  private mutating func slowDown(_ token: String, from client: String) throws(ControlProblem) {
    let name = AccessTokens.sandboxName(in: token).flatMap { SandboxName($0) }
    let goal = name.map { "for sandbox \($0.text)" } ?? "for the whole server"
    let time = now()
    for subject in ["from \(client)", goal] {
      if let seconds = failures.secondsUntilRetry(subject, at: time) {
        throw .tooManyAttempts(subject, retryAfter: seconds)
      }
    }
    failures.add("from \(client)", at: time)
    failures.add(goal, at: time)
  }

  /// A program's token, or a browser's. A header of another scheme counts as none.
  static func token(of request: Request) -> String? {
    guard let field = request.headers["Authorization"] else { return BrowserToken.read(from: request) }
    let words = field.split(separator: " ", maxSplits: 1)
    return words.count == 2 && words[0].lowercased() == "bearer" ? String(words[1]) : nil
  }
}

/// Wrong tokens, or wrong phrases, within a minute. Counted by the client's address, or by whatever else a
/// text names.
struct FailedAttempts {
  private var start: Timestamp?
  private var counts: [String: Int] = [:]

  /// Of wrong tokens.
  static let usualLimit = 10
  private let limit: Int
  private static let minute = Duration.seconds(60)
  /// Limits the memory: above it, all further addresses and sandboxes share one count.
  private static let maxSubjects = 10_000
  private static let others = "others"

  init(limit: Int = usualLimit) { self.limit = limit }

  /// The client's address without its port. Whoever has one address of IPv6 usually has all of its first 64
  /// bits (RFC 6177).
  static func client(of request: Request) -> String {
    guard let address = IPAddress(withPort: request.peer) else { return request.peer }
    guard address.bytes.count == 16 else { return address.description }
    return "\(Hex.encode(address.bytes.prefix(8)))::/64"
  }

  /// Nil if the subject may try now.
  func secondsUntilRetry(_ subject: String, at time: Timestamp) -> Int? {
    guard let left = timeLeft(at: time), counts[key(for: subject), default: 0] >= limit else {
      return nil
    }
    return max(1, Int(left.components.seconds))
  }

  mutating func add(_ subject: String, at time: Timestamp) {
    if timeLeft(at: time) == nil { (start, counts) = (time, [:]) }
    let key = key(for: subject)
    counts[key] = min(counts[key, default: 0] + 1, limit)
  }

  private func key(for subject: String) -> String {
    counts[subject] != nil || counts.count < Self.maxSubjects ? subject : Self.others
  }

  /// Of the current minute; nil if it is over. A clock that was set back begins another one.
  private func timeLeft(at time: Timestamp) -> Duration? {
    guard let start, time >= start, time - start < Self.minute else { return nil }
    return Self.minute - (time - start)
  }
}

extension ControlProblem {
  /// Says the same whether the sandbox exists or not.
  fileprivate static func otherSandbox(_ name: String, holder own: String) -> ControlProblem {
    ControlProblem(
      404, at: "Authorization",
      "this is the token of the sandbox \(own), and the request is for \(name); use "
        + "the address and the token of one sandbox. In a workshop, both are on one card")
  }

  /// The answer to a request that waits.
  static let revokedToken = unauthorized(
    "Authorization: the token was revoked; ask the operator of this server for another one")

  fileprivate static let missingToken = unauthorized(
    "Authorization: this server requires a token; expected Bearer TOKEN. With curl, add: "
      + "-H 'Authorization: Bearer TOKEN'. In a workshop, it is on your card. Otherwise the server printed it when it "
      + "started, or was given it by --admin-token"
  )

  fileprivate static let wrongToken = unauthorized(
    "Authorization: wrong token; expected the one of --admin-token, or a sandbox's token")

  private static func unauthorized(_ message: String) -> ControlProblem {
    var problem = ControlProblem(401, message, field: "Authorization")
    problem.headers = ["WWW-Authenticate": #"Bearer realm="ringfence""#]
    return problem
  }

  fileprivate static func adminOnly(holder name: String) -> ControlProblem {
    ControlProblem(
      403, at: "Authorization", "this operation requires the admin token; found the token of sandbox \(name)")
  }

  fileprivate static func notForParticipants(holder name: String) -> ControlProblem {
    ControlProblem(
      403, at: "Authorization",
      "participants of a workshop may not do this; found the token of sandbox \(name)")
  }

  fileprivate static func tooManyAttempts(_ subject: String, retryAfter seconds: Int) -> ControlProblem {
    var problem = ControlProblem(
      429, at: "Authorization",
      "wrong token, after \(FailedAttempts.usualLimit) wrong ones \(subject) within a minute. Try "
        + "again in \(seconds) s; the right token is accepted at any time")
    problem.headers = ["Retry-After": String(seconds)]
    return problem
  }
}
