package import ProviderKit

extension DeliveryStatus {
  static let table = DeliveryTable<DeliveryStatus>(
    entries.flatMap(\.receipts),
    named: Dictionary(entries.flatMap { entry in entry.status.names.map { ($0.name, entry.status) } }) {
      first, _ in first
    })

  private typealias Entry = (status: DeliveryStatus, receipts: [DeliveryTable<DeliveryStatus>.Row])

  private static let entries: [Entry] = embedded {
    try TextTable(PackageResources.Statuses_txt, columns: 5...6).rows.map { row in
      guard let name = Name(rawValue: row[2]) else { throw row.mistake(expected: "a status of Messages") }
      let status = DeliveryStatus(
        text: row.optional(0), errorCode: try row.number(1), name: name,
        error: row.optional(3) == nil ? nil : try row.number(3), reason: row.optional(4) ?? "")
      return (status: status, receipts: try DeliveryTable.Row.read(row, column: 5, status))
    }
  }

  /// What scenarios call it, and the channels on which the provider shows it so.
  private var names: [(name: String, channels: Set<Channel>)] {
    let all = Set<Channel>.apps.union([.sms])
    var names: [(name: String, channels: Set<Channel>)] = []
    if let text { names.append((text, [.sms])) }
    if text != nil, errorCode != 0 { names.append((String(errorCode), [.sms])) }
    if let error { names.append((String(error), all)) }
    names.append((name.rawValue, name == .read ? Set<Channel>.apps : all))
    return names
  }

  fileprivate static let all: [ProviderStatus] = {
    var found: [(name: String, status: DeliveryStatus, channels: Set<Channel>)] = []
    for entry in entries {
      for (name, channels) in entry.status.names {
        if let place = found.firstIndex(where: { $0.name == name }) {
          found[place].channels.formUnion(channels)
        } else {
          found.append((name, entry.status, channels))
        }
      }
    }
    return found.map { name, status, channels in
      ProviderStatus(name, Int(name) == nil ? "" : status.reason, status.state, over: channels)
    }
  }()

  /// The carrier's state that it stands for.
  private var state: DeliveryReceipt.State {
    switch name {
    case .submitted: text == "accepted" ? .accepted : .enroute
    case .delivered: .delivered
    case .read: .read
    case .rejected: .rejected
    case .undeliverable: text == "expired" ? .expired : .undeliverable
    }
  }
}

extension VonageProvider {
  package static var deliveryStatuses: [ProviderStatus] { DeliveryStatus.all }
}
