import Domain
import HTTP
import JSON
import ProviderKit

/// Facts about the number in the response to a sending, if they are enabled for the account. Source: contract
/// 7.1, optional objects; `data/telesign-2022-voice-verify.swagger.yaml`: "appears when you enable Score".
enum VerifyFeature: String, CaseIterable {
  /// Adds `phone_type`, `numbering` and `risk`.
  case score
  /// Adds `number_deactivation`, to messages only.
  case numberDeactivation = "number_deactivation"
}

struct VerifyFeatureResults {
  private let line: LineInfo
  private let score: RiskScore?
  private let deactivation: AddOnResult?
  private let levels: [String]

  /// Nil if no feature is enabled.
  init?(of found: LegacyVerification, _ context: RequestContext) throws {
    let features = context.settings.verifyFeatures
    let digits = String(found.verification.claim.destination.dropFirst())
    guard !features.isEmpty, let number = ParsedNumber(digits, context.settings) else { return nil }
    let now = context.sandbox.clock.now
    line = try LineInfo(of: number, in: context.sandbox)
    score = features.contains(.score) ? RiskScore(of: line, at: now) : nil
    let isRequested =
      try features.contains(.numberDeactivation) && Self.requestsDeactivation(context.request, found.kind)
    let request = AddOnRequest(name: AddOn.numberDeactivation.rawValue, fields: try Fields(.object([])))
    deactivation = try isRequested ? request.result(for: line, context) : nil
    levels = context.settings.riskLevels
  }

  /// True for messages unless `num_deac_req` is anything but `true`.
  /// Source: `data/telesign-2022-sms-verify.swagger.yaml`, `num_deac_req`.
  private static func requestsDeactivation(_ request: Request, _ kind: ReferenceKind) throws -> Bool {
    try kind == .smsVerification && LegacyForm(request).text("num_deac_req") ?? "true" == "true"
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
