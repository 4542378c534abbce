import ProviderKit

/// The six words for the state of a verification. Source: contract 6.
enum VerificationStatus: String, CaseIterable {
  case pending = "PENDING"
  case successful = "SUCCESSFUL"
  case fail = "FAIL"
  case denied = "DENIED"
  case aborted = "ABORTED"
  case error = "ERROR"
}

/// Why a verification has ended. Source: contract 6.
enum Reason: String, CaseIterable {
  case fraud = "Fraud"
  case notEnoughCredit = "Not enough credit"
  case blocked = "Blocked"
  case deniedByCallback = "Denied by callback"
  case invalidCallback = "Invalid callback"
  case destinationDenied = "Destination denied"
  case internalError = "Internal error"
  case networkError = "Network error or number unreachable"
  case failedPending = "Failed pending"
  case deliveryFailure = "SMS delivery failure"
  case invalidCLI = "Invalid CLI"
  case invalidCode = "Invalid code"
  case expired = "Expired"
  case hungUp = "Hung up without entering valid code"

  var status: VerificationStatus {
    switch self {
    case .fraud, .notEnoughCredit, .blocked, .deniedByCallback, .invalidCallback, .destinationDenied: .denied
    case .internalError, .networkError: .error
    case .failedPending, .deliveryFailure, .invalidCLI, .invalidCode, .expired, .hungUp: .fail
    }
  }

  /// For the journal: why, and what to change.
  var cause: String {
    switch self {
    case .blocked: "the setting blocked has the number"
    case .fraud: "the setting fraud has the number"
    case .destinationDenied: "the setting countries does not have the number's country"
    case .notEnoughCredit: "the setting credit does not suffice"
    case .deniedByCallback:
      "the receiver of the callback has denied the verification".advising("Let it answer with action allow.")
    default: "the verification has ended: \(rawValue)".advising("Start a new verification.")
    }
  }

  /// The core's state for it: where no way is left to verify the number, it is `expired`.
  var state: Verification.State {
    switch self {
    case .invalidCLI, .invalidCode: .exhausted
    case .hungUp: .denied
    default: status == .denied ? .denied : .expired
    }
  }
}
