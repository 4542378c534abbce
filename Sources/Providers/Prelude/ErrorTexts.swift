import ProviderKit

enum ErrorCode: String, ErrorName {
  case missingAPIKey = "missing_api_key"
  case invalidAPIKey = "invalid_api_key"
  case invalidBearerToken = "invalid_bearer_token"
  case suspendedAccount = "suspended_account"
  case forbidden
  case insufficientBalance = "insufficient_balance"
  case spendingLimitExceeded = "spending_limit_exceeded"
  case invalidRequest = "invalid_request"
  case invalidPhoneNumber = "invalid_phone_number"
  case invalidLineType = "invalid_line_type"
  case unsupportedCountry = "unsupported_country"
  case regionBlocked = "region_blocked_by_customer"
  case emailNotAllowed = "email_verification_not_allowed"
  case invalidAppRealm = "invalid_app_realm"
  case invalidAppRealmPlatform = "invalid_app_realm_platform"
  case invalidAppRealmValue = "invalid_app_realm_value"
  case invalidCallbackURL = "invalid_callback_url"
  case invalidCodeSize = "invalid_code_size"
  case customCodeNotAllowed = "custom_code_not_allowed"
  case customSizeConflict = "custom_size_conflict"
  case invalidCustomCode = "invalid_custom_code"
  case channelsConflict = "channels_conflict"
  case channelNotEnabled = "channel_not_enabled_in_region"
  case invalidCorrelationID = "invalid_correlation_id"
  case invalidLocale = "invalid_locale"
  case invalidSenderID = "invalid_sender_id"
  case invalidTemplateID = "invalid_template_id"
  case templateNotFound = "template_not_found"
  case templateNotRegistered = "template_not_registered_in_country"
  case invalidTemplateVariables = "invalid_template_variables"
  case invalidAppVersion = "invalid_app_version"
  case invalidDeviceID = "invalid_device_id"
  case invalidDeviceModel = "invalid_device_model"
  case invalidDevicePlatform = "invalid_device_platform"
  case invalidIP = "invalid_ip"
  case invalidFingerprint = "invalid_ja4_fingerprint"
  case invalidOSVersion = "invalid_os_version"
  case invalidUserAgent = "invalid_user_agent"
  case invalidDateFormat = "invalid_date_format"
  case expiresInPast = "expires_at_in_past"
  case expiresTooLate = "expires_at_too_far_in_future"
  case emptyBatch = "empty_batch"
  case batchSizeExceeded = "batch_size_exceeded"
  case categoryForbidden = "category_forbidden"
  case unsubscribed
  case windowExpired = "window_expired"
  case invalidReplyContext = "invalid_reply_context"
  case phoneNumberMismatch = "phone_number_mismatch"
  case missingText = "missing_text"
  case tooManyAttempts = "too_many_attempts"
  case tooManyChecks = "too_many_checks"
  case impossibleCode = "impossible_code"
  case invalidIntegration = "invalid_integration"
  case invalidCustomerUUID = "invalid_customer_uuid"
  case blocked
  case notFound = "not_found"
  case `internal`

  static var table: ErrorTable { PreludeProvider.errorTable }

  /// The code for errors of which only the status is known.
  static func general(for status: Status) -> ErrorCode {
    switch status.code {
    case 401: .invalidAPIKey
    case 403: .forbidden
    case 404: .notFound
    case 429: .tooManyAttempts
    case 500...: .internal
    default: .invalidRequest
    }
  }
}
