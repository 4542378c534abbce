import ProviderKit

/// Why nothing is sent for a verification. Source: contract 3.4.
enum BlockReason: String {
  case expiredSignature = "expired_signature"
  case inBlockList = "in_block_list"
  case invalidPhoneLine = "invalid_phone_line"
  case invalidPhoneNumber = "invalid_phone_number"
  case invalidSignature = "invalid_signature"
  case repeatedAttempts = "repeated_attempts"
  case suspicious

  /// True for results of the fraud rules, which do not apply to numbers on the allow list. Source: contract
  /// 6.1.
  var isFraudRule: Bool {
    switch self {
    case .suspicious, .repeatedAttempts, .expiredSignature, .invalidSignature: true
    case .inBlockList, .invalidPhoneLine, .invalidPhoneNumber: false
    }
  }

  /// For the journal: why nothing is sent, and what to change.
  var cause: String {
    switch self {
    case .inBlockList:
      "the account's block list has the number".advising("Take it off the list, or use another number.")
    case .invalidPhoneLine:
      "the number's line takes no messages".advising("Use the method voice, or the number of a mobile line.")
    case .invalidPhoneNumber:
      "the number belongs to nobody".advising("Use a number that is in use.")
    case .repeatedAttempts:
      "the number has had too many verifications within an hour (setting repeatedAttempts)".advising(
        "Wait an hour after the first one, or use another number.")
    case .expiredSignature:
      "the signals of dispatch_id are too old".advising("Collect signals again just before the start.")
    case .invalidSignature, .suspicious: "the fraud rules suspect the request"
    }
  }

  func riskFactors(_ names: Settings.RiskFactors = .newest) -> [String] {
    names == .newest ? newestRiskFactors : previousRiskFactors
  }

  private var newestRiskFactors: [String] {
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

  /// The names of the risk factors before 2026. Source: contract 3.5.
  private var previousRiskFactors: [String] {
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
