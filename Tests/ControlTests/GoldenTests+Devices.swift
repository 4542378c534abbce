/// Answers that go wrong on purpose.
extension GoldenTests {
  static let answerFaults = [
    Case(
      "approveOnDevice", "bad-fault", "POST /control/devices/latest/approve", #"{"fault":"wrongkey"}"#,
      after: .app, .question),
    Case(
      "approveOnDevice", "no-key", "POST /control/devices/latest/approve", #"{"fault":"wrongKey"}"#,
      after: .app, .question),
    Case(
      "approveOnDevice", "not-late", "POST /control/devices/latest/approve", #"{"fault":"late"}"#,
      after: .app, .question),
    Case(
      "approveOnDevice", "late", "POST /control/devices/latest/approve", #"{"fault":"late"}"#,
      after: .app, .question, .yes),
  ]
}
