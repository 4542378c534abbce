import ProviderKit

/// Sends a batch at its time, in pieces. Source: `senders.md` 7.
struct BatchSending {
  private let batch: Batch
  private let plan: Plan?
  private let sandbox: Sandbox
  private let texts: BatchTexts
  /// Why recipients of this piece get no text.
  private var remarks: [String] = []

  private init(_ batch: Batch, in sandbox: Sandbox) throws {
    self.batch = batch
    self.sandbox = sandbox
    plan = try Plan.find(batch.plan, in: sandbox)
    texts = BatchTexts(of: batch)
  }

  /// Sends the first piece, or schedules it. Returns what the journal tells about recipients without a text.
  static func begin(_ batch: Batch, in sandbox: Sandbox) throws -> String? {
    if let time = batch.sendAt, time > sandbox.clock.now {
      try sandbox.agenda.schedule(.goOn, on: batch.ordinal, at: time)
      return nil
    }
    var sending = try BatchSending(batch, in: sandbox)
    try sending.sendPiece(of: SentBatch(at: sandbox.clock.now))
    return sending.remarks.isEmpty ? nil : sending.remarks.joined(separator: "; ")
  }

  /// Sends the next piece of a batch, or its first one, unless the batch was canceled or has another time.
  static func goOn(with ordinal: Int, after count: Int, in sandbox: Sandbox) throws {
    guard let batch = try Batch.find(ordinal, in: sandbox), !batch.isCanceled else { return }
    let sent = try SentBatch.find(batch, in: sandbox)
    guard sent?.places.count ?? 0 == count, count > 0 || batch.sendAt == sandbox.clock.now else { return }
    var sending = try BatchSending(batch, in: sandbox)
    try sending.sendPiece(of: sent ?? SentBatch(at: sandbox.clock.now))
  }

  private mutating func sendPiece(of earlier: SentBatch) throws {
    var sent = earlier
    for recipient in batch.to[sent.places.count...].prefix(Messages.countPerPiece(ofLength: texts.longest)) {
      switch try send(to: recipient) {
      case .success(let message):
        sent.add(message)
        try SMSCallback.schedule(of: message, in: batch, plan, in: sandbox)
      case .failure(let refusal):
        sent.add(refusal)
        try note(refusal, of: recipient)
        try SMSCallback.schedule(refusal, of: recipient, in: batch, plan, at: sent.at, in: sandbox)
      }
    }
    try sent.save(of: batch, in: sandbox)
    if sent.places.count < batch.to.count {
      try sandbox.agenda.schedule(
        .goOn, on: batch.ordinal, detail: sent.places.count, at: sandbox.clock.now)
    } else {
      try SMSCallback.scheduleSummary(of: batch, plan, at: sent.finalAt, in: sandbox)
    }
  }

  private func send(to recipient: String) throws -> Result<Message, BatchTexts.Refusal> {
    guard let number = PhoneNumber("+\(recipient)"), try reason(against: number) == nil else {
      return .failure(.unroutable)
    }
    guard let sender else { return .failure(.sender) }
    guard batch.expireAt > sandbox.clock.now else { return .failure(.expired) }
    switch texts.text(for: recipient) {
    case .failure(let refusal): return .failure(refusal)
    case .success(let text):
      var draft = MessageDraft(
        provider: SinchProvider.name, reference: batch.id, channel: .sms, destination: number.description,
        sender: sender, text: text.text, code: nil)
      draft.variables = text.values
      return .success(
        try sandbox.messages.submit(
          draft, to: sandbox.subscribers[number], at: sandbox.clock.now, expiring: batch.expireAt))
    }
  }

  /// Why the number cannot get texts; nil if it can.
  private func reason(against number: PhoneNumber) throws -> String? {
    try sandbox.numbers.refusal(of: number, provider: SinchProvider.name)
  }

  /// As the handset shows it.
  private var sender: String? {
    let from = batch.from ?? plan?.options.defaultOriginator
    return from.map { PhoneNumber("+\($0)")?.description ?? $0 }
  }

  private mutating func note(_ refusal: BatchTexts.Refusal, of recipient: String) throws {
    let why =
      switch refusal {
      case .unroutable: try PhoneNumber("+\(recipient)").flatMap(reason) ?? "not a phone number"
      case .parameter: "parameters has no value for it, and no default"
      case .expired: "expire_at is over"
      case .sender: "from is missing, and the service plan has no defaultOriginator"
      case .parts: "the text has more parts than max_number_of_message_parts"
      }
    remarks.append("\(recipient) gets no text (\(refusal.rawValue)): \(why)")
  }
}

/// What became of the recipients of a batch that is sent, in the order of its numbers.
struct SentBatch: Equatable, Sendable {
  var at = Timestamp.earliest
  /// The ordinal of the message, or less than 0: the code of the reason that there is none.
  var places: [Int] = []
  /// When the last status is final; nil: never.
  var finalAt: Timestamp?

  private static let table = RecordTable(
    "sent", of: SinchProvider.name,
    Schema<SentBatch>([
      .required("at", \.at, .timestamp), .required("places", \.places, .array(of: .integer)),
      .optional("finalAt", \.finalAt, .timestamp),
    ])
  ) { SentBatch() }

  private init() {}

  init(at time: Timestamp) {
    at = time
    finalAt = time
  }

  /// Nil for a batch that is not sent.
  static func find(_ batch: Batch, in sandbox: Sandbox) throws -> SentBatch? {
    try table.find(batch.id, in: sandbox)
  }

  func save(of batch: Batch, in sandbox: Sandbox) throws {
    try Self.table.deleteOldest(in: sandbox)
    try Self.table.save(self, as: batch.id, ordinal: batch.ordinal, in: sandbox)
  }

  mutating func add(_ message: Message) {
    places.append(message.ordinal)
    finalAt = finalAt.flatMap { latest in message.finalChange.map { max(latest, $0.at) } }
  }

  /// After the receipts of a message have changed.
  mutating func findEnd(in sandbox: Sandbox) throws {
    let texts = self
    (places, finalAt) = ([], at)
    for place in texts.places {
      if place > 0, let message = try sandbox.messages.find(place) {
        add(message)
      } else {
        places.append(place)
      }
    }
  }

  mutating func add(_ refusal: BatchTexts.Refusal) { places.append(-refusal.rawValue) }
}
