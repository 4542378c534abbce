import Domain

/// Why a message did not arrive. Source: `carrier.md` 1.2; the texts: the provider's error dictionary,
/// https://www.twilio.com/docs/api/errors, read 2026-11-22. 63024 is for numbers without the channel's app.
struct DeliveryFailure {
  let code: Int
  let message: String

  /// Nil for receipts that are no failure.
  init?(_ receipt: DeliveryReceipt) {
    switch (receipt.state, receipt.error) {
    case (.expired, _), (.undeliverable, 40), (.undeliverable, 60):
      (code, message) = (30003, "Unreachable destination handset")
    case (.undeliverable, 1): (code, message) = (30005, "Unknown destination handset")
    case (.rejected, 11): (code, message) = (30006, "Landline or unreachable carrier")
    case (.rejected, 13): (code, message) = (30004, "Message blocked")
    case (.rejected, 21): (code, message) = (63024, "Invalid message recipient")
    case (.rejected, _): (code, message) = (30007, "Message filtered")
    case (.undeliverable, _), (.refused, _): (code, message) = (30008, "Unknown error")
    case (.accepted, _), (.enroute, _), (.delivered, _), (.read, _): return nil
    }
  }
}
