import ProviderKit

/// A message's status, and why it did not arrive.
struct MessageStatus: Equatable, Sendable {
  /// Source: contract 16.2 and `twilio_api_v2010_messages.json`; contract 6 for those of attempts.
  enum Name: String {
    case accepted, queued, scheduled, canceled, sent, delivered, undelivered, failed, received, read
  }

  /// An error of the provider's dictionary.
  struct Failure: Equatable, Sendable {
    let code: Int
    let message: String
  }

  let name: Name
  let failure: Failure?

  init(_ name: Name, _ code: Int? = nil, _ message: String = "") {
    self.name = name
    failure = code.map { Failure(code: $0, message: message) }
  }

  /// The status that a carrier's receipt leads to.
  init(_ receipt: DeliveryReceipt) { self = Self.table.status(of: receipt) ?? Self.table["30008"] }
}
