import Domain
import HTTP
import ProviderKit

/// What comes of a creation on purpose: by a header, a rule of the seed, or the end of a fictional number.
/// Source: contract 16.1.
enum Outcome: String, CaseIterable {
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
  case failing = "err_internal"
  case flakyBefore = "flaky_before"
  case flakyAfter = "flaky_after"
  case undeliverable
  case deliveryUnknown = "delivery_unknown"
  case silentMismatch = "silent_mismatch"
  case silentCarrierDown = "silent_carrier_down"
  case silentCarrierHang = "silent_carrier_hang"
  case silentGarbage = "silent_garbage"
  case silentLoop = "silent_loop"

  /// What the end of a number says; nil outside the two ranges that are reserved for fiction.
  init?(endingOf number: PhoneNumber) {
    let digits = number.description.utf8.dropFirst()
    let isFrench = digits.starts(with: "3363998".utf8) && digits.count == 11
    let isAmerican =
      digits.first == UInt8(ascii: "1") && digits.count == 11
      && digits.dropFirst(4).starts(with: "55501".utf8)
    guard isFrench || isAmerican, let ending = Int(number.description.suffix(2)) else { return nil }
    self = ending < 10 ? (isFrench ? .silent : .success) : Self.endings[ending] ?? .success
  }

  /// What holds for a number where a request says nothing: a seed's rule for it, then its end.
  static func standing(for number: PhoneNumber, in sandbox: Sandbox) throws -> Outcome {
    try NumberRule.outcome(for: number, in: sandbox) ?? Outcome(endingOf: number) ?? .success
  }

  private static let endings: [Int: Outcome] = [
    10: .blockedSuspicious, 11: .blockedInBlockList, 12: .blockedInvalidPhoneLine,
    13: .blockedInvalidPhoneNumber, 14: .blockedRepeatedAttempts, 15: .blockedExpiredSignature,
    16: .blockedInvalidSignature, 17: .shadowBlocked, 18: .challenged, 20: .unsupportedCountry,
    21: .insufficientBalance, 22: .tooManyAttempts, 23: .failing, 24: .flakyBefore, 25: .flakyAfter,
    30: .undeliverable, 31: .deliveryUnknown, 40: .silentMismatch, 41: .silentCarrierDown,
    42: .silentCarrierHang, 43: .silentGarbage, 44: .silentLoop,
  ]

  /// Why nothing is sent, or would not be. Source: contract 3.4.
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

  /// What Watch finds suspicious about such a number. Source: contract 16.1.
  var predictedFactors: [String] {
    self == .shadowBlocked ? [] : blockReason.map(\.riskFactors) ?? []
  }

  /// The refusal that every request meets.
  var refusal: Problem? {
    switch self {
    case .unsupportedCountry: Problem(.unsupportedCountry, param: "target.value")
    case .insufficientBalance: Problem(.insufficientBalance)
    case .tooManyAttempts: Problem(.tooManyAttempts)
    case .failing: Problem(.internal)
    default: nil
    }
  }

  /// Whether the number is covered for silent verification.
  var isSilent: Bool { self == .silent || silentOutcome != nil || self == .silentGarbage }

  /// What is to come of a silent session; nil: as the carrier has it.
  var silentOutcome: SilentOutcome? {
    switch self {
    case .silentMismatch: .mismatch
    case .silentCarrierDown: .carrierError
    case .silentCarrierHang: .timeout
    case .silentLoop: .loop
    default: nil
    }
  }

  /// What is to come of the message, in the carrier's word; nil: as the carrier has it.
  var carrierWord: String? {
    switch self {
    case .undeliverable: "undeliverable"
    case .deliveryUnknown: "noReceipt"
    default: nil
    }
  }
}

/// Why a creation sends nothing. Source: contract 3.4.
enum BlockReason: String {
  case expiredSignature = "expired_signature"
  case inBlockList = "in_block_list"
  case invalidPhoneLine = "invalid_phone_line"
  case invalidPhoneNumber = "invalid_phone_number"
  case invalidSignature = "invalid_signature"
  case repeatedAttempts = "repeated_attempts"
  case suspicious

  /// Whether it is the fraud rules' verdict, which a number on the allow list is spared. Source: contract 6.1.
  var isOfFraudRules: Bool {
    switch self {
    case .suspicious, .repeatedAttempts, .expiredSignature, .invalidSignature: true
    case .inBlockList, .invalidPhoneLine, .invalidPhoneNumber: false
    }
  }

  /// What the fraud rules have found; the lists and the number's own faults are none of theirs.
  var riskFactors: [String] {
    switch self {
    case .suspicious: ["ip_reputation", "missing_signals"]
    case .repeatedAttempts: ["repeated_attempts"]
    case .expiredSignature: ["expired_signals"]
    case .invalidSignature: ["invalid_signature"]
    case .inBlockList: ["custom_policy"]
    case .invalidPhoneLine: ["carrier_not_permitted"]
    case .invalidPhoneNumber: ["temporary_phone_number"]
    }
  }

  /// The same in the words of before 2026. Source: contract 3.5.
  var formerRiskFactors: [String] {
    switch self {
    case .suspicious: ["suspicious_ip_address", "network_fingerprint"]
    case .repeatedAttempts: ["behavioral_pattern"]
    case .expiredSignature, .invalidSignature: ["suspected_request_tampering"]
    case .inBlockList: ["fraud_database"]
    case .invalidPhoneLine: ["prefix_concentration"]
    case .invalidPhoneNumber: ["temporary_phone_number"]
    }
  }
}

extension Call {
  /// Whether the request itself says what is to come of it.
  var hasOwnScenario: Bool { request.headers["X-Sandbox-Scenario"] != nil }

  /// What comes of a request about a number: the request's own header decides, then the seed's rule for the
  /// number, then its end. Source: contract 16.1.
  func outcome(of number: PhoneNumber?) throws -> Outcome {
    if let word = request.headers["X-Sandbox-Scenario"] {
      guard let outcome = Outcome(rawValue: word) else {
        let words = Outcome.allCases.map(\.rawValue).joined(separator: ", ")
        throw Problem.invalid("X-Sandbox-Scenario", expected: "one of \(words)")
      }
      return outcome
    }
    return try number.map { try Outcome.standing(for: $0, in: sandbox) } ?? .success
  }
}
