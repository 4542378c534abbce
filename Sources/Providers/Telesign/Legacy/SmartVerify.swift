import Domain
import HTTP
import ProviderKit

// Smart Verify: the vendor chooses between a message and a call. Source: contract 7.3.

func createSmartVerification(_ context: RequestContext) throws -> Response {
  let number = try context.number(context.required("phone_number"))
  _ = try context.required("ucid")
  try context.checkUseCaseAndIP()
  let draft =
    try context.prefersCall(to: number)
    ? context.readSmartCall(to: number) : context.readSmartMessage(to: number)
  guard try context.isTooRisky(number) else {
    return try context.respond(with: context.sendUnlessForwarded(draft), isNew: true)
  }
  return try context.respond(with: context.block(draft, with: 2028), isNew: true)
}

extension RequestContext {
  /// The request's preference decides, else a call if the line cannot receive SMS.
  fileprivate func prefersCall(to number: ParsedNumber) throws -> Bool {
    // A request may contain the texts for both.
    try request.form.declare(["tts_message", "sms_message", "call_forward_action"])
    return switch try field("preference")?.lowercased() {
    case "call": true
    case "sms": false
    case nil: try !sandbox.subscribers[number.phoneNumber].lineType.takesTexts
    default: throw APIError.invalidParameter("preference", expected: "call or sms")
    }
  }

  fileprivate func readSmartCall(to number: ParsedNumber) throws -> LegacyCodeDraft {
    try readCall(
      to: number, as: "voice", text: text("tts_message", upTo: 2000), customCode: customCode(3...5))
  }

  fileprivate func readSmartMessage(to number: ParsedNumber) throws -> LegacyCodeDraft {
    LegacyCodeDraft(
      kind: .smsVerification, channel: .sms, number: number, details: LegacyDetails(of: "sms"),
      codeLength: settings.smsCodeLength, code: try customCode(3...7), sender: defaultSender,
      text: CodeText(try text("sms_message", upTo: 1600), language: try field("language")),
      callbackURL: try callbackURL())
  }

  /// False if the request ignores the risk.
  fileprivate func isTooRisky(_ number: ParsedNumber) throws -> Bool {
    if try flag("ignore_risk") ?? false { return false }
    let line = try LineInfo(of: number, in: sandbox)
    return RiskScore(of: line, at: sandbox.clock.now).score > Self.highestAllowedRisk
  }

  /// The vendor recommends to block higher scores. Source: contract 11.
  private static let highestAllowedRisk = 600
}
