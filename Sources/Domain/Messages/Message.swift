/// One message to a handset, with all that the carrier has decided for it.
///
/// Its future is settled when it is submitted and written down as a plan; what a reader sees is that plan
/// up to now. So no work is needed when a receipt comes due.
package struct Message: Equatable, Sendable {
  /// Its number in the sandbox.
  package let ordinal: Int
  /// The provider that sent it.
  package let provider: String
  /// The provider's own id of what the message is about.
  package let reference: String
  /// How it travels.
  package let channel: Channel
  /// The phone number or email address it goes to.
  package let destination: String
  /// Whom it is from: a number, a short code or a name.
  package let sender: String
  /// The text, as the handset shows it or as the call reads it.
  package let text: String
  /// The code in the text, where it has one.
  package let code: String?
  /// When the provider handed it to the carrier.
  package let submittedAt: Timestamp
  /// When the handset shows it; nil: never.
  package let arrivesAt: Timestamp?
  /// Every receipt there is and will be.
  package let receipts: DeliveryReceipts

  /// The id in the control API: `msg_000031`.
  package var id: String {
    let digits = String(ordinal)
    return "msg_" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
  }

  /// The same on the handset once more, of which no receipt tells.
  func copy(ordinal: Int) -> Message {
    Message(
      ordinal: ordinal, provider: provider, reference: reference, channel: channel, destination: destination,
      sender: sender, text: text, code: code, submittedAt: submittedAt, arrivesAt: arrivesAt,
      receipts: DeliveryReceipts([]))
  }

  /// The receipts that have come by a time.
  package func receipts(by time: Timestamp) -> ArraySlice<DeliveryReceipt> {
    receipts.all.prefix { submittedAt + $0.after <= time }
  }

  /// What the carrier has said last by a time.
  package func state(at time: Timestamp) -> DeliveryReceipt.State {
    receipts(by: time).last?.state ?? .accepted
  }
}

/// How a code or a message travels.
package enum Channel: String, CaseIterable, Sendable {
  /// A text message.
  case sms
  /// A voice call that reads it out.
  case call
  /// WhatsApp.
  case whatsapp
  /// Email.
  case email
  /// Rich communication services.
  case rcs
  /// Viber.
  case viber
  /// Telegram.
  case telegram
  /// Zalo.
  case zalo
  /// The data connection, without a code.
  case silent
  /// A push notification.
  case push
}
