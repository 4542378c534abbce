import ProviderKit

/// What should happen to a request. The header `X-Sandbox-Scenario` chooses it, or a seed's rule for the
/// number, or the last two digits of a fictional number without a subscriber's record. Source: contract 16.1.
enum TestScenario: String, CaseIterable, Sendable {
  case success
  case silent
  case blockedSuspicious = "blocked_suspicious"
  case blockedInBlockList = "blocked_in_block_list"
  case blockedInvalidPhoneLine = "blocked_invalid_phone_line"
  case blockedInvalidPhoneNumber = "blocked_invalid_phone_number"
  case blockedRepeatedAttempts = "blocked_repeated_attempts"
  case blockedExpiredSignature = "blocked_expired_signature"
  case blockedInvalidSignature = "blocked_invalid_signature"
  case shadowBlocked = "shadow_blocked"
  case challenged
  case unsupportedCountry = "err_unsupported_country"
  case insufficientBalance = "err_insufficient_balance"
  case tooManyAttempts = "err_too_many_attempts"
  case internalError = "err_internal"
  /// Two requests fail before anything is done, the third succeeds.
  case flakyBefore = "flaky_before"
  /// The verification starts, but the first response is an error.
  case flakyAfter = "flaky_after"
  case undeliverable
  case deliveryUnknown = "delivery_unknown"
  case silentMismatch = "silent_mismatch"
  case silentCarrierDown = "silent_carrier_down"
  case silentCarrierHang = "silent_carrier_hang"
  case silentGarbage = "silent_garbage"
  case silentLoop = "silent_loop"

  /// The scenario of a number's last two digits; nil outside of the two ranges that are reserved for fiction.
  init?(lastDigitsOf number: PhoneNumber) {
    let digits = number.description.utf8.dropFirst()
    let isFrench = digits.starts(with: "3363998".utf8) && digits.count == 11
    let isAmerican =
      digits.first == UInt8(ascii: "1") && digits.count == 11
      && digits.dropFirst(4).starts(with: "55501".utf8)
    guard isFrench || isAmerican, let ending = Int(number.description.suffix(2)) else { return nil }
    self = ending < 10 ? (isFrench ? .silent : .success) : Self.byLastDigits[ending] ?? .success
  }

  /// True if the header of a request chooses the scenario.
  static func isChosen(by request: Request) -> Bool { request.headers["X-Sandbox-Scenario"] != nil }

  /// True if the header or a seed's rule chooses the scenario of a request about a number.
  static func isExplicit(
    in request: Request, about number: PhoneNumber, _ sandbox: Sandbox
  ) throws -> Bool {
    try isChosen(by: request) || NumberScenario.find(number, in: sandbox) != nil
  }

  /// The scenario of a request about a number: from the header, the seed's rule, or the last digits.
  init(of request: Request, about number: PhoneNumber?, in sandbox: Sandbox) throws {
    guard let word = request.headers["X-Sandbox-Scenario"] else {
      self = try number.map { try Self.configured(for: $0, in: sandbox) } ?? .success
      return
    }
    guard let scenario = TestScenario(rawValue: word) else {
      throw APIError.invalid("X-Sandbox-Scenario", expected: "one of \(TestScenario.words)")
    }
    self = scenario
  }

  /// The scenario of a number if the request has none: the seed's rule, or without a subscriber's record that
  /// of the last digits.
  static func configured(for number: PhoneNumber, in sandbox: Sandbox) throws -> TestScenario {
    if let rule = try NumberScenario.find(number, in: sandbox) { return rule }
    guard let ending = TestScenario(lastDigitsOf: number), ending != .success,
      try sandbox.subscribers.recorded(number) == nil
    else { return .success }
    return ending
  }

  /// The carrier itself loses messages to the endings 30 and 31.
  private static let byLastDigits: [Int: TestScenario] = [
    10: .blockedSuspicious, 11: .blockedInBlockList, 12: .blockedInvalidPhoneLine,
    13: .blockedInvalidPhoneNumber, 14: .blockedRepeatedAttempts, 15: .blockedExpiredSignature,
    16: .blockedInvalidSignature, 17: .shadowBlocked, 18: .challenged, 20: .unsupportedCountry,
    21: .insufficientBalance, 22: .tooManyAttempts, 23: .internalError, 24: .flakyBefore, 25: .flakyAfter,
    40: .silentMismatch, 41: .silentCarrierDown, 42: .silentCarrierHang, 43: .silentGarbage, 44: .silentLoop,
  ]

  /// Why a verification is blocked, or shadow blocked. Source: contract 3.4.
  var blockReason: BlockReason? {
    switch self {
    case .blockedSuspicious, .shadowBlocked: .suspicious
    case .blockedInBlockList: .inBlockList
    case .blockedInvalidPhoneLine: .invalidPhoneLine
    case .blockedInvalidPhoneNumber: .invalidPhoneNumber
    case .blockedRepeatedAttempts: .repeatedAttempts
    case .blockedExpiredSignature: .expiredSignature
    case .blockedInvalidSignature: .invalidSignature
    default: nil
    }
  }

  /// The risk factors that Watch predicts for such a number. Source: contract 16.1.
  func predictedFactors(_ names: Settings.RiskFactors) -> [String] {
    self == .shadowBlocked ? [] : blockReason?.riskFactors(names) ?? []
  }

  /// The error that every creation of a verification gets.
  var error: APIError? {
    switch self {
    case .unsupportedCountry: APIError(.unsupportedCountry, param: "target.value")
    case .insufficientBalance: APIError(.insufficientBalance)
    case .tooManyAttempts: APIError(.tooManyAttempts)
    case .internalError: APIError(.internal)
    default: nil
    }
  }

  /// True if the number's operator supports silent verification.
  var supportsSilent: Bool { self == .silent || silentOutcome != nil || self == .silentGarbage }

  /// The outcome of a silent session that a header or a seed's rule asks for; nil: the carrier decides.
  var silentOutcome: SilentOutcome? {
    switch self {
    case .silentMismatch: .mismatch
    case .silentCarrierDown: .carrierError
    case .silentCarrierHang: .timeout
    case .silentLoop: .loop
    default: nil
    }
  }

  /// The carrier's scenario for the message; nil: the carrier decides.
  var carrierScenario: Scenario? {
    switch self {
    case .undeliverable: Scenario(requested: "undeliverable")
    case .deliveryUnknown: Scenario(requested: "noReceipt")
    default: nil
    }
  }
}

/// A seed's rule: the scenario of one number. Source: contract 16.1.
struct NumberScenario: StoredRecord {
  var number = ""
  var scenario = TestScenario.success

  static let schema = Schema<NumberScenario>(
    nil, "A rule for one number.",
    [
      .required("number", \.number, .e164, "E.164: + and 7 to 15 digits, the first not zero."),
      .required("outcome", \.scenario, .word, "The scenario, as in the header X-Sandbox-Scenario."),
    ])

  static func find(_ number: PhoneNumber, in sandbox: Sandbox) throws -> TestScenario? {
    try table.find(number.description, in: sandbox)?.scenario
  }

  var key: String { number }
  static let table = RecordTable("number", of: PreludeProvider.name, schema) { NumberScenario() }
}
