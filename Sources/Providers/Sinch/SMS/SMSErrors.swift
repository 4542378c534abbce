import ProviderKit

/// The errors of SMS. Source: `senders.md` 7; those without a documented code have the sandbox's.
enum SMSErrorCode: String, ErrorName {
  case invalidJSON = "syntax_invalid_json"
  case invalidFormat = "syntax_invalid_parameter_format"
  case constraint = "syntax_constraint_violation"
  case unauthorized
  case missingCallbackURL = "missing_callback_url"
  case unknownGroup = "unknown_group"
  case unknownCampaign = "unknown_campaign"
  case alreadyDispatched = "batch_already_dispatched"
  case notFound = "not_found"
  case tooManyRequests = "too_many_requests"
  case internalError = "internal_error"
  case unavailable = "service_unavailable"

  static var table: ErrorTable { SinchProvider.errorTable }
  var format: String? { "sms" }

  /// The code for errors of which only the status is known.
  init(general status: Status) {
    switch status.code {
    case 401: self = .unauthorized
    case 403: self = .missingCallbackURL
    case 404: self = .notFound
    case 429: self = .tooManyRequests
    case 503: self = .unavailable
    case 500...: self = .internalError
    default: self = .constraint
    }
  }
}

struct SMSError: ProviderError, Equatable {
  let code: String
  let status: Status
  let text: String
  var why: String?
  private var headers: Headers = [:]

  init(_ code: SMSErrorCode, _ text: String? = nil) {
    self.init(code.rawValue, code.status, text ?? code.message)
  }

  private init(_ code: String, _ status: Status, _ text: String) {
    (self.code, self.status, self.text) = (code, status, text)
    // Until `because` names a better reason.
    if (400..<500).contains(status.code) { why = text }
  }

  /// The error of a request that no handler answers.
  init(_ failure: RequestFailure) {
    switch failure {
    case .unknownPath, .notEmulated: self.init(.notFound)
    case .wrongMethod(let allowed):
      self.init("method_not_allowed", 405, "Method not allowed.")
      headers.add("Allow", allowed.map(\.rawValue).joined(separator: ", "))
    case .malformed(let field, let expected):
      // Members of JSON have paths, parameters of a query do not.
      let isJSON = field?.hasPrefix("$") ?? true
      self.init(isJSON ? .invalidJSON : .constraint, "\(memberName(of: field)): expected \(expected)")
    case .fault(let status, let code):
      let known = code.flatMap(SMSErrorCode.init) ?? SMSErrorCode(general: status ?? 500)
      self.init(known.rawValue, status ?? known.status, known.message)
    case .rejected(let status, let why):
      self.init(SMSErrorCode(general: status).rawValue, status, why)
    case .internalError: self.init(.internalError)
    case .overload: self.init(.unavailable)
    }
  }

  /// 401 has no body; 404 has one, because some clients read it without a look. Source: `senders.md` 7.
  var response: Response {
    var response =
      status == 401
      ? Response(401)
      : Response.json(status) { json in
        json.member("code", code)
        json.member("text", text)
      }
    response.headers.append(headers)
    return response
  }

  /// With the reason, for an error that no handler throws.
  var explainedResponse: Response {
    var response = response
    response.why = why
    return response
  }

  /// The same error, after which official clients ask for a new token.
  var ofExpiredToken: SMSError {
    var error = self
    error.headers.add("WWW-Authenticate", #"Bearer error="invalid_token", error_description="Token expired""#)
    return error
  }

  /// 400 for a value of the wrong form.
  static func invalid(_ member: String, expected: String) -> SMSError {
    SMSError(.invalidFormat, "\(member): expected \(expected)")
  }

  /// 400 for a member that is missing, or out of range.
  static func constraint(_ member: String, expected: String) -> SMSError {
    SMSError(.constraint, "\(member): expected \(expected)")
  }
}

/// The errors of the token endpoint (RFC 6749, 5.2).
enum OAuthErrorCode: String, ErrorName {
  case invalidRequest = "invalid_request"
  case invalidClient = "invalid_client"
  case unsupportedGrantType = "unsupported_grant_type"

  static var table: ErrorTable { SinchProvider.errorTable }
  var format: String? { "oauth" }
}

struct OAuthError: ProviderError, Equatable {
  let code: OAuthErrorCode
  private let status: Status
  var why: String?
  private var headers: Headers = [:]

  init(_ code: OAuthErrorCode) { (self.code, status) = (code, code.status) }

  /// The error of a request that no handler answers.
  init(_ failure: RequestFailure) {
    code = .invalidRequest
    switch failure {
    case .unknownPath, .notEmulated: status = 404
    case .wrongMethod(let allowed):
      status = 405
      headers.add("Allow", allowed.map(\.rawValue).joined(separator: ", "))
    case .malformed(let field, let expected):
      status = 400
      why = "\(memberName(of: field)): expected \(expected)"
    case .fault(let status, _): self.status = status ?? 500
    case .rejected(let status, _): self.status = status
    case .internalError: status = 500
    case .overload: status = 503
    }
  }

  var response: Response {
    var response = Response.json(status) { json in
      json.member("error", code.rawValue)
      json.member("error_description", code.message)
    }
    response.headers.append(headers)
    return response
  }
}
