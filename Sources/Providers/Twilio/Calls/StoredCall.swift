import ProviderKit

/// A call of the core API. Its way to the handset, and what is heard, are the carrier's. Source: `senders.md`
/// 2, as everywhere in this folder.
struct StoredCall: Equatable, Sendable {
  enum Status: String, CaseIterable, Sendable {
    case queued, ringing
    case inProgress = "in-progress"
    case completed, busy, failed, canceled
    case noAnswer = "no-answer"
  }

  enum AnsweredBy: String, CaseIterable, Sendable {
    case human
    case machine = "machine_start"
  }

  var sid = ""
  var account = ""
  /// As in the request.
  var to = ""
  var from = ""
  /// Where the first document is; nil if the request has it.
  var document: Address?
  var twiml: String?
  var fallback: Address?
  var statusCallback: Address?
  var statusEvents: [CallEvent] = []
  var sendDigits: String?
  var detectsMachines = false
  /// The position in lists; the SID was made from it.
  var ordinal = 0
  /// The ordinal of the carrier's message.
  var carrierOrdinal = 0
  var createdAt = Timestamp.earliest
  /// The last change, by a client or in the course of the call.
  var changedAt = Timestamp.earliest
  var answeredAt: Timestamp?
  var answeredBy: AnsweredBy?
  var endedAt: Timestamp?
  /// The status in the end.
  var finalStatus: Status?
  /// How many events there were, also those to which nobody has subscribed.
  var events = 0
  var script = CallScript()

  static let schema = Schema<StoredCall>([
    .required("sid", \.sid, .string),
    .required("account", \.account, .string),
    .required("to", \.to, .string),
    .required("from", \.from, .string),
    .optional("document", \.document, .address),
    .optional("twiml", \.twiml, .string),
    .optional("fallback", \.fallback, .address),
    .optional("statusCallback", \.statusCallback, .address),
    .field("statusEvents", \.statusEvents, .distinctWords(), default: []),
    .optional("sendDigits", \.sendDigits, .string),
    .required("detectsMachines", \.detectsMachines, .boolean),
    .required("ordinal", \.ordinal, .ordinal),
    .required("carrierOrdinal", \.carrierOrdinal, .ordinal),
    .required("createdAt", \.createdAt, .timestamp),
    .required("changedAt", \.changedAt, .timestamp),
    .optional("answeredAt", \.answeredAt, .timestamp),
    .optional("answeredBy", \.answeredBy, .word),
    .optional("endedAt", \.endedAt, .timestamp),
    .optional("finalStatus", \.finalStatus, .word),
    .required("events", \.events, .count),
    .required("script", \.script, .object(CallScript.schema) { CallScript() }),
  ])

  static let table = RecordTable("call", of: TwilioProvider.name, schema) { StoredCall() }

  init(of account: String, in sandbox: Sandbox) {
    self.account = account
    ordinal = sandbox.nextOrdinal()
    sid = sandbox.entropy.labelledIdentifier("CA", ordinal)
    createdAt = sandbox.clock.now
    changedAt = createdAt
  }

  private init() {}

  /// The call of the path.
  static func named(by context: RequestContext) throws -> StoredCall {
    let account = try account(of: context)
    let sid = context.request[parameter: "call"]
    guard let call = try table.find(sid, in: context.sandbox), call.account == account else {
      throw APIError.notFound(context.request.target.path).because("no call \(sid) of account \(account)")
    }
    return call
  }

  /// The account of the path. Calls of others are refused as if the credentials were wrong.
  static func account(of context: RequestContext) throws(APIError) -> String {
    do throws(APIError) {
      return try AccountSID.named(by: context)
    } catch {
      throw APIError.unauthenticated.because(error.why ?? "")
    }
  }

  func save(in sandbox: Sandbox) throws {
    try Self.table.save(self, as: sid, group: account, ordinal: ordinal, in: sandbox)
  }

  /// The status by now.
  func status(at now: Timestamp) -> Status {
    if let finalStatus { return finalStatus }
    if answeredAt != nil { return .inProgress }
    return now < createdAt + Self.ringsAfter ? .queued : .ringing
  }

  static let ringsAfter = Duration.milliseconds(50)

  /// From the answer to the end, in whole seconds, rounded up.
  var seconds: Int {
    guard let answeredAt, let endedAt else { return 0 }
    return Int(((endedAt - answeredAt).milliseconds + 999) / 1000)
  }
}

/// What can be reported of a call.
enum CallEvent: String, CaseIterable, Sendable {
  case initiated, ringing, answered, completed
}
