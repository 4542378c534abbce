import ProviderKit

/// Moves a session from step to step, and saves it. Source: contract 5.3.
///
/// ```
/// created ─> key ─┬─ of the number ───────────────> passed
///                 ├─ of another number ───────────> failed (9101)
///                 └─ none ─> Mobile Auth ─┬───────> passed
///                                         └─ code or link ─> passed or failed (9100)
/// ```
struct Possession {
  let sandbox: Sandbox
  let settings: Settings
  let client: Client
  var session: Session
  /// What the device must be told besides the step.
  private(set) var error: StepError?

  init(_ session: Session, _ settings: Settings, client: Client, in sandbox: Sandbox) {
    self.session = session
    self.settings = settings
    self.client = client
    self.sandbox = sandbox
  }

  /// For a session whose client may have been deleted.
  init(_ session: Session, _ settings: Settings, in sandbox: Sandbox) throws {
    let client = try Client.find(session.clientID, in: sandbox) ?? Client()
    self.init(session, settings, client: client, in: sandbox)
  }

  var now: Timestamp { sandbox.clock.now }

  /// The session's number, parsed.
  var number: MobileNumber? { session.mobileNumber }

  var users: TestUsers {
    TestUsers(session.kind.solution, of: client, settings, in: sandbox)
  }

  /// How the number's checks turn out. Without a number, nothing is known.
  var script: PossessionScript {
    get throws { try number.map { try users.user(of: $0).possession } ?? PossessionScript() }
  }

  /// Changes the session and saves it.
  mutating func update(_ change: (inout Session) throws -> Void) throws {
    try change(&session)
    try session.save(in: sandbox)
  }

  /// Moves to a step, and tells the device about an error.
  mutating func move(to step: Session.Step, _ error: StepError? = nil) throws {
    self.error = error
    try update { $0.step = step }
    if step == .finished { try VirtualHandset.close(session, in: sandbox) }
  }
}

/// What a device must be told besides its step. Source: contract 6.2.
struct StepError: Equatable {
  enum Kind: String {
    case phoneNumberValidation = "phone_number_validation"
    case otpValidation = "otp_validation"
    case resendLimit = "resend_limit"
    case notEnabled = "not_enabled"
    case expired
  }

  let kind: Kind
  let message: String

  init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }
}

/// The key check, and what follows it.
extension Possession {
  /// Starts the session for a device. `key` is the one on the device; nil if it has none.
  mutating func start(on device: SessionDevice, with key: ProveKey?) throws {
    try update {
      $0.device = device
      $0.deviceID = key?.deviceID
    }
    if try script.skipsDevice, session.possession != .none { return try pass(by: .testUser) }
    switch session.possession {
    case .desktop: try startCodeOrLink()
    case .mobile: try checkKey(key)
    case .none: try checkCustomersKey(key)
    }
  }

  /// Source: contract 4.3, rows 8 to 10.
  private mutating func checkKey(_ key: ProveKey?) throws {
    guard !session.options.rebind, let key, let bound = key.number else { return try tryMobileAuth() }
    guard let number else {
      session.number = bound
      return try pass(by: .key)
    }
    guard key.isBound(to: number) else {
      return try fail(.numberDoesNotMatchKey, because: "the device's key is bound to \(bound)")
    }
    try pass(by: .key)
  }

  /// Source: contract 5.7.
  private mutating func checkCustomersKey(_ key: ProveKey?) throws {
    if let key, let bound = key.number, !session.options.rebind {
      if let number, !key.isBound(to: number) {
        session.failure = .numberDoesNotMatchKey
        session.why = "the device's key is bound to \(bound)"
      } else {
        session.number = session.number ?? bound
        return try pass(by: .key)
      }
    }
    if session.options.rebind { return try requirePossession() }
    try tryMobileAuth()
  }

  private mutating func tryMobileAuth() throws {
    guard try mobileAuthIsOffered else { return try continueWithoutMobileAuth() }
    try move(to: .mobileAuth)
  }

  /// What follows when Mobile Auth is not offered or has failed.
  mutating func continueWithoutMobileAuth() throws {
    if session.possession == .none { return try requirePossession() }
    try startCodeOrLink()
  }

  /// A code if the app takes one, else a link. Desktop browsers take links only. Source: contract 5.2.
  private mutating func startCodeOrLink() throws {
    session.needsNumber = session.number == nil
    if session.possession == .mobile, session.device.features.contains(.otp) {
      return try move(to: .otpStart)
    }
    guard session.possession == .desktop || session.device.features.contains(.instantLink) else {
      return try fail(.possessionIncomplete, because: "the app offers neither codes nor links")
    }
    guard session.possession == .desktop || client.instantLinkMobile else {
      return try fail(
        .possessionIncomplete, because: "instantLinkMobile is off for client \(client.id)",
        StepError(.notEnabled, "Instant Link on mobile is not enabled for this client"))
    }
    guard session.options.finalTargetURL != nil else {
      return try fail(
        .possessionIncomplete, because: "the session has no finalTargetUrl for the link",
        StepError(.notEnabled, "Instant Link needs a finalTargetUrl"))
    }
    try move(to: .linkStart)
  }

  private mutating func requirePossession() throws {
    if session.deviceID == nil, try !script.skipsDevice {
      session.deviceID = try ProveKey.place(on: session, in: sandbox).deviceID
    }
    session.outcome = .possessionRequired
    try move(to: .finished)
  }
}

extension Possession {
  /// Ends the session with success, and binds the number to the device's key.
  mutating func pass(by means: Session.Means) throws {
    session.outcome = .passed
    session.means = means
    session.failure = nil
    session.why = nil
    try bindKey(by: means)
    try endVerification(as: .approved)
    try move(to: .finished)
  }

  mutating func fail(
    _ code: FraudCode, as state: Verification.State = .canceled, because why: String,
    _ error: StepError? = nil
  ) throws {
    session.outcome = .failed
    session.failure = code
    session.why = why
    try endVerification(as: state)
    try move(to: .finished, error)
  }

  mutating func cancel() throws {
    try fail(.possessionIncomplete, because: "the device has canceled")
  }

  /// Desktop browsers and users who need no device get no key. Source: contract 4.3.
  private mutating func bindKey(by means: Session.Means) throws {
    guard session.possession != .desktop, let number, try !script.skipsDevice else { return }
    var key =
      try session.deviceID.flatMap { try ProveKey.find($0, of: client, in: sandbox) }
      ?? ProveKey.place(on: session, in: sandbox)
    key.number = key.isBound(to: number) ? key.number : number.text
    key.proveID = try Identity.ofNumber(number.number, clientID: client.id, in: sandbox).proveID
    key.clientCustomerID = session.options.clientCustomerID ?? key.clientCustomerID
    key.clientHumanID = session.options.clientHumanID ?? key.clientHumanID
    try key.saveUse(in: sandbox)
    session.deviceID = key.deviceID
  }

  /// Does nothing if the verification has ended already.
  func endVerification(as state: Verification.State) throws {
    guard let ordinal = session.verification, let verification = try sandbox.verifications.find(ordinal)
    else {
      return
    }
    _ = try sandbox.verifications.finish(
      verification, as: state,
      answeredBy: state == .approved ? verification.attempts.all.last?.number : nil)
  }

  /// Fails a session whose link was not opened in time. Source: contract 5.5 and 5.6.
  mutating func endWait() throws {
    guard session.step == .linkWait, let end = session.waitEnd(settings), now >= end else { return }
    session.hasTimedOut = true
    try fail(
      .possessionIncomplete, as: .expired, because: "nobody opened the link until \(end.iso8601)")
  }
}

extension Session {
  /// When a device stops waiting for the click on a link; nil if nothing was sent.
  func waitEnd(_ settings: Settings) -> Timestamp? {
    let seconds = possession == .desktop ? settings.desktopSeconds : settings.linkSeconds
    return sentAt.map { $0 + .seconds(seconds) }
  }
}
