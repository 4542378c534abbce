import ProviderKit

enum ErrorCode: Int, ErrorName {
  case validation = 40001
  case missingParameter = 40002
  case invalidValue = 40003
  case noPlus = 40005
  case invalidAuthorization = 40100
  case timestamp = 40101
  case signature = 40102
  case authorizationRequired = 40104
  case unknownApplication = 40107
  case credit = 40200
  case forbidden = 40300
  case noCallbackURL = 40303
  case notFound = 40400
  case referenceInUse = 40900
  case notConfigured = 42200
  case noRoute = 42201
  case capacity = 42900
  case velocity = 42901
  case internalError = 50000
  case unavailable = 50300
  case configuration = 50301

  static var table: ErrorTable { SinchProvider.errorTable }

  /// The code for errors of which only the status is known.
  init(general status: Status) {
    switch status.code {
    case 401: self = .invalidAuthorization
    case 402: self = .credit
    case 403: self = .forbidden
    case 404: self = .notFound
    case 409: self = .referenceInUse
    case 422: self = .notConfigured
    case 429: self = .capacity
    case 503: self = .unavailable
    case 500...: self = .internalError
    default: self = .validation
    }
  }
}

/// An error in the provider's format. Source: contract 2.
struct APIError: ProviderError, Equatable {
  let errorCode: Int
  let status: Status
  let message: String
  var why: String?
  private var requestID = ""
  private var headers: Headers = [:]

  init(_ code: ErrorCode, _ message: String? = nil) {
    self.init(code.rawValue, code.status, message ?? code.message)
  }

  private init(_ errorCode: Int, _ status: Status, _ message: String) {
    (self.errorCode, self.status, self.message) = (errorCode, status, message)
    // Until `because` names a better reason.
    if status == 400 || status == 401 { why = message }
  }

  /// The error of a request that no handler answers.
  init(_ failure: RequestFailure) {
    switch failure {
    case .unknownPath, .notEmulated: self.init(.notFound)
    case .wrongMethod(let allowed):
      let methods = allowed.map(\.rawValue).joined(separator: ", ")
      self.init(40500, 405, "Method not allowed.")
      headers.add("Allow", methods)
    case .malformed(let field, let expected):
      self.init(.validation, "\(memberName(of: field)): expected \(expected)")
    case .fault(let status, let code):
      let known = code.flatMap { Int($0) }.flatMap(ErrorCode.init) ?? ErrorCode(general: status ?? 500)
      self.init(known.rawValue, status ?? known.status, known.message)
    case .rejected(let status, let why): self.init(status.code * 100, status, why)
    case .internalError: self.init(.internalError)
    case .overload: self.init(.unavailable)
    }
  }

  var response: Response {
    var response = Response.json(status) { json in
      json.member("errorCode", errorCode)
      json.member("message", message)
      json.member("reference", requestID)
      json.member("status", "\(status.code) \(status.reason)")
    }
    response.headers.append(headers)
    return response
  }

  mutating func stamp(at time: Timestamp, requestID: String) {
    self.requestID = requestID
  }

  /// 400 for a member that is out of range or of the wrong form.
  static func invalid(_ member: String, expected: String) -> APIError {
    APIError(.validation, "\(member): expected \(expected)")
  }

  static func missing(_ member: String) -> APIError {
    APIError(.missingParameter, "\(member): missing")
  }
}
