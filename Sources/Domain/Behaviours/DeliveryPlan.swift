import JSON

/// What the carrier has decided for a message.
package struct DeliveryPlan: Equatable, Sendable {
  /// When the handset shows it, counted from its submission; nil: never.
  package internal(set) var arrivesAfter: Duration?
  /// The receipts that the provider gets.
  package internal(set) var receipts: DeliveryReceipts
  /// How many times the handset shows it.
  package var copies = 1
  /// Nil: the handset shows it as it was sent.
  package var damage: TextDamage?
  /// True if it arrives earlier where another message comes: right after that one.
  package var arrivesAfterNext = false
  /// True if the handset shows it although its validity is over.
  package var ignoresExpiry = false
  /// Set for calls.
  package var call: CallPlan?

  package init(arrivesAfter: Duration?, receipts: [DeliveryReceipt]) {
    self.arrivesAfter = arrivesAfter
    self.receipts = DeliveryReceipts(receipts)
  }

  /// A message that never reaches the handset, with one receipt.
  init(ending state: DeliveryReceipt.State, after: Duration, error: Int = 0) {
    self.init(arrivesAfter: nil, receipts: [DeliveryReceipt(state, after: after, error: error)])
  }

  /// The plan of a message that expires after `validity`: later receipts are replaced by one of the expiry.
  /// Source: `carrier.md` 4.3.
  func limited(to validity: Duration) -> DeliveryPlan {
    let all = receipts.all
    let inTime = all.filter { $0.after < validity }
    let isLate = inTime.count < all.count || (arrivesAfter.map { $0 >= validity } ?? false)
    guard isLate else { return self }
    var limited = self
    limited.arrivesAfter = arrivesAfter.flatMap { $0 < validity || ignoresExpiry ? $0 : nil }
    limited.receipts = DeliveryReceipts(inTime + [DeliveryReceipt(.expired, after: validity, error: 60)])
    return limited
  }

  /// For a landline that cannot receive texts: error 011, teleservice not provisioned. No scenario names it.
  /// Source: `carrier.md` 1.2.
  static let notSupported = DeliveryPlan(ending: .rejected, after: .zero, error: 11)

  /// A call: it rings at once, and its result is known after the scenario's time, or 300 ms.
  static func call(_ result: CallPlan.Result, _ scenario: Scenario) -> DeliveryPlan {
    let end = scenario.after ?? .milliseconds(300)
    var plan = DeliveryPlan(
      arrivesAfter: result.isShown ? .zero : nil,
      receipts: [
        DeliveryReceipt(.enroute, after: .zero),
        result.isTaken
          ? DeliveryReceipt(.delivered, after: end)
          : DeliveryReceipt(.undeliverable, after: end, error: scenario.error ?? 0),
      ])
    plan.call = CallPlan(result: result, keys: result == .answered ? scenario.keys : nil)
    return plan
  }
}

/// What happens during a call that reads something out. Source: `carrier.md` 1.3.
package struct CallPlan: Equatable, Sendable {
  package enum Result: String, CaseIterable, Sendable {
    /// A person listens to the end.
    case answered
    /// A person hangs up before the code is read.
    case hungUp
    case busy
    case noAnswer
    case declined
    case voicemail
    case unreachable

    /// True if the handset shows that there was a call.
    package var isShown: Bool { self != .busy && self != .unreachable }

    /// True if a person or a machine answered the call.
    package var isTaken: Bool { self == .answered || self == .hungUp || self == .voicemail }
  }

  package let result: Result
  /// The keys that the person presses when asked for one. Empty: none. Nil: the one that is asked for.
  package let keys: String?
}

/// Telephone keys.
package enum Keys {
  /// What a person presses when asked for any key.
  static let `default` = "1"
  /// The caller hangs up after so many.
  static let perCall = 100

  /// True for up to 32 digits, `*` and `#`.
  package static func isValid(_ text: String) -> Bool {
    text.utf8.count <= 32 && text.utf8.allSatisfy { $0.isDigit || $0 == 0x2A || $0 == 0x23 }
  }
}

/// Why the carrier does not accept a message, in its answer to the submission. Source: `carrier.md` 1.1, the
/// table of `command_status`.
package enum SubmitStatus: String, CaseIterable, Sendable {
  case systemError
  /// The destination is malformed.
  case invalidDestination
  case queueFull
  /// Refused without a reason.
  case refused
  case throttled
  case deliveryFailure

  /// The number in SMPP.
  package var commandStatus: Int {
    switch self {
    case .systemError: 0x08
    case .invalidDestination: 0x0B
    case .queueFull: 0x14
    case .refused: 0x45
    case .throttled: 0x58
    case .deliveryFailure: 0xFE
    }
  }
}
