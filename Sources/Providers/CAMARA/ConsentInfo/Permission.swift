import ProviderKit

/// What a subscriber lets clients do for a purpose: the record's `consent`, in which `dpv:Purpose#scope` is
/// the answer for one scope. Source: contract 13 and 14.
struct Permission: Equatable {
  enum Status: String {
    case granted
    case pending = "PENDING"
    case denied = "DENIED"
    case expired = "EXPIRED"
    /// Denied, where no consent was needed.
    case objected = "OBJECTED"
  }

  let status: Status
  /// When the consent ends or has ended; nil if it has no end.
  private(set) var end: Timestamp?

  /// `purpose`: with its prefix; nil means any, as some clients ask.
  init(of number: PhoneNumber, to purpose: String?, for scope: String, in sandbox: Sandbox) throws {
    let (purpose, settings) = (purpose ?? Consent.anyPurpose, try Settings.current(in: sandbox))
    let needsNoConsent = settings.optOutPurposes.contains(String(purpose.dropFirst(Purpose.prefix.count)))
    var subscriber = try sandbox.subscribers[number]
    let key = subscriber.consent.key(of: scope, for: purpose)
    let known = try ConsentEnd.find(of: number, to: key, in: sandbox)
    var isOver = known?.isOver ?? false
    if var known, !known.isOver, subscriber.consent[key] == .granted, sandbox.clock.now >= known.time {
      // The subscriber has to be asked again.
      (known.isOver, isOver) = (true, true)
      try known.save(of: number, to: key, in: sandbox)
      subscriber.consent[key] = .unknown
      try sandbox.subscribers.keep(subscriber)
    }
    switch subscriber.consent[key] {
    case .granted:
      status = .granted
      if !isOver { end = known?.time }
    case .unknown where needsNoConsent: status = .granted
    case .unknown where isOver: (status, end) = (.expired, known?.time)
    case .unknown: status = .pending
    case .denied: status = needsNoConsent ? .objected : .denied
    }
  }

  /// `sim-swap` of `sim-swap:check`
  static func api(of scope: String) -> String { String(scope.prefix { $0 != ":" }) }

  var answer: Consent.Answer {
    switch status {
    case .granted: .granted
    case .pending, .expired: .unknown
    case .denied, .objected: .denied
    }
  }

  /// What a subscriber has said about a request: yes only to all of its scopes.
  static func answer(of number: PhoneNumber, to scope: Scope, in sandbox: Sandbox) throws -> Consent.Answer {
    let answers = try scope.names.map { name in
      try Permission(of: number, to: scope.purpose, for: name, in: sandbox).answer
    }
    return answers.contains(.denied) ? .denied : answers.contains(.unknown) ? .unknown : .granted
  }

  /// Notes that a subscriber has agreed to the purpose of a request.
  static func grant(by number: PhoneNumber, to scope: Scope, in sandbox: Sandbox) throws {
    try note(
      .granted, of: number, to: scope.purpose ?? Consent.anyPurpose, for: scope.names, in: sandbox)
  }

  /// Notes one answer for some scopes: where the answer for each is.
  static func note(
    _ answer: Consent.Answer, of number: PhoneNumber, to purpose: String, for scopes: [String],
    in sandbox: Sandbox
  ) throws {
    let consent = try sandbox.subscribers[number].consent
    try note(answer, of: number, at: Set(scopes.map { consent.key(of: $0, for: purpose) }), in: sandbox)
  }

  /// Notes that a subscriber has agreed to some of the scopes of a request and to no others.
  static func noteChoice(
    of granted: [String], among scopes: [String], by number: PhoneNumber, to purpose: String,
    in sandbox: Sandbox
  ) throws {
    for scope in scopes {
      let answer: Consent.Answer = granted.contains(scope) ? .granted : .denied
      try note(answer, of: number, at: [Consent.key(of: scope, for: purpose)], in: sandbox)
    }
  }

  /// A record has room for a hundred answers; a further one is lost.
  private static func note(
    _ answer: Consent.Answer, of number: PhoneNumber, at keys: Set<String>, in sandbox: Sandbox
  ) throws {
    var subscriber = try sandbox.subscribers[number]
    let validity = try Settings.current(in: sandbox).consentValidity
    for key in keys.sorted() {
      let answers = subscriber.consent.answers
      guard answers.count < 100 || answers.contains(where: { $0.purpose == key }) else { continue }
      subscriber.consent[key] = answer
      if let validity, answer == .granted {
        let end = ConsentEnd(time: sandbox.clock.now + .seconds(validity))
        try end.save(of: number, to: key, in: sandbox)
      } else {
        try ConsentEnd.delete(of: number, to: key, in: sandbox)
      }
    }
    try sandbox.subscribers.keep(subscriber)
  }
}

/// When a consent ends that a subscriber has given to a page or on a handset. Kept with the setting
/// `consentValidity`.
private struct ConsentEnd: Equatable {
  var time = Timestamp.earliest
  /// True once the record says so.
  var isOver = false

  private static let schema = Schema<ConsentEnd>([
    .required("time", \.time, .timestamp), .required("over", \.isOver, .boolean),
  ])
  private static let table = RecordTable("consent end", of: CAMARAProvider.name, schema) { ConsentEnd() }

  static func find(of number: PhoneNumber, to key: String, in sandbox: Sandbox) throws -> ConsentEnd? {
    try table.find("\(number) \(key)", in: sandbox)
  }

  func save(of number: PhoneNumber, to key: String, in sandbox: Sandbox) throws {
    try Self.table.save(self, as: "\(number) \(key)", in: sandbox)
  }

  static func delete(of number: PhoneNumber, to key: String, in sandbox: Sandbox) throws {
    try table.delete("\(number) \(key)", in: sandbox)
  }
}

extension Consent {
  /// Where the answer for a scope is: its own, that of its API, such as `sim-swap` for `sim-swap:check`, or
  /// that of the purpose.
  fileprivate func key(of scope: String, for purpose: String) -> String {
    let keys = [scope, Permission.api(of: scope)].map { Self.key(of: $0, for: purpose) }
    return keys.first { key in answers.contains { $0.purpose == key } } ?? purpose
  }

  fileprivate static func key(of scope: String, for purpose: String) -> String { "\(purpose)#\(scope)" }
}
