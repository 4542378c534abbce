package import Basics

/// One message to a handset.
///
/// The carrier decides its whole future at the submission. Readers see the part up to now, so nothing has to
/// run when a receipt comes due.
package struct Message: Equatable, Sendable {
  package let ordinal: Int
  package let provider: String
  /// The provider's id of the verification.
  package let reference: String
  package let channel: Channel
  /// A phone number or email address.
  package let destination: String
  /// A number, a short code or a name.
  package let sender: String
  /// The text, as the handset shows it or as the call reads it.
  package let text: String
  /// The code in the text.
  package let code: String?
  package let submittedAt: Timestamp
  /// When the handset shows it; nil: it is held, or never arrives.
  package let arrivesAt: Timestamp?
  /// All receipts, with those of the future.
  package let receipts: DeliveryReceipts
  /// Where the code was found; nil: the provider made it, or there is none.
  package internal(set) var codeSource: CodeSource?
  package internal(set) var arrival = Arrival.atOnce
  /// Who had the number when the message came, if somebody else has it now.
  package internal(set) var formerHolder: Holder?

  /// The position in the order of arrival, once it has arrived.
  package var place: Int { if case .at(let place) = arrival { place } else { ordinal } }

  /// The id in the control API: `msg_000031`.
  package var id: String {
    let digits = String(ordinal)
    return "msg_" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
  }

  /// A duplicate on the handset, without receipts.
  func copy(ordinal: Int) -> Message {
    Message(
      ordinal: ordinal, provider: provider, reference: reference, channel: channel, destination: destination,
      sender: sender, text: text, code: code, submittedAt: submittedAt, arrivesAt: arrivesAt,
      receipts: DeliveryReceipts([]), codeSource: codeSource, arrival: arrival)
  }

  /// True if it is the duplicate of a message that arrived twice.
  package func isCopy(of other: Message) -> Bool {
    ordinal == other.ordinal + 1 && reference == other.reference && submittedAt == other.submittedAt
      && receipts.isEmpty && !other.receipts.isEmpty
  }

  /// True if its inbox was emptied since.
  package var isRemoved: Bool { arrivesAt == .latest }

  /// When the handset showed it first; nil if it has not by `time`. For a message that was removed, the time
  /// of its delivery receipt.
  package func arrival(by time: Timestamp) -> Timestamp? {
    guard isRemoved else { return arrivesAt.flatMap { $0 <= time ? $0 : nil } }
    return receipts(by: time).last { $0.state == .delivered || $0.state == .read }
      .map { submittedAt + $0.after }
  }

  package func receipts(by time: Timestamp) -> ArraySlice<DeliveryReceipt> {
    receipts.all.prefix { submittedAt + $0.after <= time }
  }

  /// The state of the latest receipt by a time.
  package func state(at time: Timestamp) -> DeliveryReceipt.State { receipts(by: time).state }
}

extension ArraySlice<DeliveryReceipt> {
  /// The state of a message with these receipts.
  package var state: DeliveryReceipt.State { last?.state ?? .accepted }
}

/// Where the code of a message was found that its provider did not make. Source: `senders.md` 10.
package enum CodeSource: String, CaseIterable, Sendable {
  /// The value of a template's variable.
  case variables
  case text
  /// What a call says.
  case speech
}

package enum Channel: String, CaseIterable, Sendable {
  case sms
  /// A voice call that reads the text out.
  case call
  case whatsapp
  case email
  /// Rich communication services.
  case rcs
  case viber
  case telegram
  case zalo
  /// The mobile data connection, without a code.
  case silent
  case push
}

/// A message before its submission to the carrier.
package struct MessageDraft: Sendable {
  package let provider: String
  /// The provider's id of the verification.
  package let reference: String
  package let channel: Channel
  /// A phone number or email address.
  package let destination: String
  /// A number, a short code or a name.
  package let sender: String
  package let text: String
  /// The code that the provider made; when the message is submitted, also one that an app wrote.
  package internal(set) var code: String?
  /// Where the app's code was found.
  var codeSource: CodeSource?
  /// The values of a template's variables.
  package var variables: [String] = []
  /// The options of a call.
  package var speech = Speech()
  /// True if the provider is notified when the delivery fails.
  package var reportsLoss = false
  /// True if the provider is notified, also as a loss, when the person hangs up before the text is read.
  package var reportsHangUp = false
  /// The request's own scenario, for providers whose clients can name one.
  package var scenario: Scenario?
  /// The scenario of the provider's test numbers. Run-time scenarios and the subscriber's record win over it.
  package var ending: Scenario?

  package init(
    provider: String, reference: String, channel: Channel, destination: String, sender: String, text: String,
    code: String?
  ) {
    self.provider = provider
    self.reference = reference
    self.channel = channel
    self.destination = destination
    self.sender = sender
    self.text = text
    self.code = code
  }
}
