import ProviderKit

enum ErrorCode: Int, ErrorName {
  case internalError = 8000
  case malformed = 8001
  case unauthorized = 8002
  case stepNotAllowed = 8003
  case unknownTestUser = 8007
  case invalidCorrelationID = 8008
  case otherSolution = 8009
  case identityNotFound = 8011

  static var table: ErrorTable { ProveProvider.errorTable }

  /// The number of this error in older responses.
  var legacyNumber: Int {
    switch self {
    case .internalError: 1000
    case .malformed: 1001
    case .stepNotAllowed: 1003
    default: rawValue
    }
  }
}

/// An error in the provider's format. Source: contract 3.5.
struct APIError: ProviderError, Equatable {
  /// Nil for errors without a number.
  let code: ErrorCode?
  var status: Status
  let message: String
  /// In seconds.
  var retryAfter: Int?
  var why: String?
  private var generation = Settings.ErrorCodes.current

  init(_ code: ErrorCode, _ message: String? = nil, status: Status? = nil) {
    self.init(code: code, status: status ?? code.status, message: message ?? code.message)
  }

  private init(code: ErrorCode?, status: Status, message: String) {
    self.code = code
    self.status = status
    self.message = message
    // Until `because` names a better reason.
    if status == 400 { why = message }
  }

  var response: Response {
    let number = generation == .legacy ? code?.legacyNumber : code?.rawValue
    var response = Response.json(status) { json in
      if let number { json.member("code", number) }
      json.member("message", message)
    }
    if let retryAfter { response.headers.add("Retry-After", String(retryAfter)) }
    return response
  }

  /// The same error with the numbers of this generation.
  func numbered(by generation: Settings.ErrorCodes) -> APIError {
    var error = self
    error.generation = generation
    return error
  }

  static func missing(_ field: String) -> APIError { APIError(.malformed, "field '\(field)' is missing") }

  /// Without a field, the whole request is wrong.
  static func malformed(_ field: String?, expected: String) -> APIError {
    guard let field else { return APIError(.malformed, "malformed request: expected \(expected)") }
    return APIError(.malformed, "field '\(field)' is invalid: expected \(expected)")
  }

  static func bodyTooLarge(_ limit: Int) -> APIError {
    APIError(.malformed, "the body is too large: expected at most \(limit) bytes")
  }

  /// Wrong paths and methods. Source: contract 3.2.
  static let forbidden = APIError(code: nil, status: 403, message: "Forbidden")

  /// Source: contract 3.2.
  static func tooManyRequests(retryAfter seconds: Int) -> APIError {
    var error = APIError(.internalError, "too many requests", status: 429)
    error.retryAfter = seconds
    return error
  }

  /// The error of an injected fault: the provider's error of that code, or the general one of that status.
  static func injected(status: Status?, code: String?) -> APIError {
    let known = ErrorCode.allCases.first { String($0.rawValue) == code }
    if known == nil, status == 429 { return .tooManyRequests(retryAfter: 1) }
    let general = ErrorCode.allCases.first { $0.status == status } ?? .internalError
    return APIError(known ?? general, status: status)
  }
}
