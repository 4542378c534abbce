import HTTP
import ProviderKit

/// The vendor's error codes. Source: contract 11.2. Most statuses and messages are the sandbox's choice.
enum ErrorCode: String, CaseIterable {
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

  var status: Status {
    switch self {
    case .missingAPIKey, .invalidAPIKey, .invalidBearerToken: 401
    case .suspendedAccount, .forbidden, .emailNotAllowed: 403
    case .templateNotFound, .notFound: 404
    case .tooManyAttempts, .tooManyChecks: 429
    case .internal: 500
    default: 400
    }
  }

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

  /// The vendor's text. Codes without a published text have the sandbox's own, or the code with spaces.
  /// Source: contract, additions; https://docs.prelude.so/introduction/errors
  var message: String {
    switch self {
    case .missingAPIKey:
      "You forgot to include your API key. Add it to the Authorization header using Bearer authentication, like this: "
        + "'Authorization: Bearer YOUR_SECRET_KEY'."
    case .invalidAPIKey:
      "The provided API key is invalid. You can get your API key from the Dashboard."
    case .invalidBearerToken: "The provided bearer token is invalid."
    case .suspendedAccount: "Your account has been suspended."
    case .insufficientBalance:
      "You do not have a sufficient balance to send this message. Top-up your account from the Dashboard."
    case .spendingLimitExceeded:
      "The spending limit for a time period has been exceeded. You can set the spending limits from your Dashboard."
    case .invalidRequest:
      "The request is invalid. Check your request against the API documentation and try again."
    case .invalidPhoneNumber:
      "The provided phone number is invalid. Provide a valid E.164 phone number."
    case .invalidLineType:
      "The provided phone number is not assigned to a mobile phone. Prelude only supports mobile phone numbers."
    case .unsupportedCountry:
      "Prelude does not support sending messages to the provided country yet. Contact support for more information."
    case .emailNotAllowed:
      "The email verification feature is not available to your account. Contact support for more information."
    case .invalidAppRealm: "Both platform and value are required for app realm."
    case .invalidAppRealmPlatform: #"AppRealm platform must be "android" or "web"."#
    case .invalidAppRealmValue:
      "The AppRealm value is invalid. Must be an 11 character base64 string for Android, or a valid origin domain for Web."
    case .invalidCallbackURL: "The provided callback URL is invalid."
    case .invalidCodeSize: "Code size must be between 4 and 8."
    case .customCodeNotAllowed:
      "The custom_code feature is not enabled on your account. Contact support for information."
    case .customSizeConflict: "Custom code and code size can't be set at the same time."
    case .invalidCustomCode: "The provided custom code is invalid."
    case .channelNotEnabled:
      "The channel you're trying to use is not activated in the region you're trying to deliver the message. "
        + "You can update the channels in the Dashboard from the route settings."
    case .invalidCorrelationID:
      "The provided correlation ID is invalid. Provide a string with a maximum length of 80 characters."
    case .invalidLocale:
      "The provided locale is invalid. Locales should be a BCP-47 formatted string."
    case .invalidSenderID: "The provided sender ID is invalid."
    case .invalidTemplateID:
      "The provided template ID is invalid. You can get your template ID from the Dashboard."
    case .templateNotFound: "The provided template ID was not found."
    case .templateNotRegistered:
      "The provided template is not registered in the requested country."
    case .invalidTemplateVariables:
      "The provided template variables are invalid. Provide a JSON object with the required variables."
    case .invalidDeviceID: "The provided device ID is invalid."
    case .invalidOSVersion: "The provided OS version is invalid."
    case .invalidDateFormat: "The date passed is not a valid RFC3339 date."
    case .expiresInPast: "The expires_at parameter is in the past. Provide a future date."
    case .expiresTooLate:
      "The expires_at parameter is too far in the future. Provide a date within the next day."
    case .emptyBatch: "The batch is empty. Provide at least one phone number."
    case .batchSizeExceeded: "The batch size is too large. The maximum batch size is 1000."
    case .categoryForbidden:
      "The message category is not allowed for marketing messages in the specified country."
    case .impossibleCode: "The provided code is impossible."
    case .invalidCustomerUUID:
      "The provided customer UUID is invalid. This error only occurs when using the Supabase integration."
    case .blocked:
      "The verification attempt was blocked. This error only occurs when using the Supabase integration."
    case .internal: "An internal error occurred. Please try again later."
    case .channelsConflict: "channels and preferred_channel exclude each other"
    case .tooManyAttempts: "the verification has reached its maximum of attempts"
    case .tooManyChecks: "the verification has reached its maximum of checks"
    case .windowExpired: "a reply has to come within 24 hours of the latest message from the number"
    case .invalidReplyContext: "there is no such inbound message"
    case .phoneNumberMismatch: "to has to be the number that wrote the inbound message"
    case .missingText: "text has to say something"
    default: rawValue.split(separator: "_").joined(separator: " ")
    }
  }
}
