/// How a silent verification fares in the network, as far as the network decides. Source: `carrier.md` 4.3 and 4.5.
package enum SilentOutcome: String, CaseIterable, Sendable {
  /// The handset is recognised.
  case match
  /// Another SIM card answers.
  case mismatch
  /// The traffic did not come over mobile data.
  case notMobile
  /// The network does not take part.
  case noCoverage
  /// The gateway fails.
  case carrierError
  /// The gateway hangs.
  case timeout
  /// The gateway answers with something that is no answer.
  case garbage
  /// The gateway redirects without end.
  case loop
  /// The person said no.
  case userDenied
}

extension Subscriber {
  /// What follows from the record, where no scenario says otherwise. Source: `carrier.md` 4.5, the result table.
  func silentOutcome(at time: Timestamp) -> SilentOutcome {
    guard lineType == .mobile, coversSilent, !suspended, !isDeactivated(at: time) else { return .noCoverage }
    guard session.isOn, interference == .none, !barring.contains(.data) else { return .notMobile }
    return .match
  }
}
