import ProviderKit

/// Delivery receipts: one for each part. The carrier has decided all of them at the submission.
/// Source: `senders.md` 5.
enum SMSReceipt {
  static func enqueue(
    for sms: StoredSMS, _ carried: Message, to line: Subscriber, in sandbox: Sandbox
  ) throws {
    let isHeld = carried.receipts.last?.state == .expired
    for receipt in carried.receipts.all {
      // Only the receipt of a text that is held tells more than the answer has.
      if receipt.state == .enroute, receipt.providerStatus == nil, !isHeld { continue }
      let status = DeliveryStatus(
        receipt, isStopped: line.hasStopped(sms.sender),
        isDeactivated: line.isDeactivated(at: carried.submittedAt))
      try enqueue(status, of: sms, carried, at: carried.submittedAt + receipt.after, in: sandbox)
    }
  }

  /// The carrier has delivered a text that it had held.
  static func reportDelivery(of carried: Message, in sandbox: Sandbox) throws {
    guard let sms = try StoredSMS.find(of: carried, in: sandbox) else { return }
    try MessageReport.cancelPlanned(about: carried.ordinal, in: sandbox)
    try enqueue(DeliveryStatus.table["delivered"], of: sms, carried, at: sandbox.clock.now, in: sandbox)
  }

  private static func enqueue(
    _ status: DeliveryStatus, of sms: StoredSMS, _ carried: Message, at time: Timestamp, in sandbox: Sandbox
  ) throws {
    guard let url = sms.receiptURL, let word = status.text else { return }
    for id in sms.ids {
      var members: [SMSSignature.Parameter] = [
        ("msisdn", sms.receiver), ("to", sms.sender), ("network-code", sms.network), ("messageId", id),
        ("price", sms.price), ("status", word), ("scts", time.receiptText),
        ("err-code", String(status.errorCode)), ("api-key", sms.account),
      ]
      if let reference = sms.clientReference { members.append(("client-ref", reference)) }
      members.append(("message-timestamp", time.sqlText))
      try SMSWebhook(members, to: url, at: time, in: sandbox).enqueue(
        .smsReceipt, about: carried.ordinal, at: time, in: sandbox)
    }
  }
}
