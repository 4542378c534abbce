/// The holder of a line on the carrier: what the network knows of one number. Source: `carrier.md` 4.2.
package struct Subscriber: Equatable, Sendable {
  /// The number of the line.
  package let number: PhoneNumber
  /// The start of the sandbox's clock, which relative dates are counted from.
  let start: Timestamp

  // MARK: The line

  /// A code that every verification of this number uses; nil: codes follow from the entropy.
  package var code: String?
  /// The kind of line.
  package var lineType = LineType.mobile
  /// The network's name; fictional.
  package var operatorName = "Sandpiper Mobile"
  /// Whether the network answers for silent verification.
  package var coversSilent = false
  /// ISO 3166-1 alpha-2, where it was said; nil: as the number tells.
  var statedCountry: String?
  /// Mobile country code; 001 is the test network.
  package var mcc = "001"
  /// Mobile network code.
  package var mnc = "01"
  var statedOriginalMCC: String?
  var statedOriginalMNC: String?
  /// Whether the number came from another network.
  package var ported = false
  /// When it came.
  package var portedAt: Timestamp?

  // MARK: The contract

  /// How the line is paid.
  package var contract = Contract.payMonthly
  var statedActivation: Timestamp?
  /// Who held the number when, where it was said.
  var statedPeriods: [SubscriberPeriod] = []
  /// When the number went out of service.
  package var deactivatedAt: Timestamp?
  /// Whether the network has cut the line off for now.
  package var suspended = false
  /// Services that are switched off.
  package var barring: [Barring] = []
  /// When calls go elsewhere.
  package var forwarding: [Forwarding] = []

  // MARK: The card and the handset

  var statedIMSI: String?
  var statedIMEI: String?
  var statedICCID: String?
  /// When the SIM card was changed, in the order it was said.
  package var simSwaps: [Timestamp] = []
  /// When the handset was changed, in the order it was said.
  package var deviceSwaps: [Timestamp] = []
  /// What reaches the handset now.
  package var reach = Reach()
  /// Whether it is abroad.
  package var roaming = Roaming()
  var statedSession = DataSession()
  /// What hides its traffic from its own network.
  package var interference = Interference.none

  // MARK: The person

  /// What was agreed to.
  package var consent = Consent()
  /// How likely the number is misused; nil: nobody has looked.
  package var risk: Risk?
  /// Whether the number has WhatsApp.
  package var whatsapp = true
  /// Whether the handset takes rich messages.
  package var rcs = true
  /// What the person does when an app asks whether it is them; nil: it waits for somebody to say.
  package var pushes: Habit?
  /// The channel that reaches the person best, where one does.
  package var preferredChannel: Channel?
  /// The person's email address.
  package var email: String?
  /// The person, for match scores.
  package var kyc = Person()
  /// Senders whose texts the person has stopped; `*` is all.
  package var optOut: [String] = []
  /// What becomes of messages to this number, before anything that follows from the record.
  package var scenarios: [Scenario] = []

  /// A happy mobile line: what a number is of which nothing was said. Source: `carrier.md` 4.3.
  ///
  /// `start` is when the sandbox's clock began.
  package init(happyLineOf number: PhoneNumber, since start: Timestamp) {
    self.number = number
    self.start = start
  }

  /// ISO 3166-1 alpha-2; nil where neither a record nor the number tells.
  package var country: String? { statedCountry ?? number.country }

  /// The country code of the network that the number was given to at first.
  package var originalMCC: String { statedOriginalMCC ?? mcc }

  /// The network code of the network that the number was given to at first.
  package var originalMNC: String { statedOriginalMNC ?? mnc }

  /// When the contract began: three years before the sandbox's clock, unless it was said.
  package var activatedAt: Timestamp { statedActivation ?? start - .seconds(3 * 365 * 86_400) }

  /// Who held the number when, oldest first: one person since the contract began, unless it was said.
  package var subscriberPeriods: [SubscriberPeriod] {
    statedPeriods.isEmpty ? [SubscriberPeriod(from: activatedAt)] : statedPeriods
  }

  /// Whether the person has stopped this sender's texts.
  package func hasStopped(_ sender: String) -> Bool {
    optOut.contains { $0 == sender || $0 == Self.anySender }
  }

  /// Stands for all senders in `optOut`.
  package static let anySender = "*"

  /// Whether the number is out of service at a time.
  package func isDeactivated(at time: Timestamp) -> Bool { deactivatedAt.map { $0 <= time } ?? false }
}
