import Domain
import HTTP
import JSON
import ProviderKit

/// What the reference id of a message or call stands for. Source: contract 9.
struct Transaction {
  /// The reference id.
  let reference: String
  /// Whose it is.
  let customer: String
  /// The customer's own name for it.
  let externalID: String?
  /// When it was asked for.
  let createdAt: Timestamp
  /// The ordinals of its messages, in the order in which they are tried.
  let messages: [Int]

  /// Sends by `send`, which is told the reference id, and keeps what came of it.
  static func open(
    _ kind: Kind, for call: Call, externalID: String?, send: (String) throws -> [Message]
  ) throws -> Transaction {
    let sandbox = call.sandbox
    let ordinal = sandbox.nextOrdinal()
    let reference = referenceID(kind, ordinal, in: sandbox)
    let transaction = Transaction(
      reference: reference, customer: call.customer, externalID: externalID, createdAt: sandbox.clock.now,
      messages: try send(reference).map(\.ordinal))
    try transaction.keep(ordinal, in: call)
    return transaction
  }

  /// The transaction of a reference id, with the message that is its turn now: the last that has left.
  static func find(_ kind: Kind, for call: Call) throws -> (transaction: Transaction, message: Message) {
    let reference = call.request[parameter: "reference_id"]
    guard isReference(reference) else { throw Problem.malformedReference(in: call.family) }
    guard let (known, _) = resolve(reference, in: call.sandbox), known == kind else {
      throw Problem.unknownReference(in: call)
    }
    let now = call.sandbox.clock.now
    guard let item = try call.sandbox.records.find(reference, in: section) else {
      throw Problem.expiredReference(in: call)
    }
    let transaction = try Transaction(reference, Fields(Array(item.record.utf8)))
    guard transaction.customer == call.customer else {
      throw Problem.unknownReference(in: call).because("it is another customer's")
    }
    let messages = try transaction.messages.compactMap { try call.sandbox.messages.find($0) }
    guard !transaction.isOver(at: now, call.settings), let first = messages.first else {
      throw Problem.expiredReference(in: call)
    }
    return (transaction, messages.last { $0.submittedAt <= now } ?? first)
  }

  private func isOver(at time: Timestamp, _ settings: Settings) -> Bool {
    time - createdAt >= .seconds(settings.retentionHours * 3600)
  }

  /// Keeps the record, and lets go of two of the customer's oldest where nobody can ask for them any more: so
  /// there never are more of those than of others.
  private func keep(_ ordinal: Int, in call: Call) throws {
    let records = call.sandbox.records
    for item in try records.list(Self.section, of: customer, limit: 2) {
      let old = try Transaction(item.key, Fields(Array(item.record.utf8)))
      if old.isOver(at: createdAt, call.settings) { _ = try records.delete(item.key, in: Self.section) }
    }
    let record = JSONWriter.object { json in
      json.member("customer", customer)
      json.member("externalID", externalID)
      json.member("createdAt", createdAt.milliseconds)
      json.member("messages", messages)
    }
    try records.save(
      RecordStore.Item(ordinal: ordinal, key: reference, record: String(decoding: record, as: UTF8.self)),
      of: customer, in: Self.section)
  }

  private static let section = RecordStore.Section(provider: TelesignProvider.name, kind: "transaction")
}

extension Transaction {
  fileprivate init(_ reference: String, _ fields: Fields) throws {
    guard case .array(let ordinals) = try fields.json("messages") else {
      preconditionFailure("a transaction has messages")
    }
    self.init(
      reference: reference, customer: try fields.string("customer"),
      externalID: try fields.optionalString("externalID"),
      createdAt: Timestamp(milliseconds: Int64(try fields.int("createdAt"))),
      messages: ordinals.compactMap { if case .integer(let ordinal) = $0 { Int(ordinal) } else { nil } })
  }
}

extension Problem {
  /// 400 for an id that cannot be one. Source: contract 9.1 and 9.2.
  fileprivate static func malformedReference(in family: Family) -> Self {
    family == .flat ? Self(11011, in: family) : invalidRequest(in: family)
  }

  /// 404 for an id that nobody has; what omnichannel answers is not documented. Source: contract 9.1 and 4.5.
  fileprivate static func unknownReference(in call: Call) -> Self {
    guard call.family != .flat else { return Self(10017, in: .flat) }
    let usual = invalidRequest(in: call.family)
    let status: Status = call.settings.unknownReferenceStatus == 404 ? 404 : 400
    return Self(usual.code, status, usual.description, in: call.family)
  }

  /// 404 for an id that is too old. Source: contract 9.1 and 16.
  fileprivate static func expiredReference(in call: Call) -> Self {
    guard call.family != .flat else {
      return Self(10036, in: .flat).because("references are kept for \(call.settings.retentionHours) hours")
    }
    return unknownReference(in: call)
  }
}
