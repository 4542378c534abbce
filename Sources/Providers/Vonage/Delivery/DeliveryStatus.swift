import ProviderKit

/// What becomes of a message in the terms of SMS and of Messages. Source: `senders.md` 5 and 6.
struct DeliveryStatus: Equatable, Sendable {
  /// Of Messages.
  enum Name: String {
    case submitted, delivered, read, rejected, undeliverable
  }

  /// `status` of SMS; nil: not shown there.
  let text: String?
  /// `err-code` of SMS.
  let errorCode: Int
  let name: Name
  /// Why a message of Messages did not arrive: the number of an error.
  let error: Int?
  /// For people.
  let reason: String

  /// The status that a carrier's receipt leads to. `isStopped`, `isDeactivated`: what the receipt does not
  /// say about the line.
  init(_ receipt: DeliveryReceipt, isStopped: Bool = false, isDeactivated: Bool = false) {
    switch (receipt.state, receipt.error) {
    case (.rejected, 13) where isStopped && receipt.providerStatus == nil: self = Self.table["9"]
    case (.undeliverable, 1) where isDeactivated && receipt.providerStatus == nil: self = Self.table["3"]
    default: self = Self.table.status(of: receipt) ?? Self.table["1330"]
    }
  }

  init(text: String?, errorCode: Int, name: Name, error: Int?, reason: String) {
    self.text = text
    self.errorCode = errorCode
    self.name = name
    self.error = error
    self.reason = reason
  }
}
