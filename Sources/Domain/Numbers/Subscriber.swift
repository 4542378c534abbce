package import Basics
package import Numbers

/// The holder of a line: the network's record of one number. Source: `carrier.md` 4.2.
///
/// An `explicit…` property is set only where a record or an event names it. Otherwise the value follows from
/// the number.
package struct Subscriber: Equatable, Sendable {
  package let number: PhoneNumber
  /// The start of the sandbox's clock.
  let start: Timestamp
  /// During `merge`: the time that relative times are counted back from.
  var present: Timestamp

  // MARK: The line

  /// A code that every verification of this number uses; nil: codes follow from the entropy.
  package var code: String?
  package var lineType = LineType.mobile
  /// The network's name; fictional.
  package var operatorName = FictionalOperator.sandpiperMobile.rawValue
  /// True if the network supports silent verification.
  package var coversSilent = false
  /// ISO 3166-1 alpha-2.
  var explicitCountry: String?
  /// Mobile country code; 001 is the test network.
  package var mcc = "001"
  /// Mobile network code.
  package var mnc = "01"
  var explicitOriginalMCC: String?
  var explicitOriginalMNC: String?
  /// True if the number came from another network.
  package var ported = false
  package var portedAt: Timestamp?

  // MARK: The contract

  package var contract = Contract.payMonthly
  var explicitActivation: Timestamp?
  var explicitPeriods: [SubscriberPeriod] = []
  /// When the number went out of service.
  package var deactivatedAt: Timestamp?
  /// True if the network has suspended the line.
  package var suspended = false
  package var barring: [Barring] = []
  package var forwarding: [Forwarding] = []
  /// True if the network slows the line's data down.
  package var throttled = false
  /// True if the network blocks some content for the line; nil if unknown.
  package var contentLock: Bool?
  /// Nil if unknown.
  package var parentalControl: Bool?

  // MARK: The card and the handset

  var explicitIMSI: String?
  var explicitIMEI: String?
  var explicitICCID: String?
  package var simCard = SIMCard.connected
  package var handset = Handset()
  /// When the SIM card was changed, in the order of the record.
  package var simSwaps: [Timestamp] = []
  /// When the handset was changed, in the order of the record.
  package var deviceSwaps: [Timestamp] = []
  var explicitReach = Reach()
  package var roaming = Roaming()
  var explicitSession = DataSession()
  package var interference = Interference.none

  // MARK: The person

  package var consent = Consent()
  /// Nil if nobody has assessed the number.
  package var risk: Risk?
  package var whatsapp = true
  /// True if the handset takes rich messages.
  package var rcs = true
  /// What the person does when an app asks for approval; nil: the question waits for an answer.
  package var pushReaction: PushReaction?
  /// The channel that reaches the person best.
  package var preferredChannel: Channel?
  package var email: String?
  /// The person, for match scores.
  package var kyc = Person()
  /// Senders whose texts the person has stopped; `*` is all.
  package var optOut: [String] = []
  /// Outcomes of messages to this number, which win over those that follow from the record.
  package var scenarios: [Scenario] = []

  /// A line on which everything works: a number without a record and without a rule for its digits.
  /// Source: `carrier.md` 4.3.
  package init(happyLineOf number: PhoneNumber, since start: Timestamp) {
    self.number = number
    self.start = start
    present = start
  }

  /// ISO 3166-1 alpha-2; nil where neither a record nor the number tells.
  package var country: String? { explicitCountry ?? number.country }

  /// The mobile country code of the number's first network.
  package var originalMCC: String { explicitOriginalMCC ?? mcc }

  /// The mobile network code of the number's first network.
  package var originalMNC: String { explicitOriginalMNC ?? mnc }

  /// When the contract began; by default three years before the start of the sandbox's clock.
  package var activatedAt: Timestamp { explicitActivation ?? defaultActivation }

  var defaultActivation: Timestamp { start - .seconds(3 * 365 * 86_400) }

  /// The number's holders, oldest first; by default one person since the contract began.
  package var subscriberPeriods: [SubscriberPeriod] {
    explicitPeriods.isEmpty ? [SubscriberPeriod(from: activatedAt)] : explicitPeriods
  }

  /// True if the person has stopped this sender's texts.
  package func hasStopped(_ sender: String) -> Bool {
    optOut.contains { $0 == sender || $0 == Self.anySender }
  }

  /// The entry of `optOut` that means all senders.
  package static let anySender = "*"

  /// True if the number is out of service at a time.
  package func isDeactivated(at time: Timestamp) -> Bool { deactivatedAt.map { $0 <= time } ?? false }
}

/// Identities of card, handset and session. Source: `carrier.md` 4.2.
extension Subscriber {
  /// The SIM card's identity: country, network and ten digits of the number, 15 digits in all.
  package var imsi: String { explicitIMSI ?? derivedIMSI }

  /// The handset's identity: test equipment's allocation 00101301, six digits of the number, a check digit.
  package var imei: String { explicitIMEI ?? derivedIMEI }

  /// The SIM card's own number: 89 for telecoms, the network, ten digits of the number, a check digit.
  package var iccid: String { explicitICCID ?? derivedICCID }

  /// Which traffic reaches the handset: none without a card that is connected.
  package var reach: Reach {
    get { simCard == .connected ? explicitReach : .nothing }
    set { explicitReach = newValue }
  }

  package var session: DataSession {
    var session = recordedSession
    session.isOn = session.isOn && simCard == .connected
    return session
  }

  /// As the record has it.
  var recordedSession: DataSession {
    get {
      var session = explicitSession
      session.address = session.address ?? PacketAddresses.address(of: number)
      return session
    }
    set {
      explicitSession = newValue
      if newValue.address == PacketAddresses.address(of: number) { explicitSession.address = nil }
    }
  }

  var derivedIMSI: String { mcc + mnc + lastDigits(15 - mcc.utf8.count - mnc.utf8.count) }

  var derivedIMEI: String { Self.withCheckDigit("00101301" + lastDigits(6)) }

  var derivedICCID: String { Self.withCheckDigit("89" + mcc + mnc + lastDigits(10)) }

  private func lastDigits(_ count: Int) -> String {
    let digits = number.description.utf8.dropFirst().suffix(count)
    return String(repeating: "0", count: count - digits.count) + String(Substring(digits))
  }

  /// Appends Luhn's check digit.
  static func withCheckDigit(_ digits: String) -> String {
    var (sum, isDoubled) = (0, true)
    for byte in digits.utf8.reversed() {
      let digit = Int(byte) - 0x30
      let weighted = isDoubled ? digit * 2 : digit
      sum += weighted / 10 + weighted % 10
      isDoubled.toggle()
    }
    return digits + String((10 - sum % 10) % 10)
  }
}
