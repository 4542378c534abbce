import ProviderKit

/// What a client wants to be told about a line. Source: contract 11.
///
/// ```
/// create ──> active ──the event happens, n times──> ended   MAX_EVENTS_REACHED
///               │ ├─its time ends──────────────────> ended   SUBSCRIPTION_EXPIRED, ACCESS_TOKEN_EXPIRED
///               │ ├─the receiver answers 401───────> ended   ACCESS_TOKEN_EXPIRED
///               │ ├─the receiver answers 410───────> ended   NETWORK_TERMINATED
///               │ ├─the number loses its holder────> ended   NETWORK_TERMINATED
///               └─delete──────────────────────────> deleted SUBSCRIPTION_DELETED
/// ```
struct Subscription: StoredRecord, Equatable {
  var id = ""
  var kind = EventKind.swapped
  var clientID = ""
  var number = ""
  /// True if the token of the request has named the line: answers and notifications do not.
  var isThreeLegged = false
  /// That of the client's token, for which the subscriber has to consent.
  var purpose: String?
  /// That of the version of the API by which it was made.
  var release = Release.fall25
  /// The member `device` of answers; nil where there is none.
  var device: JSON?
  var sink = ""
  /// For the receiver.
  var accessToken: String?
  /// As in the request.
  var expireTime: String?
  var maxEvents: Int?
  var initialEvent: Bool?
  /// The API's URL.
  var source = ""
  var startsAt = Timestamp.earliest
  /// When it ends by itself, and why.
  var endsAt: Timestamp?
  var endReason: TerminationReason?
  /// The planned notification of that end.
  var endWebhook: Int?
  /// How many notifications count toward `maxEvents`.
  var sent = 0
  var hasEnded = false

  private static let schema = Schema<Subscription>([
    .required("id", \.id, .string),
    .required("kind", \.kind, .word),
    .required("client", \.clientID, .string),
    .required("number", \.number, .string),
    .required("threeLegged", \.isThreeLegged, .boolean),
    .optional("purpose", \.purpose, .string),
    .required("release", \.release, .word),
    .optional("device", \.device, .json),
    .required("sink", \.sink, .string),
    .optional("accessToken", \.accessToken, .string),
    .optional("expireTime", \.expireTime, .string),
    .optional("maxEvents", \.maxEvents, .count),
    .optional("initialEvent", \.initialEvent, .boolean),
    .required("source", \.source, .string),
    .required("startsAt", \.startsAt, .timestamp),
    .optional("endsAt", \.endsAt, .timestamp),
    .optional("endReason", \.endReason, .word),
    .optional("endWebhook", \.endWebhook, .ordinal),
    .required("sent", \.sent, .count),
    .required("ended", \.hasEnded, .boolean),
  ])

  var key: String { id }
  var group: String { number }
  static let table = RecordTable("subscription", of: CAMARAProvider.name, schema) { Subscription() }

  enum Status: String {
    case active = "ACTIVE"
    /// The subscriber has withdrawn the consent.
    case inactive = "INACTIVE"
    /// After any end.
    case expired = "EXPIRED"
  }

  func isOver(at time: Timestamp) -> Bool { hasEnded || endsAt.map { $0 <= time } ?? false }

  func status(in sandbox: Sandbox) throws -> Status {
    guard !isOver(at: sandbox.clock.now) else { return .expired }
    guard isThreeLegged, let purpose, let line = PhoneNumber(number) else { return .active }
    let permission = try Permission(of: line, to: purpose, for: kind.scope, in: sandbox)
    return permission.answer == .granted ? .active : .inactive
  }

  /// Gives the subscription its id, plans its end, and keeps it.
  mutating func start(in sandbox: Sandbox) throws {
    try Self.table.requireRoom(in: sandbox)
    let ordinal = sandbox.nextOrdinal()
    startsAt = sandbox.clock.now
    id = sandbox.entropy.uuid("subscription", ordinal, at: startsAt)
    if let endsAt, let endReason {
      endWebhook = try Notification(ending: self, because: endReason, at: endsAt).enqueue(in: sandbox).ordinal
    }
    try Self.table.save(self, as: id, group: number, ordinal: ordinal, in: sandbox)
  }

  static func all(of client: String, _ api: EventAPI, in sandbox: Sandbox) throws -> [Subscription] {
    try table.all(in: sandbox).filter { $0.clientID == client && $0.kind.api == api }
  }

  /// The token of the newest subscription with a sink.
  static func accessToken(forSink url: String, in sandbox: Sandbox) throws -> String? {
    try table.all(in: sandbox).last { $0.sink == url }?.accessToken
  }

  /// True if the client already has such a subscription to the line, with the same sink. Source: contract 11.
  func exists(in sandbox: Sandbox) throws -> Bool {
    try Self.table.list(group: number, in: sandbox).contains { entry in
      let other = entry.record
      return !other.isOver(at: sandbox.clock.now) && other.clientID == clientID && other.kind == kind
        && other.sink == sink && other.isThreeLegged == isThreeLegged && other.device == device
    }
  }

  /// Tells the receiver about the line; the last notification ends the subscription.
  mutating func notify(about line: Subscriber, in sandbox: Sandbox) throws {
    try Notification(of: kind, about: line, for: self, at: sandbox.clock.now).enqueue(in: sandbox)
    sent += 1
    if sent == maxEvents { return try end(because: .maxEventsReached, in: sandbox) }
    try save(in: sandbox)
  }

  /// Tells the receiver that there is no more. Does nothing after the end.
  mutating func end(because reason: TerminationReason, in sandbox: Sandbox) throws {
    guard !isOver(at: sandbox.clock.now) else { return }
    if let webhook = try endWebhook.flatMap({ try sandbox.webhooks.find($0) }) {
      try sandbox.webhooks.cancel(webhook)
    }
    hasEnded = true
    try save(in: sandbox)
    try Notification(ending: self, because: reason, at: sandbox.clock.now).enqueue(in: sandbox)
  }

  /// What an answer to a token says. The credential is in none.
  func write(_ status: Status, to json: inout JSONWriter, for token: AccessToken) {
    json.member("id", id)
    json.member("protocol", "HTTP")
    json.member("sink", sink)
    json.array("types", [kind.type]) { $0.value($1) }
    json.object("config") { json in
      json.object("subscriptionDetail") { if !token.isThreeLegged { writeSubject(to: &$0) } }
      if let expireTime { json.member("subscriptionExpireTime", expireTime) }
      if let maxEvents { json.member("subscriptionMaxEvents", maxEvents) }
      if let initialEvent { json.member("initialEvent", initialEvent) }
    }
    json.member("startsAt", startsAt.iso8601Milliseconds)
    if let endsAt { json.member("expiresAt", endsAt.iso8601Milliseconds) }
    json.member("status", status.rawValue)
  }

  /// The number or the device, unless a token has named it.
  func writeSubject(to json: inout JSONWriter) {
    guard !isThreeLegged else { return }
    if let device {
      json.member("device", encoded: device.encoded())
    } else {
      json.member("phoneNumber", number)
    }
  }
}
