import ProviderKit

/// A message of the core API. Its delivery is the carrier's. Source: contract 16.2.
struct StoredMessage: Equatable, Sendable {
  enum Direction: String, CaseIterable, Sendable {
    case outbound = "outbound-api"
    /// An app has answered an inbound message with it.
    case reply = "outbound-reply"
    case inbound
  }

  var sid = ""
  var account = ""
  var direction = Direction.outbound
  /// As in the request, such as `whatsapp:+12025550100`.
  var to = ""
  /// Nil until a Messaging Service has chosen a sender.
  var from: String?
  /// Empty after a redaction.
  var body = ""
  var segments = 1
  var messagingService: String?
  var mediaURLs: [String] = []
  /// The numbers of media that were deleted, counted from 0.
  var deletedMedia: [Int] = []
  var statusCallback: String?
  /// The position in lists; the SID was made from it.
  var ordinal = 0
  /// The carrier's ordinal. The sender of a Messaging Service is the carrier's too.
  var carrierOrdinal = 0
  var createdAt = Timestamp.earliest
  /// The last change by a client.
  var changedAt = Timestamp.earliest
  /// When a scheduled message is sent.
  var sendsAt: Timestamp?
  var isCanceled = false

  static let schema = Schema<StoredMessage>([
    .required("sid", \.sid, .string),
    .required("account", \.account, .string),
    .required("direction", \.direction, .word),
    .required("to", \.to, .string),
    .optional("from", \.from, .string),
    .required("body", \.body, .string),
    .required("segments", \.segments, .count),
    .optional("messagingService", \.messagingService, .string),
    .field("mediaUrls", \.mediaURLs, .array(of: .string, maxItems: maxMedia), default: []),
    .field("deletedMedia", \.deletedMedia, .array(of: .count, maxItems: maxMedia), default: []),
    .optional("statusCallback", \.statusCallback, .string),
    .required("ordinal", \.ordinal, .ordinal),
    .required("carrierOrdinal", \.carrierOrdinal, .ordinal),
    .required("createdAt", \.createdAt, .timestamp),
    .required("changedAt", \.changedAt, .timestamp),
    .optional("sendsAt", \.sendsAt, .timestamp),
    .required("canceled", \.isCanceled, .boolean),
  ])

  /// Source: contract 16.2; the provider's limit for one message.
  static let maxMedia = 10

  static let table = RecordTable("message", of: TwilioProvider.name, schema) { StoredMessage() }

  /// A new outgoing or incoming message; its SID says whether it has media.
  init(of account: String, hasMedia: Bool = false, in sandbox: Sandbox) {
    self.account = account
    ordinal = sandbox.nextOrdinal()
    sid = sandbox.entropy.labelledIdentifier(hasMedia ? "MM" : "SM", ordinal)
    createdAt = sandbox.clock.now
    changedAt = createdAt
  }

  private init() {}

  /// The message that a form describes, not sent yet.
  init(_ form: MessageForm, of account: String, in sandbox: Sandbox) {
    self.init(of: account, hasMedia: !form.mediaURLs.isEmpty, in: sandbox)
    to = form.to.text
    from = form.from?.text
    body = form.body
    segments = form.mediaURLs.isEmpty ? TextEncoding(of: form.body).segments : 1
    messagingService = form.messagingService
    mediaURLs = form.mediaURLs
    statusCallback = form.statusCallback
    sendsAt = form.sendsAt
  }

  /// The message of the path.
  static func named(by context: RequestContext) throws -> StoredMessage {
    let account = try AccountSID.named(by: context)
    let sid = context.request[parameter: "message"]
    guard let message = try table.find(sid, in: context.sandbox), message.account == account else {
      throw APIError.notFound(context.request.target.path).because("no message \(sid) of account \(account)")
    }
    return message
  }

  /// The inbound message with an ordinal; nil if it was deleted.
  static func inbound(_ ordinal: Int, in sandbox: Sandbox) throws -> StoredMessage? {
    let message = try table.find(sandbox.entropy.labelledIdentifier("SM", ordinal), in: sandbox)
    return message?.direction == .inbound ? message : nil
  }

  /// Keeps a text that a person has sent to the sender of a message, to this person or to another one, or to
  /// a sender of the account. Returns nil for a reply to another message, which is not kept.
  static func keep(_ reply: Message, to answered: Message?, in sandbox: Sandbox) throws -> StoredMessage? {
    let written = try answered ?? sandbox.messages.newest(from: reply.destination)
    let original = try written.flatMap { try table.find($0.reference, in: sandbox) }
    let isOwnSender = try TwilioProvider.receivesTexts(at: reply.destination, in: sandbox)
    guard original != nil || answered == nil && isOwnSender else { return nil }
    var message = StoredMessage(
      of: try original?.account ?? Authentication.defaultAccount(of: sandbox), in: sandbox)
    let prefix = reply.channel == .sms ? "" : "\(reply.channel.rawValue):"
    message.direction = .inbound
    message.from = "\(prefix)\(reply.sender)"
    message.to = original?.from ?? "\(prefix)\(reply.destination)"
    message.body = reply.text
    message.segments = TextEncoding(of: reply.text).segments
    message.messagingService = original?.messagingService
    message.carrierOrdinal = reply.ordinal
    try message.save(in: sandbox)
    return message
  }

  func save(in sandbox: Sandbox) throws {
    try Self.table.save(self, as: sid, group: account, ordinal: ordinal, in: sandbox)
  }

  /// The numbers of its media, counted from 0.
  var mediaNumbers: [Int] { mediaURLs.indices.filter { !deletedMedia.contains($0) } }

  func mediaSID(_ number: Int, in sandbox: Sandbox) -> String {
    sandbox.entropy.labelledIdentifier("ME", ordinal, number)
  }
}

/// What has become of a message by now.
struct MessageProgress {
  let status: MessageStatus.Name
  /// When the carrier took it.
  let sentAt: Timestamp?
  let changedAt: Timestamp
  let failure: MessageStatus.Failure?
  /// The one that the Messaging Service chose for a message that has gone out.
  let chosenSender: String?

  private init(_ status: MessageStatus.Name, at time: Timestamp) {
    (self.status, sentAt, changedAt, failure, chosenSender) = (status, nil, time, nil, nil)
  }

  /// That of a message which test credentials have made.
  static func queued(at time: Timestamp) -> MessageProgress { MessageProgress(.queued, at: time) }

  init(of message: StoredMessage, in sandbox: Sandbox) throws {
    let now = sandbox.clock.now
    let carried = message.isCanceled ? nil : try sandbox.messages.find(message.carrierOrdinal)
    let past = carried.map { carried in
      carried.statusChanges.map { (change: $0, at: carried.submittedAt + $0.after) }.prefix { $0.at <= now }
    }
    let last = past?.last
    changedAt = max(message.changedAt, last?.at ?? message.createdAt)
    failure = last?.change.status.failure
    chosenSender = last == nil ? nil : carried?.sender
    if message.direction == .inbound {
      (status, sentAt) = (.received, message.createdAt)
    } else if message.isCanceled {
      (status, sentAt) = (.canceled, nil)
    } else if let sendsAt = message.sendsAt, sendsAt > now {
      (status, sentAt) = (.scheduled, nil)
    } else if let last {
      (status, sentAt) = (last.change.status.name, past?.first { $0.change.status.name == .sent }?.at)
    } else if carried == nil {
      // The carrier keeps less history than the list.
      (status, sentAt) = (.delivered, message.createdAt)
    } else {
      (status, sentAt) = (message.messagingService == nil ? .queued : .accepted, nil)
    }
  }
}

/// A change of a message's status, after its creation.
struct StatusChange {
  let status: MessageStatus
  /// Since the submission.
  let after: Duration
}

extension Message {
  /// The changes that follow from the carrier's receipts, those of the future too. A message goes out at
  /// once, also one without receipts, unless the carrier refuses it.
  var statusChanges: [StatusChange] {
    var changes = receipts.all.map { StatusChange(status: MessageStatus($0), after: $0.after) }
    let first = changes.firstIndex { $0.status.name != .queued } ?? changes.endIndex
    let next = changes.dropFirst(first).first
    let isQueued = next == nil && !changes.isEmpty
    if !isQueued, next?.status.name != .sent, next?.status.name != .failed {
      let sent = min(Duration.milliseconds(50), next?.after ?? .milliseconds(50))
      changes.insert(StatusChange(status: MessageStatus(.sent), after: sent), at: first)
    }
    return changes
  }
}
