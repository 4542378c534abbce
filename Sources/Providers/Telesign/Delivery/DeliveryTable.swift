package import ProviderKit

extension DeliveryStatus {
  static let table = DeliveryTable<DeliveryStatus>(entries.flatMap(\.receipts), named: named)

  /// Also before the first receipt.
  static let inProgress = table["290"]
  static let unknown = table["250"]
  static let unconfirmed = table["251"]

  private typealias Entry = (
    kind: String, status: DeliveryStatus, receipts: [DeliveryTable<DeliveryStatus>.Row]
  )

  private static let entries: [Entry] = embedded {
    try TextTable(PackageResources.Statuses_txt, columns: 4...5).rows.map { row in
      guard let state = DeliveryReceipt.State(rawValue: row[3]) else {
        throw row.mistake(expected: "a state")
      }
      let status = DeliveryStatus(try row.number(1), state, omnichannel: try row.number(2))
      let receipts = try DeliveryTable.Row.read(row, column: 4, status)
      return (kind: row[0], status: status, receipts: receipts)
    }
  }

  private static let named: [String: DeliveryStatus] = {
    let byCode = entries.filter { $0.kind != "app" }.map { (String($0.status.code), $0.status) }
    let byOmnichannelCode = entries.filter { $0.kind != "call" }
      .map { (String($0.status.omnichannelCode), $0.status) }
    return Dictionary(byCode + byOmnichannelCode) { first, _ in first }
  }()

  /// In the order of their names.
  fileprivate static let all: [ProviderStatus] = {
    let calls = Set(entries.filter { $0.kind == "call" }.map { String($0.status.code) })
    return named.sorted { ($0.key.count, $0.key) < ($1.key.count, $1.key) }.map { name, status in
      let isText = name == String(status.code)
      return ProviderStatus(
        name, StatusTexts[Int(name) ?? 0], status.state,
        over: calls.contains(name) ? [.call] : isText ? [.sms] : Set<Channel>.apps.union([.sms]))
    }
  }()
}

extension TelesignProvider {
  package static var deliveryStatuses: [ProviderStatus] { DeliveryStatus.all }
}
