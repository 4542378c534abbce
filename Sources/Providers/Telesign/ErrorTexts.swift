import Domain
import HTTP
import ProviderKit

// The provider's error codes. Source: `data/telesign-codes.json`.

/// Braces in the text are placeholders.
typealias ErrorText = (status: Status, text: String)

/// Codes of the legacy format. -10001 is not here: it has several texts, see `APIError`.
let legacyErrors: [Int: ErrorText] = [
  -10002: (400, "Empty recipients list"),
  -10003: (400, "Max number of recipients exceeded"),
  -10004: (404, "Reference ID expired"),
  -10009: (401, "Invalid source IP address"),
  -10030: (402, "Insufficient funds in prepaid wallet."),
  -10033: (401, "Unverified phone_number requested for trial account."),
  -20001: (400, "Invalid request"),
  -20002: (401, "This product is not enabled for this Customer ID."),
  -20003: (401, "This feature is not enabled for this Customer ID."),
  -20004: (401, "This product is not enabled for this country."),
  -30000: (401, "Invalid Customer ID"),
  -30001: (401, "Customer ID Account Suspended."),
  -30002: (401, "Customer ID Account Not Activated."),
  -30003: (401, "Customer ID new account limit reached."),
  -30004: (401, "Missing required 'Authorization' header"),
  -30005: (401, "Required 'Authorization' header is not in the correct format"),
  -30006: (401, "Invalid Signature."),
  -30007: (401, "Missing required 'Date' or 'x-ts-date' header"),
  -30008: (401, "Invalid 'x-ts-auth-method' header."),
  -30009: (401, "'Date' or 'x-ts-date' header is not RFC822 compliant"),
  -30010: (401, "'Date' or 'x-ts-date' header is not within tolerable range"),
  -30011: (401, "'x-ts-nonce' header value is either too long or too short"),
  -30012: (401, "'x-ts-nonce' header value has been used recently"),
  -30013: (400, "Invalid ReferenceID for Verify Completion"),
  -30014: (400, "Invalid AutoVerify API finalize"),
  -30015: (401, "Invalid API Key"),
  -40001: (400, "Status unavailable"),
  -40002: (401, "Not authorized"),
  -40004: (404, "Resource not found"),
  -40005: (405, "Method not allowed"),
  -40006: (400, "Bad Request"),
  -40007: (429, "Rate limit exceeded"),
  -40008: (429, "Verify SMS exceeded transaction hard cap. Request denied."),
  -40009: (400, "Phone number not supported"),
  -40022: (400, "App Verify API not supported"),
  -40024: (400, "Message blocked by customer request"),
  -40025: (400, "Message blocked by Telesign"),
  -50001: (400, "Max retries limit reached"),
  -50057: (400, "Invalid verification code"),
  -50058: (400, "Application is not registered for push notification"),
  -50059: (400, "Status not available"),
  -60001: (200, "Phone ID Contact data not found"),
  -60002: (200, "Mobile 2FA registration warning"),
  -90001: (500, "System Unavailable, please try again later."),
]

/// Codes of the omnichannel format; their texts are in `statusTexts`. Source: contract 4.9 and 9.2.
let omnichannelErrors = statusTexts.keys.filter { code in
  [3071, 3073, 3500, 3906, 3908, 3931, 3933, 3935].contains(code) || (3100..<3500).contains(code)
}

/// Codes of the flat format. The negative one is PhoneID's. Source: contract 10.4.
let flatErrors: [Int: ErrorText] = [
  -10000: (503, "System Unavailable, please try again later."),
  10000: (500, "System Unavailable, Please try again later."),
  10002: (401, "'x-ts-nonce' header value has been used recently"),
  10003: (401, "'x-ts-nonce' header value is either too long or too short"),
  10004: (401, "'Date' or 'x-ts-date' header is not within tolerable range"),
  10005: (401, "'Date' or 'x-ts-date' header is not RFC822 compliant"),
  10006: (401, "Invalid 'x-ts-auth-method' header."),
  10007: (401, "Missing required 'Date' or 'x-ts-date' header"),
  10008: (401, "Invalid Signature."),
  10009: (401, "Missing required `Authorization` header"),
  10010: (401, "CustomerID Account Suspended"),
  10011: (401, "This product is not enabled for this CustomerID."),
  10012: (401, "This feature is not enabled for this CustomerID"),
  10013: (401, "Invalid Request. CustomerID Account Not Found"),
  10014: (401, "Invalid source IP address."),
  10015: (401, "Invalid Customer ID."),
  10017: (404, "Customer ID / Reference ID not found"),
  10019: (429, "Rate Limit Exceeded"),
  10020: (429, "Generic messaging exceeded transaction hard cap. Request denied."),
  10022: (401, "Invalid API Key."),
  10028: (401, "Required 'Authorization' header is not in the correct format"),
  10030: (402, "Insufficient funds in prepaid wallet."),
  10031: (401, "Not Allowed Host"),
  10032: (401, "Message blocked by TeleSign"),
  10033: (401, "{phone_number} has not been verified for this trial account."),
  10034: (401, "Call with declared type blocked in country requested"),
  10035: (401, "The requested API host is not allowed for this CustomerID."),
  10036: (404, "Reference ID expired"),
  10041: (401, "Blocked due to legal compliance"),
  11000: (400, "Invalid value for parameter phone_number."),
  11001: (400, "Invalid country code for parameter phone_number."),
  11002: (400, "Invalid value for parameter account_id"),
  11003: (400, "Invalid value for parameter account_lifecycle_event"),
  11004: (400, "Invalid value for parameter callback_url"),
  11005: (400, "Invalid value for parameter customer_id"),
  11006: (400, "Invalid value for parameter device_id"),
  11007: (400, "Invalid value for email_address"),
  11009: (400, "Invalid value for parameter message."),
  11010: (400, "Invalid value for parameter originating_ip."),
  11011: (400, "Invalid value for parameter reference_id"),
  11013: (400, "Invalid value for parameter sender_id."),
  11016: (400, "Invalid value for parameter external_id"),
  11017: (400, "Invalid value for parameter message_type."),
  11018: (400, "Invalid value for parameter voice"),
  11027: (400, "Invalid value for parameter integration_name."),
  11034: (400, "Invalid value for parameter dlt_template_id"),
  11035: (400, "Invalid value for parameter dlt_entity_id"),
  12000: (400, "Missing Required Parameter phone_number"),
  12003: (400, "Missing required parameter account_lifecycle_event"),
  12009: (400, "Missing Required Parameter message"),
  12017: (400, "Missing Required Parameter message_type"),
]

/// Codes of Silent Verify. Source: contract 6.
let silentErrors: [Int: ErrorText] = [
  10000: (503, "System unavailable, please try again later."),
  10004: (400, "Bad request"),
  10011: (404, "Invalid value for parameter reference_id"),
  10019: (429, "Rate Limit Exceeded"),
  10039: (500, "Internal server error"),
  11000: (400, "Invalid value for parameter phone_number"),
  40001: (408, "Request timeout"),
  40002: (401, "Not authorized"),
  40003: (400, "No end client data found on records"),
  40004: (400, "The required parameter 'verification' is missing from the request"),
  40010: (400, "Not in coverage. The phone number being verified is not within the provider's network."),
  45005: (503, "Error on gateway - temporary error"),
  45006: (503, "Error on gateway - permanent error"),
  45010: (500, "Provider not available to route the request"),
]

extension APIError {
  /// The codes of each format. -10001 has several texts; this is the most general.
  static var rows: [ErrorRow] {
    [ErrorRow("-10001", 400, invalidParameter("", expected: "").description, in: ErrorFormat.legacy.rawValue)]
      + rows(of: legacyErrors.keys, in: .legacy) + rows(of: flatErrors.keys, in: .flat)
      + rows(of: omnichannelErrors, in: .omnichannel) + rows(of: silentErrors.keys, in: .silent)
  }

  private static func rows(of codes: some Sequence<Int>, in format: ErrorFormat) -> [ErrorRow] {
    codes.sorted(by: { (abs($0), $0) < (abs($1), $1) }).map { code in
      let error = APIError(code, in: format)
      return ErrorRow(String(code), error.status.code, error.description, in: format.rawValue)
    }
  }
}
