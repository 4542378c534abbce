package import ProviderKit

extension MessageStatus {
  static let table = DeliveryTable<MessageStatus>(
    entries.flatMap(\.receipts), named: Dictionary(entries.map { ($0.name, $0.status) }) { first, _ in first }
  )

  /// Errors by their codes, statuses without one by their names.
  private typealias Entry = (
    name: String, status: MessageStatus, receipts: [DeliveryTable<MessageStatus>.Row]
  )

  private static let entries: [Entry] = embedded {
    try TextTable(PackageResources.Statuses_txt, columns: 3...4).rows.map { row in
      guard let name = Name(rawValue: row[0]) else { throw row.mistake(expected: "a status") }
      let code = row.optional(1) == nil ? nil : try row.number(1)
      let status = MessageStatus(name, code, row.optional(2) ?? "")
      let receipts = try DeliveryTable.Row.read(row, column: 3, status)
      return (name: row.optional(1) ?? row[0], status: status, receipts: receipts)
    }
  }

  /// Two statuses have the same error; scenarios can ask for the first.
  fileprivate static let all = entries.filter { table[$0.name] == $0.status }.map { name, status, _ in
    ProviderStatus(
      name, status.failure?.message ?? "", status.state,
      over: name.hasPrefix("63") || status.name == .read ? .apps : Set<Channel>.apps.union([.sms]))
  }

  /// The carrier's state that it stands for.
  private var state: DeliveryReceipt.State {
    switch name {
    case .delivered: .delivered
    case .read: .read
    case .undelivered: .undeliverable
    case .failed: .rejected
    case .sent: .enroute
    case .accepted, .queued, .scheduled, .canceled, .received: .accepted
    }
  }
}

extension DeliveryStatus {
  /// The statuses of calls that scenarios can ask for. Source: contract 6.
  fileprivate static let calls: [ProviderStatus] = [
    .init("completed", "", .delivered, over: [.call]), .init("busy", "", .undeliverable, over: [.call]),
    .init("no-answer", "", .undeliverable, over: [.call]), .init("failed", "", .undeliverable, over: [.call]),
    .init("canceled", "", .undeliverable, over: [.call]),
  ]
}

extension TwilioProvider {
  package static var deliveryStatuses: [ProviderStatus] { MessageStatus.all + DeliveryStatus.calls }
}
