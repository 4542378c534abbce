import ProviderKit

/// An error in the provider's format: `{"error":"wrong_code"}`.
struct APIError: ProviderError {
  enum Code: String, ErrorName {
    case invalidRequest = "invalid_request"
    case invalidNumber = "invalid_number"
    case unauthorized
    case notFound = "not_found"
    case wrongCode = "wrong_code"
    case tooManyAttempts = "too_many_attempts"
    case internalError = "internal"

    static var table: ErrorTable { DemoProvider.errorTable }
  }

  let status: Status
  let code: Code
  var why: String?

  init(_ status: Status, _ code: Code) {
    self.status = status
    self.code = code
  }

  var response: Response { .json(status, Array(#"{"error":"\#(code.rawValue)"}"#.utf8)) }
}
