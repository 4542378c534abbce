import ProviderKit

/// A message that was sent, with those that follow if it does not arrive. Source: `senders.md` 6.
struct SentMessage: Equatable, Sendable {
  var uuid = ""
  var account = ""
  /// Whose token has signed the request; nil: it had key and secret.
  var application: String?
  /// The id of a request with failover.
  var workflow: String?
  /// Its place in the request, counted from 1, and the number of messages there.
  var position = 1
  var total = 1
  var item = MessageItem()
  var next: [MessageItem] = []
  private var ordinal = 0
  private var carrierOrdinal = 0

  private static let schema = Schema<SentMessage>([
    .required("uuid", \.uuid, .string),
    .required("account", \.account, .string),
    .optional("application", \.application, .string),
    .optional("workflow", \.workflow, .string),
    .required("position", \.position, .count),
    .required("total", \.total, .count),
    .required("item", \.item, .object(MessageItem.schema, from: { MessageItem() })),
    .required("next", \.next, .objects(MessageItem.schema, maxItems: 10, from: { MessageItem() })),
    .required("ordinal", \.ordinal, .ordinal),
    .required("carrierOrdinal", \.carrierOrdinal, .count),
  ])

  private static let table = RecordTable("sentMessage", of: VonageProvider.name, schema) { SentMessage() }

  private init() {}

  static func find(_ uuid: String, in sandbox: Sandbox) throws -> SentMessage? {
    try table.find(uuid.lowercased(), in: sandbox)
  }

  /// That of a message of the carrier; nil for a message of another API.
  static func find(of message: Message, in sandbox: Sandbox) throws -> SentMessage? {
    message.provider == VonageProvider.name ? try table.find(message.reference, in: sandbox) : nil
  }

  /// Sends the first message; the others wait for its failure.
  static func send(_ items: [MessageItem], for caller: Caller, in sandbox: Sandbox) throws -> SentMessage {
    var message = SentMessage()
    message.account = caller.account
    message.application = caller.application
    message.total = items.count
    if items.count > 1 {
      message.workflow = UUIDText.version4(sandbox.requestIdentifier("vonage messages workflow"))
    }
    return try message.started(with: items[...], in: sandbox)
  }

  /// The message has not arrived: the next one follows.
  func fail(in sandbox: Sandbox) throws {
    guard !next.isEmpty else { return }
    var message = self
    message.position += 1
    _ = try message.started(with: next[...], in: sandbox)
  }

  private func started(with items: ArraySlice<MessageItem>, in sandbox: Sandbox) throws -> SentMessage {
    var message = self
    message.ordinal = sandbox.nextOrdinal()
    message.uuid = UUIDText.version4(sandbox.entropy.identifier("vonage message", message.ordinal))
    message.item = items.first ?? MessageItem()
    message.next = Array(items.dropFirst())
    if let number = message.item.number,
      let why = try sandbox.numbers.refusal(of: number, provider: VonageProvider.name)
    {
      try message.save(in: sandbox)
      try MessageReport(message, in: sandbox).refuse(because: why, about: message.ordinal)
      try message.fail(in: sandbox)
      return message
    }
    let carried = try message.submit(in: sandbox)
    message.carrierOrdinal = carried.ordinal
    try message.save(in: sandbox)
    try MessageReport(message, in: sandbox).enqueue(for: carried)
    return message
  }

  private func submit(in sandbox: Sandbox) throws -> Message {
    let line = try item.number.map { try sandbox.subscribers[$0] }
    var draft = MessageDraft(
      provider: VonageProvider.name, reference: uuid, channel: item.channel.channel,
      destination: item.number?.description ?? item.to, sender: item.from, text: item.text, code: nil)
    draft.variables = item.variables
    draft.reportsLoss = !next.isEmpty
    try Balance(of: account, Settings.current(in: sandbox), in: sandbox).pay(item.parts, in: sandbox)
    return try sandbox.messages.submit(
      draft, to: line, expiring: sandbox.clock.now + .seconds(item.validity))
  }

  private func save(in sandbox: Sandbox) throws {
    try Self.table.deleteOldest(in: sandbox)
    try Self.table.save(self, as: uuid, ordinal: ordinal, in: sandbox)
  }

  /// Takes it back; false if the carrier holds it no more. Nothing is reported then, and nothing follows.
  func revoke(in sandbox: Sandbox) throws -> Bool {
    guard let carried = try sandbox.messages.find(carrierOrdinal), try sandbox.messages.revoke(carried) else {
      return false
    }
    try MessageReport.cancelPlanned(about: carried.ordinal, in: sandbox)
    return true
  }
}
