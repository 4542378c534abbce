import JSON

/// What comes of a call that reads something out. Source: `carrier.md` 1.3.
package struct CallPlan: Equatable, Sendable {
  /// How a call ends.
  package enum Result: String, CaseIterable, Sendable {
    /// Somebody listened to the end.
    case answered
    /// Somebody hung up before the code.
    case hungUp
    /// The line was busy.
    case busy
    /// Nobody answered.
    case noAnswer
    /// Somebody pressed the call away.
    case declined
    /// A machine answered.
    case voicemail
    /// The handset could not be reached.
    case unreachable

    /// Whether the handset shows that there was a call.
    package var shows: Bool { self != .busy && self != .unreachable }

    /// Whether somebody or something took the call.
    package var isTaken: Bool { self == .answered || self == .hungUp || self == .voicemail }
  }

  /// How it ends.
  package let result: Result
  /// The keys that the person presses when asked for one; empty: none; nil: whichever is asked for.
  package let keys: String?
}

/// Keys of a telephone.
package enum Keys {
  /// What a person presses who is asked for any key.
  static let usual = "1"

  /// Whether a text is some keys.
  package static func isValid(_ text: String) -> Bool {
    text.utf8.count <= 32 && text.utf8.allSatisfy { $0.isDigit || $0 == 0x2A || $0 == 0x23 }
  }
}

extension DeliveryPlan {
  /// A call: it rings at once, and its result is known after the scenario's time, or 300 ms.
  static func call(_ result: CallPlan.Result, _ scenario: Scenario) -> DeliveryPlan {
    let end = scenario.after ?? .milliseconds(300)
    var plan = DeliveryPlan(
      arrivesAfter: result.shows ? .zero : nil,
      receipts: [
        DeliveryReceipt(.enroute, after: .zero),
        result.isTaken
          ? DeliveryReceipt(.delivered, after: end)
          : DeliveryReceipt(.undeliverable, after: end, error: scenario.error ?? 0),
      ])
    plan.call = CallPlan(result: result, keys: scenario.keys)
    return plan
  }
}
