import Domain
import HTTP
import ProviderKit

/// The errors with a problem document. Source: contract 2 and 10.
enum ErrorCode: String, CaseIterable {
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

  static var rows: [ErrorRow] {
    allCases.map { ErrorRow($0.rawValue, $0.status.code, $0.detail, in: "problem") }
  }

  var status: Status {
    switch self {
    case .invalidCode, .invalidJSON: 400
    case .unauthorized, .jwtExpired: 401
    case .lowBalance: 402
    case .forbidden: 403
    case .notFound, .requestNotFound, .templateNotFound, .fragmentNotFound, .networkNotFound: 404
    case .methodNotAllowed: 405
    case .concurrent, .conflict, .noEvents, .noCode, .templateExists, .fragmentExists, .notEmptyTemplate,
      .maxTemplates:
      409
    case .expired: 410
    case .preconditionFailed, .networkError, .msisdnError: 412
    case .contentType: 415
    case .invalidParams, .validation: 422
    case .throttled, .rateLimit: 429
    case .internalError: 500
    case .unavailable: 503
    }
  }

  var title: String {
    switch self {
    case .invalidCode, .expired: "Invalid Code"
    case .unauthorized: "Unauthorized"
    case .jwtExpired: "You did not provide correct credentials."
    case .lowBalance: "Low balance"
    case .forbidden: "Forbidden"
    case .notFound, .requestNotFound, .templateNotFound, .fragmentNotFound, .networkNotFound: "Not Found"
    case .methodNotAllowed: "Method Not Allowed"
    case .concurrent, .conflict, .noEvents, .noCode, .templateExists, .fragmentExists, .notEmptyTemplate,
      .maxTemplates:
      "Conflict"
    case .preconditionFailed, .networkError, .msisdnError: "Silent authentication failed"
    case .contentType: "Unsupported Media Type"
    case .invalidJSON: "Malformed JSON"
    case .invalidParams: "Invalid params"
    case .validation: "Validation error"
    case .throttled, .rateLimit: "Rate Limit Hit"
    case .internalError: "Internal error"
    case .unavailable: "Service Unavailable"
    }
  }

  var detail: String {
    switch self {
    case .invalidCode: "The code you provided does not match the expected value."
    case .unauthorized: "You did not provide correct credentials"
    case .jwtExpired: "The JWT provided has expired."
    case .lowBalance: "This request could not be performed due to your account balance being low."
    case .forbidden: "Templates management is not enabled for your account"
    case .notFound: "The resource was not found."
    case .requestNotFound: Self.requestNotFound("{request_id}")
    case .templateNotFound: "Template was not found."
    case .fragmentNotFound: "Template Fragment was not found."
    case .networkNotFound: "The network you provided does not have an active block."
    case .methodNotAllowed: "The method is not allowed for this path."
    case .concurrent: "Concurrent verifications to the same number are not allowed."
    case .conflict: "The operation cannot be performed at this time. Please try again later."
    case .noEvents: "There are no more events left to trigger."
    case .noCode: "The current Verify workflow step does not support a code."
    case .templateExists: "A template with this name already exists"
    case .fragmentExists: "A template fragment for this channel and locale already exists"
    case .notEmptyTemplate:
      "The template is not empty and cannot be deleted. Please delete its fragments first"
    case .maxTemplates: "An account can only have a maximum of 10 custom templates"
    case .expired:
      "An incorrect code has been provided too many times. Workflow terminated."
    case .preconditionFailed: "The silent auth verification cannot be completed."
    case .networkError: "IP Address does not resolve to a cellular device."
    case .msisdnError: "Device MSISDN does not match."
    case .contentType: "The Content-Type header must be application/json."
    case .invalidJSON: "Malformed JSON payload"
    case .invalidParams: "The value of one or more parameters is invalid."
    case .validation: "One or more parameters are invalid."
    case .throttled, .rateLimit: "Please wait, then retry your request"
    case .internalError: "There was an error processing your request in the Platform."
    case .unavailable: "The service is unavailable. Please try again later."
    }
  }

  static func requestNotFound(_ id: String) -> String {
    "Request \(id) was not found or it has been verified already."
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

  /// The general error of a status.
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
