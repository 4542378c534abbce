/// Answers that go wrong on purpose, and passkeys.
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

  static let passkeys = [
    Case("createPasskey", "made", create, #"{"options":\#(options)}"#),
    Case(
      "createPasskey", "bad-fault", create, #"{"options":\#(options),"fault":"wrongKey"}"#),
    Case("createPasskey", "no-options", create, #"{"options":{"publicKey":{}}}"#),
    Case("usePasskey", "cancelled", use, #"{"options":\#(options),"fault":"cancelled"}"#),
    Case("usePasskey", "unknown", use, #"{"options":\#(options),"fault":"unknownCredential"}"#),
    Case("usePasskey", "any", use, #"{"options":\#(options)}"#),
    Case("usePasskey", "not-here", use, #"{"options":\#(options),"credential":"AQID"}"#),
  ]

  private static let create = "POST /control/devices/+12025550100/passkeys/create"
  private static let use = "POST /control/devices/+12025550100/passkeys/get"
  private static let options = #"{"publicKey":{"rp":{"id":"example.com"},"challenge":"WUYwNA"}}"#
}
