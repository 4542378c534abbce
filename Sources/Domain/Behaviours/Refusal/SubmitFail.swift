/// Why the carrier would not take a message, as the answer to its submission says. Source: `carrier.md` 1.1,
/// the table of `command_status`.
package enum SubmitStatus: String, CaseIterable, Sendable {
  /// An internal fault.
  case systemError
  /// The destination is malformed.
  case invalidDestination
  /// The queue is full.
  case queueFull
  /// Refused without a reason.
  case refused
  /// Too many in too short a time.
  case throttled
  /// The delivery failed.
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

/// The carrier does not take the message: there is no id and no receipt.
package enum SubmitFail: Behaviour {
  /// The outcome's word; a status follows behind a colon.
  package static let name = "submitFail"
  /// `submitFail:throttled` and so on.
  package static let words = SubmitStatus.allCases.map { "\(name):\($0.rawValue)" }
  /// All that is submitted.
  package static let channels: Set<Channel> = .written.union([.call])

  /// Refused with the status that the scenario's outcome names.
  package static func plan(_ scenario: Scenario) -> DeliveryPlan {
    let status = SubmitStatus(rawValue: String(scenario.outcome.dropFirst(name.utf8.count + 1))) ?? .refused
    return DeliveryPlan(ending: .refused, after: .zero, error: status.commandStatus)
  }
}
