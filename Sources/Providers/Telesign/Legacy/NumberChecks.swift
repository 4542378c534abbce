import Domain
import JSON
import ProviderKit

// Checks of the number before a code is sent, and facts about it in the response.

/// Detects call forwarding. Source: contract 7.2.
struct ForwardingCheck {
  /// What to do with a call to a forwarded number.
  enum Action: String {
    /// Do not call.
    case block = "BLOCK"
    /// Call, and report it in the response.
    case flag = "FLAG"
  }

  enum Result: String {
    case forwarded = "FORWARDED"
    case notForwarded = "NOT_FORWARDED"
    case unsupported = "UNSUPPORTED"
    case unavailable = "UNAVAILABLE"
  }

  private let action: Action
  private let result: Result

  /// The carrier forwards mobile and fixed lines only, and has no data about numbers out of service.
  init(_ action: Action, of subscriber: Subscriber, at now: Timestamp) {
    self.action = action
    if subscriber.isDeactivated(at: now) {
      result = .unavailable
    } else if subscriber.lineType != .mobile && subscriber.lineType != .landline {
      result = .unsupported
    } else {
      result = subscriber.forwarding.isEmpty ? .notForwarded : .forwarded
    }
  }

  /// Reads what `encode` wrote.
  init(_ fields: Fields) throws {
    action = Action(rawValue: try fields.string("action")) ?? .flag
    result = Result(rawValue: try fields.string("finding")) ?? .unavailable
  }

  /// True if the call must not be made.
  var blocks: Bool { action == .block && result == .forwarded }

  /// Writes the stored form.
  func encode(to json: inout JSONWriter) {
    json.member("action", action.rawValue)
    json.member("finding", result.rawValue)
  }

  /// Writes the members of `call_forwarding`.
  func write(to json: inout JSONWriter) {
    json.member("action", action.rawValue)
    json.member("call_forward", result.rawValue)
  }
}

/// Detects a recent change of the SIM card. Source: contract 7.1 and 10.3.
struct SIMSwapCheck {
  /// Nil: never, as far as the carrier knows.
  let swappedAt: Timestamp?
  /// From 1, harmless, to 4; nil if the carrier has no data.
  let risk: Int?

  init(of line: LineInfo, at now: Timestamp) {
    guard !line.subscriber.isDeactivated(at: now) else {
      (swappedAt, risk) = (nil, nil)
      return
    }
    let swap = line.lastSwap(by: now)
    (swappedAt, risk) = (swap, Self.risk(ofAge: swap.map { now - $0 }))
  }

  /// Reads what `encode` wrote.
  init(_ fields: Fields) throws {
    swappedAt = try fields.optionalInt("swappedAt").map { Timestamp(milliseconds: Int64($0)) }
    risk = try fields.optionalInt("risk")
  }

  /// The status code if the message must not be sent; nil if it may. Source: contract 14.
  var blockingStatus: Int? {
    switch risk {
    case nil: 519
    case 4: 518
    default: nil
    }
  }

  /// Writes the stored form.
  func encode(to json: inout JSONWriter) {
    json.member("swappedAt", swappedAt?.milliseconds)
    json.member("risk", risk)
  }

  /// Writes the members of `sim_swap`. Source: contract 10.3.
  func write(to json: inout JSONWriter) {
    result.write(to: &json, AddOn.simSwap.rawValue)
  }

  /// The result of the PhoneID add-on. Source: contract 10.3.
  var result: AddOnResult {
    guard let risk else { return .failed(2805) }
    let time = swappedAt?.iso8601
    return .found([
      .init("swap_date", time.map { String($0.prefix(10)) }),
      .init("swap_time", time.map { String($0.dropFirst(11).prefix(8)) }),
      .init("risk_indicator", risk),
    ])
  }

  /// Less than a day: 4; a week: 3; a month: 2. The contract has the range, but not the limits.
  /// Source: contract 10.3.
  private static func risk(ofAge age: Duration?) -> Int {
    guard let age else { return 1 }
    if age < .seconds(86_400) { return 4 }
    if age < .seconds(7 * 86_400) { return 3 }
    return age < .seconds(30 * 86_400) ? 2 : 1
  }
}

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
    let isRequested = try features.contains(.numberDeactivation) && context.requestsDeactivation(found.kind)
    let request = AddOnRequest(name: AddOn.numberDeactivation.rawValue, fields: try Fields(.object([])))
    deactivation = try isRequested ? request.result(for: line, context) : nil
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

extension RequestContext {
  /// True for messages unless `num_deac_req` is anything but `true`.
  /// Source: `data/telesign-2022-sms-verify.swagger.yaml`, `num_deac_req`.
  fileprivate func requestsDeactivation(_ kind: ReferenceKind) throws -> Bool {
    try kind == .smsVerification && field("num_deac_req") ?? "true" == "true"
  }
}
