import ProviderKit

/// Facts about the number in the response to a sending, if they are enabled for the account. Source: contract
/// 7.1, optional objects; `data/telesign-2022-voice-verify.swagger.yaml`: "appears when you enable Score".
enum VerifyFeature: String, CaseIterable {
  /// Adds `phone_type`, `numbering` and `risk`.
  case score
  /// Adds `number_deactivation`, to messages only, and blocks those to deactivated numbers.
  case numberDeactivation = "number_deactivation"
}

struct VerifyFeatureResults {
  private let line: LineInfo
  private let score: RiskScore?
  private let deactivation: AddOnResult?
  private let levels: [String]

  /// Nil if no feature is enabled or requested.
  init?(of found: LegacyVerification, _ context: RequestContext) throws {
    let features = context.settings.verifyFeatures
    let digits = String(found.verification.claim.destination.dropFirst())
    let isDeactivationRequested =
      try found.kind == .smsVerification
      && DeactivationCheck.isRequested(by: LegacyForm(context.request), context.settings)
    guard features.contains(.score) || isDeactivationRequested,
      let number = ParsedNumber(digits, context.settings)
    else { return nil }
    let now = context.sandbox.clock.now
    line = try LineInfo(of: number, in: context.sandbox)
    score = features.contains(.score) ? RiskScore(of: line, at: now) : nil
    let request = AddOnRequest(name: AddOn.numberDeactivation.rawValue, fields: try Fields(.object([])))
    deactivation = try isDeactivationRequested ? request.result(for: line, context) : nil
    levels = context.settings.riskLevels
  }

  func write(to json: inout JSONWriter) {
    if let score {
      line.writeKind(to: &json)
      json.object("risk") { score.write(to: &$0, levels: levels) }
    }
    if let deactivation {
      let name = AddOn.numberDeactivation.rawValue
      json.object(named: name) { deactivation.write(to: &$0, name) }
    }
  }
}
