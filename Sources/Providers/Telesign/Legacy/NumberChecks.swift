import ProviderKit

// Checks of the number before a code is sent.

/// Detects call forwarding. Source: contract 7.2.
struct ForwardingCheck: Equatable {
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
struct SIMSwapCheck: Equatable {
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

/// Looks for a deactivation of the number: since the user was last active, it may have a new owner.
/// Source: `data/telesign-2022-sms-verify.swagger.yaml`, `num_deac_req` and the parameters after it.
struct DeactivationCheck {
  /// What to do with a message to a deactivated number.
  private enum Action: String, CaseIterable {
    /// Do not send it.
    case block
    /// Send it; the response has the deactivation.
    case flag
  }

  private let action: Action
  private let lastActivity: Timestamp?
  /// How long ago a deactivation may be; nil: any time.
  private let window: Duration?

  /// Nil if the request asks for no check.
  init?(_ form: LegacyForm, _ settings: Settings) throws {
    lastActivity = try Self.lastActivity(form)
    window = try Self.window(form)
    let word = form.text("number_deactivation_action")?.lowercased() ?? Action.block.rawValue
    guard let action = Action(rawValue: word) else {
      throw APIError.invalidParameter("number_deactivation_action", expected: "block or flag")
    }
    self.action = action
    guard Self.isRequested(by: form, settings) else { return nil }
  }

  /// Without `num_deac_req`, the account's features decide; its values other than `true` mean false.
  static func isRequested(by form: LegacyForm, _ settings: Settings) -> Bool {
    form.text("num_deac_req").map { $0 == "true" } ?? settings.verifyFeatures.contains(.numberDeactivation)
  }

  /// The status code if the message must not be sent. Source: contract 14.
  func blockingStatus(of line: LineInfo, _ context: RequestContext) -> Int? {
    let now = context.sandbox.clock.now
    guard action == .block, line.invalidReason == nil,
      !context.settings.disabledAddOns.contains(.numberDeactivation),
      let time = line.lastDeactivation(by: now), time > lastActivity ?? .earliest,
      window.map({ now - time <= $0 }) ?? true
    else { return nil }
    return 232
  }

  private static func lastActivity(_ form: LegacyForm) throws -> Timestamp? {
    try form.text("last_valid_activity_time").map { text in
      guard let time = Timestamp(rfc1123: text) else {
        throw APIError.invalidParameter("last_valid_activity_time", expected: "a date of RFC 1123")
      }
      return time
    }
  }

  /// The file calls 0 days the default, which would find nothing: here it means any time.
  private static func window(_ form: LegacyForm) throws -> Duration? {
    guard let text = form.text("deactivation_lookup_window") else { return nil }
    guard let days = Int(text), (0...36_500).contains(days) else {
      throw APIError.invalidParameter("deactivation_lookup_window", expected: "a number of days")
    }
    return days == 0 ? nil : .seconds(days * 86_400)
  }
}
