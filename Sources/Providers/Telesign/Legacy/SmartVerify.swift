import Domain
import HTTP
import ProviderKit

// Smart Verify: the vendor decides between a message and a call. Source: contract 7.3.

/// `POST /v1/verify/smart`
func createSmartVerification(_ call: Call) throws -> Response {
  let number = try call.number(call.required("phone_number"))
  _ = try call.required("ucid")
  try call.checkCircumstances()
  let sending =
    try call.isSmartCall(to: number) ? call.readSmartCall(to: number) : call.readSmartText(to: number)
  guard try call.isTooRisky(number) else {
    return try call.answer(call.place(sending), isNew: true)
  }
  return try call.answer(call.block(sending, with: 2028), isNew: true)
}

extension Call {
  /// Whether it is to be a call: as the request prefers, else where the line takes no texts.
  fileprivate func isSmartCall(to number: Number) throws -> Bool {
    // Whatever it will be, the texts of both are the request's to send.
    try request.form.declare(["tts_message", "sms_message", "call_forward_action"])
    return switch try field("preference")?.lowercased() {
    case "call": true
    case "sms": false
    case nil: try !sandbox.subscribers[number.number].lineType.takesTexts
    default: throw Problem.invalidParameter("preference", expected: "call or sms")
    }
  }

  fileprivate func readSmartCall(to number: Number) throws -> LegacySending {
    try readCall(
      to: number, as: "voice", text: text("tts_message", upTo: 2000), ownCode: ownCode(3...5))
  }

  fileprivate func readSmartText(to number: Number) throws -> LegacySending {
    LegacySending(
      kind: .smsVerification, channel: .sms, number: number, record: LegacyRecord(of: "sms"),
      codeLength: settings.smsCodeLength, code: try ownCode(3...7), sender: defaultSender,
      text: LegacyText(try text("sms_message", upTo: 1600), language: try field("language")),
      callbackURL: try callbackURL())
  }

  /// Whether the number is one to which nothing should be sent, and the request heeds that.
  fileprivate func isTooRisky(_ number: Number) throws -> Bool {
    if try flag("ignore_risk") ?? false { return false }
    let line = try Line(of: number, in: sandbox)
    return RiskScore(of: line, at: sandbox.clock.now).score > Self.highestRisk
  }

  /// Above it the vendor recommends to block. Source: contract 11.
  private static let highestRisk = 600
}
