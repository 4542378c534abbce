import ProviderKit

/// The errors with a problem document.
enum ErrorCode: String, ErrorName {
  case invalidCode = "invalid-code"
  case unauthorized
  case jwtExpired = "jwt-expired"
  case lowBalance = "low-balance"
  case forbidden
  case notFound = "not-found"
  case requestNotFound = "request-not-found"
  case templateNotFound = "template-not-found"
  case fragmentNotFound = "template-fragment-not-found"
  case networkNotFound = "network-not-found"
  case methodNotAllowed = "method-not-allowed"
  case concurrent
  case conflict
  case noEvents = "no-events"
  case noCode = "no-code"
  case templateExists = "template-exists"
  case fragmentExists = "fragment-exists"
  case notEmptyTemplate = "not-empty-template"
  case maxTemplates = "max-templates"
  case expired
  case preconditionFailed = "precondition-failed"
  case networkError = "network-error"
  case msisdnError = "msisdn-error"
  case contentType = "content-type-header"
  case invalidJSON = "invalid-json"
  case invalidParams = "invalid-params"
  case validation
  case throttled
  case rateLimit = "rate-limit"
  case internalError = "internal-error"
  case unavailable

  static var table: ErrorTable { VonageProvider.errorTable }
  var format: String? { "problem" }

  static func requestNotFound(_ id: String) -> String {
    Placeholders.braces.fill(ErrorCode.requestNotFound.message) { _ in id }
  }

  /// True if the error is one of Verify; others are common to the provider's APIs.
  var isOfVerify: Bool {
    switch self {
    case .unauthorized, .jwtExpired, .lowBalance, .notFound, .networkNotFound, .methodNotAllowed,
      .contentType, .invalidJSON, .invalidParams, .validation, .throttled, .rateLimit, .internalError,
      .unavailable:
      false
    default: true
    }
  }

  static func general(for status: Status) -> ErrorCode {
    switch status.code {
    case 401: .unauthorized
    case 402: .lowBalance
    case 403: .forbidden
    case 404: .notFound
    case 405: .methodNotAllowed
    case 409: .conflict
    case 410: .expired
    case 412: .preconditionFailed
    case 415: .contentType
    case 429: .throttled
    case 503: .unavailable
    case ..<500: .invalidParams
    default: .internalError
    }
  }
}
