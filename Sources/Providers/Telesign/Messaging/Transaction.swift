import ProviderKit

/// A message or call with its reference id. Source: contract 9.
struct Transaction {
  let reference: String
  let customer: String
  /// The customer's own id for it.
  let externalID: String?
  let createdAt: Timestamp
  /// Ordinals of its messages; several if one channel falls back to the next.
  let messages: [Int]

  /// `send` gets the reference id and returns the messages.
  static func create(
    _ kind: ReferenceKind, for context: RequestContext, externalID: String?,
    send: (_ reference: String) throws -> [Message]
  ) throws -> Transaction {
    let sandbox = context.sandbox
    let ordinal = sandbox.nextOrdinal()
    let reference = ReferenceID.text(kind, ordinal, in: sandbox)
    let transaction = Transaction(
      reference: reference, customer: context.customer, externalID: externalID, createdAt: sandbox.clock.now,
      messages: try send(reference).map(\.ordinal))
    try transaction.save(ordinal, in: context)
    return transaction
  }

  /// The transaction that the path names, with the message of the channel that is in use now.
  static func find(
    _ kind: ReferenceKind, for context: RequestContext
  ) throws -> (transaction: Transaction, message: Message) {
    let reference = context.request[parameter: "reference_id"]
    guard ReferenceID.isValid(reference) else { throw APIError.malformedReference(in: context.format) }
    guard let (foundKind, _) = ReferenceID.resolve(reference, in: context.sandbox), foundKind == kind else {
      throw APIError.unknownReference(in: context)
    }
    let now = context.sandbox.clock.now
    guard let item = try context.sandbox.records.find(reference, in: section) else {
      throw APIError.expiredReference(in: context)
    }
    let transaction = try Transaction(reference, Fields(Array(item.record.utf8)))
    guard transaction.customer == context.customer else {
      throw APIError.unknownReference(in: context).because("it belongs to another customer")
    }
    let messages = try transaction.messages.compactMap { try context.sandbox.messages.find($0) }
    guard !transaction.isExpired(at: now, context.settings), let first = messages.first else {
      throw APIError.expiredReference(in: context)
    }
    return (transaction, messages.last { $0.submittedAt <= now } ?? first)
  }

  private func isExpired(at time: Timestamp, _ settings: Settings) -> Bool {
    time - createdAt >= .seconds(settings.retentionHours * 3600)
  }

  /// Stores the transaction, and deletes up to two old ones: expired, or beyond the history that the sandbox
  /// keeps. So their number does not grow.
  private func save(_ ordinal: Int, in context: RequestContext) throws {
    let records = context.sandbox.records
    for item in try records.list(Self.section, of: Self.owner, limit: 2) {
      let old = try Transaction(item.key, Fields(Array(item.record.utf8)))
      if item.ordinal < context.sandbox.firstKeptOrdinal || old.isExpired(at: createdAt, context.settings) {
        _ = try records.delete(item.key, in: Self.section)
      }
    }
    let record = JSONWriter.object { json in
      json.member("customer", customer)
      json.member("externalID", externalID)
      json.member("createdAt", createdAt.milliseconds)
      json.member("messages", messages)
    }
    try records.save(
      RecordStore.Item(ordinal: ordinal, key: reference, record: String(decoding: record, as: UTF8.self)),
      of: Self.owner, in: Self.section)
  }

  /// All transactions of a sandbox are in one list, so that old ones of any customer are deleted.
  private static let owner = ""
  private static let section = RecordStore.Section(provider: TelesignProvider.name, kind: "transaction")
}

extension Transaction {
  /// Reads what `save` wrote.
  fileprivate init(_ reference: String, _ fields: Fields) throws {
    guard case .array(let ordinals) = try fields.json("messages") else {
      throw fields.mismatch("messages", expected: "an array")
    }
    self.init(
      reference: reference, customer: try fields.string("customer"),
      externalID: try fields.optionalString("externalID"),
      createdAt: Timestamp(milliseconds: Int64(try fields.int("createdAt"))),
      messages: ordinals.compactMap { if case .integer(let ordinal) = $0 { Int(ordinal) } else { nil } })
  }
}

extension APIError {
  /// 400. Source: contract 9.1 and 9.2.
  fileprivate static func malformedReference(in format: ErrorFormat) -> Self {
    format == .flat ? Self(11011, in: format) : invalidRequest(in: format)
  }

  /// 404; for omnichannel the status is not documented and a setting decides. Source: contract 9.1 and 4.5.
  fileprivate static func unknownReference(in context: RequestContext) -> Self {
    guard context.format != .flat else { return Self(10017, in: .flat) }
    let error = invalidRequest(in: context.format)
    let status: Status = context.settings.unknownReferenceStatus == 404 ? 404 : 400
    return Self(error.code, status, error.description, in: context.format)
  }

  /// 404. Source: contract 9.1 and 16.
  fileprivate static func expiredReference(in context: RequestContext) -> Self {
    guard context.format != .flat else {
      return Self(10036, in: .flat)
        .because(
          "reference ids expire after \(context.settings.retentionHours) hours (setting reference.retention_h)"
        )
    }
    return unknownReference(in: context)
  }
}
