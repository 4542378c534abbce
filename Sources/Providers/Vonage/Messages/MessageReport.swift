import ProviderKit

/// The webhooks about the status of a message. The carrier has decided all of them at the submission.
/// Source: `senders.md` 6.
struct MessageReport {
  private let message: SentMessage
  private let url: String?
  private let price: String
  /// Country and network code; nil for a receiver without a line.
  private let network: String?
  private let line: Subscriber?
  private let sandbox: Sandbox

  init(_ message: SentMessage, in sandbox: Sandbox) throws {
    self.message = message
    self.sandbox = sandbox
    let settings = try Settings.current(in: sandbox)
    let usual = try message.application.map { try Application.find($0, in: sandbox)?.statusURL }
    let account = settings.deliveryURL.isEmpty ? nil : settings.deliveryURL
    url = message.item.webhookURL ?? usual ?? (message.application == nil ? account : nil)
    price = String((Euros(settings.smsPrice) * message.item.parts).description.dropLast(4))
    line = try message.item.number.map { try sandbox.subscribers[$0] }
    network = line.map { $0.mcc + $0.mnc }
  }

  func enqueue(for carried: Message) throws {
    guard url != nil else { return }
    let isStopped = line?.hasStopped(carried.sender) ?? false
    let isDeactivated = line?.isDeactivated(at: carried.submittedAt) ?? false
    let receipts = carried.receipts.all.map { receipt in
      let status = DeliveryStatus(receipt, isStopped: isStopped, isDeactivated: isDeactivated)
      return (status: status, after: receipt.after)
    }
    // The carrier takes a message that it does not reject, whether it says so or not.
    if receipts.first?.status.name != .rejected {
      let after = min(receipts.first?.after ?? .milliseconds(50), .milliseconds(50))
      try enqueue(DeliveryStatus.table["submitted"], about: carried.ordinal, at: carried.submittedAt + after)
    }
    for (status, after) in receipts where status.name != .submitted {
      try enqueue(status, about: carried.ordinal, at: carried.submittedAt + after)
    }
  }

  /// The message did not reach the carrier.
  func refuse(because why: String, about subject: Int) throws {
    try enqueue(DeliveryStatus.table["1040"], why, about: subject, at: sandbox.clock.now)
  }

  /// The carrier has delivered a message that it had held.
  static func reportDelivery(of carried: Message, in sandbox: Sandbox) throws {
    guard let message = try SentMessage.find(of: carried, in: sandbox) else { return }
    try cancelPlanned(about: carried.ordinal, in: sandbox)
    try MessageReport(message, in: sandbox).enqueue(
      DeliveryStatus.table["delivered"], about: carried.ordinal, at: sandbox.clock.now)
  }

  static func cancelPlanned(about subject: Int, in sandbox: Sandbox) throws {
    for webhook in try sandbox.webhooks.planned(about: subject, by: VonageProvider.name) {
      try sandbox.webhooks.cancel(webhook)
    }
  }

  private func enqueue(
    _ status: DeliveryStatus, _ detail: String? = nil, about subject: Int, at time: Timestamp
  ) throws {
    guard let url else { return }
    let body = JSONWriter.text { write(status, detail ?? status.reason, at: time, to: &$0) }
    try MessageWebhook(application: message.application, body: body).enqueue(
      .messageStatus, to: url, about: subject, at: time, in: sandbox)
  }

  private func write(
    _ status: DeliveryStatus, _ detail: String, at time: Timestamp, to json: inout JSONWriter
  ) {
    let item = message.item
    json.member("message_uuid", message.uuid)
    json.member("to", item.to)
    json.member("from", item.from)
    json.member("timestamp", time.iso8601)
    json.member("status", status.name.rawValue)
    if let error = status.error {
      json.object("error") { json in
        json.member("type", "https://developer.vonage.com/api-errors/messages#\(error)")
        json.member("title", String(error))
        json.member("detail", detail)
        json.member("instance", message.uuid)
      }
    }
    if status.name != .rejected {
      json.object("usage") { json in
        json.member("currency", "EUR")
        json.member("price", price)
      }
    }
    if let reference = item.clientReference { json.member("client_ref", reference) }
    json.member("channel", item.channel.rawValue)
    if item.channel == .sms {
      if let network { json.object("destination") { $0.member("network_code", network) } }
      json.object("sms") { $0.member("count_total", String(item.parts)) }
    }
    if let workflow = message.workflow {
      json.object("workflow") { json in
        json.member("workflow_id", workflow)
        json.member("items_number", String(message.position))
        json.member("items_total", String(message.total))
      }
    }
  }
}
