package import ProviderKit

/// The status of one recipient in delivery reports. Source: `senders.md` 7.
enum SMSStatus: String, CaseIterable {
  case queued = "Queued"
  case dispatched = "Dispatched"
  case delivered = "Delivered"
  case failed = "Failed"
  case rejected = "Rejected"
  case expired = "Expired"
  case aborted = "Aborted"
  case cancelled = "Cancelled"

  var isFinal: Bool { self != .queued && self != .dispatched }

  /// Landlines take no text, so that one to them fails. A text that the carrier has not taken was aborted.
  fileprivate static let table = DeliveryTable<SMSStatus>(
    [
      .init(.accepted, .dispatched), .init(.enroute, .dispatched), .init(.delivered, .delivered),
      .init(.read, .delivered), .init(.undeliverable, .failed), .init(.rejected, errors: [11], .failed),
      .init(.rejected, .rejected), .init(.expired, .expired), .init(.refused, .aborted),
    ], named: Dictionary(uniqueKeysWithValues: named.map { ($0.name, $0.status) }))

  /// What a scenario can ask for: the statuses that the carrier decides, and the codes of aborted texts.
  private static let named: [(name: String, text: String, status: SMSStatus)] = {
    let statuses: [SMSStatus] = [.dispatched, .delivered, .failed, .rejected, .expired, .aborted]
    let codes = [
      ("402", "unroutable"), ("403", "internal error"), ("404", "temporary failure"),
      ("405", "parameter without a value"), ("406", "expired before it was sent"), ("408", "rejected"),
      ("410", "originator not allowed"), ("411", "too many parts"), ("412", "region not provisioned"),
      ("413", "blocked or without funds"),
    ]
    return statuses.map { ($0.rawValue, "", $0) } + codes.map { ($0.0, $0.1, .aborted) }
  }()

  private var state: DeliveryReceipt.State {
    switch self {
    case .queued, .dispatched: .accepted
    case .delivered: .delivered
    case .failed: .undeliverable
    case .rejected: .rejected
    case .expired: .expired
    case .aborted, .cancelled: .refused
    }
  }

  fileprivate static let deliveryStatuses = named.map {
    ProviderStatus($0.name, $0.text, $0.status.state, over: [.sms])
  }
}

extension SinchProvider {
  /// Of Verification and of SMS, which share the name Failed.
  package static var deliveryStatuses: [ProviderStatus] {
    let names = Set(Delivery.statuses.map(\.name))
    return Delivery.statuses + SMSStatus.deliveryStatuses.filter { !names.contains($0.name) }
  }
}

/// A change of a recipient's status.
struct SMSChange: Equatable {
  let status: SMSStatus
  let code: Int
  let at: Timestamp

  static let queued = 400
  static let dispatched = 401
  static let cancelled = 407
}

extension Message {
  /// All changes, those of the future too: the carrier has decided them at the submission. Failures have the
  /// carrier's own error, and the vendor's codes are those of texts that the carrier has not taken.
  /// Source: `senders.md` 7.
  var smsChanges: [SMSChange] {
    var changes = [SMSChange(status: .queued, code: SMSChange.queued, at: submittedAt)]
    let receipts = receipts.all
    if receipts.first?.state != .refused, receipts.first?.state != .enroute {
      let first = min(.milliseconds(50), receipts.first?.after ?? .milliseconds(50))
      changes.append(SMSChange(status: .dispatched, code: SMSChange.dispatched, at: submittedAt + first))
    }
    for receipt in receipts {
      guard let status = SMSStatus.table.status(of: receipt), status != changes.last?.status else { continue }
      let change = SMSChange(status: status, code: receipt.smsCode(status), at: submittedAt + receipt.after)
      changes.append(change)
    }
    return changes
  }

  /// Nil: the status never becomes final.
  var finalChange: SMSChange? { smsChanges.last.flatMap { $0.status.isFinal ? $0 : nil } }
}

extension DeliveryReceipt {
  fileprivate func smsCode(_ status: SMSStatus) -> Int {
    switch status {
    case .delivered: 0
    case .dispatched: SMSChange.dispatched
    case .aborted:
      providerStatus.flatMap { Int($0) } ?? SubmitStatus.allCases.first { $0.commandStatus == error }?.smsCode
        ?? 408
    default: error
    }
  }
}

extension SubmitStatus {
  fileprivate var smsCode: Int {
    switch self {
    case .invalidDestination: 402
    case .systemError: 403
    case .queueFull, .throttled: 404
    case .refused, .deliveryFailure: 408
    }
  }
}

/// One recipient of a batch, and what has become of the text.
struct RecipientReport {
  let batch: Batch
  let recipient: String
  let change: SMSChange
  /// Nil for a recipient who got no text.
  let message: Message?

  static let type = "recipient_delivery_report_sms"

  /// Those of the recipients in a range of places, by a time. Those of a batch that waits are queued, and
  /// those of one that was canceled are cancelled.
  static func all(
    of batch: Batch, _ range: Range<Int>, by time: Timestamp, in sandbox: Sandbox
  ) throws -> [RecipientReport] {
    let sent = try SentBatch.find(batch, in: sandbox)
    return try batch.to[range.clamped(to: batch.to.indices)].enumerated().map { offset, recipient in
      let place = range.lowerBound + offset
      guard let sent, place < sent.places.count else {
        let change =
          batch.isCanceled
          ? SMSChange(status: .cancelled, code: SMSChange.cancelled, at: batch.modifiedAt)
          : SMSChange(status: .queued, code: SMSChange.queued, at: batch.createdAt)
        return RecipientReport(batch: batch, recipient: recipient, change: change, message: nil)
      }
      guard sent.places[place] > 0 else {
        let change = SMSChange(status: .aborted, code: -sent.places[place], at: sent.at)
        return RecipientReport(batch: batch, recipient: recipient, change: change, message: nil)
      }
      guard let message = try sandbox.messages.find(sent.places[place]) else {
        // The carrier keeps less history than the list.
        let change = SMSChange(status: .delivered, code: 0, at: sent.at)
        return RecipientReport(batch: batch, recipient: recipient, change: change, message: nil)
      }
      let changes = message.smsChanges
      return RecipientReport(
        batch: batch, recipient: recipient, change: changes.last { $0.at <= time } ?? changes[0],
        message: message)
    }
  }

  /// `age`: how much older than the truth its times are.
  func encoded(age: Duration = .zero, in sandbox: Sandbox) throws -> [UInt8] {
    let subscriber = try PhoneNumber("+\(recipient)").map { try sandbox.subscribers[$0] }
    let at = (change.at - age).iso8601Milliseconds
    return JSONWriter.object { json in
      json.member("type", Self.type)
      json.member("batch_id", batch.id)
      json.member("recipient", recipient)
      json.member("code", change.code)
      json.member("status", change.status.rawValue)
      json.member("at", at)
      if let subscriber { json.member("operator", subscriber.mcc + subscriber.mnc) }
      if let message, batch.from == nil {
        json.member("applied_originator", MSISDN.shown(message.sender))
      }
      if let reference = batch.clientReference { json.member("client_reference", reference) }
      if let message {
        let encoding = TextEncoding(of: message.text)
        json.member("encoding", encoding.alphabet == .gsm7 ? "GSM" : "UNICODE")
        json.member("number_of_message_parts", encoding.segments)
      }
      if change.status.isFinal { json.member("operator_status_at", at) }
    }
  }
}
