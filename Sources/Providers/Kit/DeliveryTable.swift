/// What a provider shows for each of the carrier's receipts: the first matching row wins.
package struct DeliveryTable<Status: Sendable>: Sendable {
  package struct Row: Sendable {
    let state: DeliveryReceipt.State
    /// The carrier's error numbers; nil: any.
    let errors: Set<Int>?
    let status: Status

    package init(_ state: DeliveryReceipt.State, errors: Set<Int>? = nil, _ status: Status) {
      self.state = state
      self.errors = errors
      self.status = status
    }
  }

  private let rows: [Row]
  /// The statuses that scenarios can ask for.
  private let named: [String: Status]

  /// A state without a row is not shown.
  package init(_ rows: [Row], named: [String: Status]) {
    self.rows = rows
    self.named = named
  }

  /// Nil for a receipt that the provider does not show.
  package func status(of receipt: DeliveryReceipt) -> Status? {
    if let name = receipt.providerStatus, let status = named[name] { return status }
    return rows.first { $0.state == receipt.state && $0.errors?.contains(receipt.error) ?? true }?.status
  }
}
