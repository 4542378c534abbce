import Domain
import JSON
import ProviderKit

/// What an account may be told of a number beside how its code fares. Source: contract 7.1, optional objects;
/// `data/telesign-2022-voice-verify.swagger.yaml`: "appears when you enable Score".
enum VerifyFeature: String, CaseIterable {
  /// `phone_type`, `numbering` and `risk`.
  case score
  /// `number_deactivation`, for messages.
  case numberDeactivation = "number_deactivation"
}

/// The objects of the features that an account has, for the answer to a sending.
struct VerifyFacts {
  private let line: Line
  private let score: RiskScore?
  private let deactivation: AddOnResult?
  private let levels: [String]

  /// What there is to tell of the number of a verification; nil where the account has no feature.
  init?(of shown: LegacyVerification, _ call: Call) throws {
    let features = call.settings.verifyFeatures.compactMap(VerifyFeature.init)
    let digits = String(shown.verification.claim.destination.dropFirst())
    guard !features.isEmpty, let number = Number(digits, call.settings) else { return nil }
    let now = call.sandbox.clock.now
    line = try Line(of: number, in: call.sandbox)
    score = features.contains(.score) ? RiskScore(of: line, at: now) : nil
    let isAsked = try features.contains(.numberDeactivation) && call.asksForDeactivation(shown.kind)
    let order = AddOnOrder(name: AddOn.numberDeactivation.rawValue, fields: try Fields(.object([])))
    deactivation = try isAsked ? order.result(for: line, call) : nil
    levels = call.settings.riskLevels
  }

  /// Writes them, as PhoneID and Score have them.
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

extension Call {
  /// Whether a message's request wants it: yes, unless it says anything but `true`.
  /// Source: `data/telesign-2022-sms-verify.swagger.yaml`, `num_deac_req`.
  fileprivate func asksForDeactivation(_ kind: Kind) throws -> Bool {
    try kind == .smsVerification && field("num_deac_req") ?? "true" == "true"
  }
}
