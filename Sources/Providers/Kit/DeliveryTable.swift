/// What a provider shows for each of the carrier's receipts: the first matching row wins, of those with error
/// numbers before the others.
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
    self.rows = rows.filter { $0.errors != nil } + rows.filter { $0.errors == nil }
    self.named = named
  }

  /// The status of a name that the table has.
  package subscript(name: String) -> Status {
    guard let status = named[name] else { preconditionFailure("the table has no status \(name)") }
    return status
  }

  /// Nil for a receipt that the provider does not show.
  package func status(of receipt: DeliveryReceipt) -> Status? {
    if let name = receipt.providerStatus, let status = named[name] { return status }
    return rows.first { $0.state == receipt.state && $0.errors?.contains(receipt.error) ?? true }?.status
  }
}

extension DeliveryTable.Row {
  /// The receipts in the last column of a file, if it has so many: `EXPIRED, UNDELIV 27 31`,
  /// `REFUSED queueFull`.
  package static func read(
    _ row: TextTable.Row, column: Int, _ status: Status
  ) throws(TextTable.Mistake) -> [Self] {
    guard row.count > column else { return [] }
    let rows = row[column].split(separator: ",").compactMap { receipt -> Self? in
      let words = receipt.split(separator: " ").map(String.init)
      let errors = words.dropFirst().compactMap { Int($0) ?? SubmitStatus(rawValue: $0)?.commandStatus }
      guard let state = DeliveryReceipt.State(rawValue: words[0]), errors.count == words.count - 1 else {
        return nil
      }
      return Self(state, errors: errors.isEmpty ? nil : Set(errors), status)
    }
    guard rows.count == row[column].split(separator: ",").count else {
      throw row.mistake(expected: "receipts; found \(row[column])")
    }
    return rows
  }
}
