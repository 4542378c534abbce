extension Subscriber {
  /// What follows from the record, where no scenario says otherwise. Source: `carrier.md` 4.5, the result table.
  func silentOutcome(at time: Timestamp) -> SilentOutcome {
    guard lineType == .mobile, coversSilent, !suspended, !isDeactivated(at: time) else { return .noCoverage }
    guard session.isOn, interference == .none, !barring.contains(.data) else { return .notMobile }
    return .match
  }
}
