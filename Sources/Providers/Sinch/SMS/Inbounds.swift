import ProviderKit

/// A text that a person has sent to a batch's sender, or to a plan's default one. Source: `senders.md` 7.
struct Inbound: Equatable, Sendable {
  var id = ""
  var plan = ""
  var ordinal = 0
  var from = ""
  var to = ""
  var body = ""
  var operatorID = ""
  var receivedAt = Timestamp.earliest
  /// That of the batch to which it is the reply.
  var clientReference: String?

  static let type = "mo_text"

  static let table = RecordTable(
    "inbound", of: SinchProvider.name,
    Schema<Inbound>([
      .required("id", \.id, .string), .required("plan", \.plan, .string),
      .required("ordinal", \.ordinal, .ordinal), .required("from", \.from, .string),
      .required("to", \.to, .string), .required("body", \.body, .string),
      .required("operatorId", \.operatorID, .string), .required("receivedAt", \.receivedAt, .timestamp),
      .optional("clientReference", \.clientReference, .string),
    ])
  ) { Inbound() }

  /// Nil if none has the ordinal.
  static func find(_ ordinal: Int, in sandbox: Sandbox) throws -> Inbound? {
    let found = try table.list(from: .after(ordinal - 1), limit: 1, in: sandbox).first
    return found?.position == ordinal ? found?.record : nil
  }

  /// Keeps a text for the plan of the batch that it answers, or of the sender, and reports it.
  static func receive(_ text: Message, replyingTo answered: Message?, in sandbox: Sandbox) throws {
    guard text.channel == .sms else { return }
    let written = try answered ?? sandbox.messages.newest(from: text.destination)
    let batch = try written.flatMap { try Batch.table.find($0.reference, in: sandbox) }
    guard answered == nil || batch != nil,
      let plan = try batch?.plan ?? plan(receivingAt: text.destination, in: sandbox)?.id
    else { return }
    var inbound = Inbound()
    inbound.plan = plan
    inbound.ordinal = sandbox.nextOrdinal()
    inbound.receivedAt = text.submittedAt
    inbound.id = SMSID.text("inbound", inbound.ordinal, at: text.submittedAt, in: sandbox)
    (inbound.from, inbound.to) = (MSISDN.shown(text.sender), MSISDN.shown(text.destination))
    inbound.body = text.text
    inbound.clientReference = batch?.clientReference
    if let number = PhoneNumber(text.sender) {
      let subscriber = try sandbox.subscribers[number]
      inbound.operatorID = subscriber.mcc + subscriber.mnc
    }
    try table.deleteOldest(in: sandbox)
    try table.save(inbound, as: inbound.id, ordinal: inbound.ordinal, in: sandbox)
    guard let url = try Plan.find(plan, in: sandbox)?.options.callbackURL, !url.isEmpty else { return }
    try sandbox.webhooks.enqueue(
      WebhookDraft(
        provider: SinchProvider.name, url: url, kind: SMSCallback.Kind.inbound.rawValue,
        subject: inbound.ordinal))
  }

  /// The plan whose default sender this is.
  static func plan(receivingAt receiver: String, in sandbox: Sandbox) throws -> Plan? {
    try Plan.all(in: sandbox).first {
      $0.options.defaultOriginator.map(MSISDN.shown) == MSISDN.shown(receiver)
    }
  }

  /// `age`: how much older than the truth its time is.
  func write(age: Duration = .zero, to json: inout JSONWriter) {
    json.member("body", body)
    if let clientReference { json.member("client_reference", clientReference) }
    json.member("from", from)
    json.member("id", id)
    json.member("operator_id", operatorID)
    json.member("received_at", (receivedAt - age).iso8601Milliseconds)
    json.member("to", to)
    json.member("type", Self.type)
  }
}

/// The newest first.
func listInbounds(_ context: SMSContext) throws -> Reply {
  let query = try SMSListQuery(context)
  let receivers = try context.request.query.list("to").map(MSISDN.shown)
  var border = Int.max
  return query.reply("inbounds") { () -> [Inbound]? in
    let newest = try Inbound.table.list(from: .before(border), limit: 20, in: context.sandbox)
    guard let oldest = newest.first else { return nil }
    border = oldest.position
    return newest.reversed().map(\.record).filter {
      $0.plan == context.plan.id && query.span.contains($0.receivedAt)
        && (receivers.isEmpty || receivers.contains($0.to))
        && (query.clientReference == nil || query.clientReference == $0.clientReference)
    }
  } encode: { (inbound: Inbound) in
    JSONWriter.object { inbound.write(to: &$0) }
  }
}

func fetchInbound(_ context: SMSContext) throws -> Response {
  let id = context.request[parameter: "inbound"]
  guard let inbound = try Inbound.table.find(id, in: context.sandbox), inbound.plan == context.plan.id else {
    throw SMSError(.notFound)
      .because("the service plan \(context.plan.id) has no inbound message \(id)")
  }
  return .json(200) { inbound.write(to: &$0) }
}
