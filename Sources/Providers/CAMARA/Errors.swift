import ProviderKit

/// Errors of the APIs. Source: contract 2.3.
enum ErrorCode: String, ErrorName {
  case invalidArgument = "INVALID_ARGUMENT"
  case outOfRange = "OUT_OF_RANGE"
  case unauthenticated = "UNAUTHENTICATED"
  case permissionDenied = "PERMISSION_DENIED"
  case userNotAuthenticatedByMobileNetwork =
    "NUMBER_VERIFICATION.USER_NOT_AUTHENTICATED_BY_MOBILE_NETWORK"
  case notAllowedScopesPurpose = "CONSENT_INFO.NOT_ALLOWED_SCOPES_PURPOSE"
  case captureFrequencyExceeded = "CONSENT_INFO.CAPTURE_FREQUENCY_EXCEEDED"
  case invalidCallbackURL = "CONSENT_INFO.INVALID_CALLBACK_URL"
  case notFound = "NOT_FOUND"
  case identifierNotFound = "IDENTIFIER_NOT_FOUND"
  case methodNotAllowed = "METHOD_NOT_ALLOWED"
  case notAcceptable = "NOT_ACCEPTABLE"
  case unsupportedMediaType = "UNSUPPORTED_MEDIA_TYPE"
  case aborted = "ABORTED"
  case alreadyExists = "ALREADY_EXISTS"
  case serviceNotApplicable = "SERVICE_NOT_APPLICABLE"
  case missingIdentifier = "MISSING_IDENTIFIER"
  case unnecessaryIdentifier = "UNNECESSARY_IDENTIFIER"
  case unsupportedIdentifier = "UNSUPPORTED_IDENTIFIER"
  case tooManyRequests = "TOO_MANY_REQUESTS"
  case quotaExceeded = "QUOTA_EXCEEDED"
  case `internal` = "INTERNAL"
  case badGateway = "BAD_GATEWAY"
  case unavailable = "UNAVAILABLE"
  case timeout = "TIMEOUT"
  case invalidTokenContext = "INVALID_TOKEN_CONTEXT"
  case subscriptionMismatch = "SUBSCRIPTION_MISMATCH"
  case invalidProtocol = "INVALID_PROTOCOL"
  case invalidCredential = "INVALID_CREDENTIAL"
  case invalidToken = "INVALID_TOKEN"
  case invalidSink = "INVALID_SINK"
  case multieventSubscriptionNotSupported = "MULTIEVENT_SUBSCRIPTION_NOT_SUPPORTED"
  case notImplemented = "NOT_IMPLEMENTED"
  case invalidOTP = "ONE_TIME_PASSWORD_SMS.INVALID_OTP"
  case verificationFailed = "ONE_TIME_PASSWORD_SMS.VERIFICATION_FAILED"
  case verificationExpired = "ONE_TIME_PASSWORD_SMS.VERIFICATION_EXPIRED"
  case maxOTPCodesExceeded = "ONE_TIME_PASSWORD_SMS.MAX_OTP_CODES_EXCEEDED"
  case phoneNumberNotAllowed = "ONE_TIME_PASSWORD_SMS.PHONE_NUMBER_NOT_ALLOWED"
  case phoneNumberBlocked = "ONE_TIME_PASSWORD_SMS.PHONE_NUMBER_BLOCKED"
  case invalidParamCombination = "KNOW_YOUR_CUSTOMER.INVALID_PARAM_COMBINATION"
  case idDocumentRequired = "KNOW_YOUR_CUSTOMER.ID_DOCUMENT_REQUIRED"
  case idDocumentMismatch = "KNOW_YOUR_CUSTOMER.ID_DOCUMENT_MISMATCH"
  // Of older versions.
  case authenticationRequired = "AUTHENTICATION_REQUIRED"
  case notSupported = "NOT_SUPPORTED"
  case unidentifiablePhoneNumber = "UNIDENTIFIABLE_PHONE_NUMBER"

  static var table: ErrorTable { CAMARAProvider.errorTable }
  var format: String? { "api" }

  /// How clients get a better token (RFC 6750, 3).
  fileprivate var challenge: String? {
    switch self {
    case .unauthenticated: Self.challenge("invalid_token")
    case .permissionDenied, .subscriptionMismatch: Self.challenge("insufficient_scope")
    default: nil
    }
  }

  fileprivate static func challenge(_ error: String? = nil, _ scopes: [String] = []) -> String {
    #"Bearer realm="\#(CAMARAProvider.name)""# + (error.map { #", error="\#($0)""# } ?? "")
      + (scopes.isEmpty ? "" : #", scope="\#(scopes.joined(separator: " "))""#)
  }
}

/// An error in the form of the APIs. Source: contract 2.2.
struct APIError: ProviderError, Equatable {
  /// One of `ErrorCode`, or a code that an injected fault asks for.
  let code: String
  let status: Status
  /// For people.
  let message: String
  var why: String?
  private var allowed = ""
  private var correlator: Correlator?
  /// The value of `WWW-Authenticate`.
  private var challenge: String?

  init(_ code: ErrorCode, _ message: String? = nil) {
    self.code = code.rawValue
    challenge = code.challenge
    status = code.status
    self.message = message ?? code.message
    // Until `because` names a better reason.
    if status == 400 { why = self.message }
  }

  /// The error of a request that no operation answers.
  init(_ failure: RequestFailure) {
    switch failure {
    case .unknownPath, .notEmulated: self.init(.notFound)
    case .wrongMethod(let methods):
      self.init(.methodNotAllowed)
      allowed = methods.map(\.rawValue).joined(separator: ", ")
    case .malformed(let field, let expected): self = .invalid(field ?? "body", expected: expected)
    case .fault(let status, let code): self.init(injected: code, status)
    case .rejected(let status, let why):
      self.init(injected: status.code < 500 ? ErrorCode.invalidArgument.rawValue : nil, status)
      self.why = why
    case .internalError: self.init(.internal)
    case .overload: self.init(.unavailable)
    }
  }

  private init(injected code: String?, _ status: Status?) {
    let known = code.flatMap(ErrorCode.init) ?? ErrorCode.allCases.first { $0.status == status } ?? .internal
    challenge = known.challenge
    self.code = code ?? known.rawValue
    self.status = status ?? known.status
    message = known.message
  }

  /// 401 for a request without credentials, whose challenge names no error (RFC 6750, 3.1).
  static let noCredentials = {
    var error = APIError(.unauthenticated)
    error.challenge = ErrorCode.challenge()
    return error
  }()

  /// 403 for a token that has none of some scopes.
  init(_ code: ErrorCode = .permissionDenied, lacking scopes: [String]) {
    self.init(code)
    challenge = ErrorCode.challenge("insufficient_scope", scopes)
    why = "the token lacks the scope \(scopes.joined(separator: " or "))"
  }

  /// 400 for a member of the wrong type, pattern or length. `path` is a JSON path.
  static func invalid(_ path: String, expected: String) -> APIError {
    APIError(.invalidArgument, "\(memberName(of: path)): expected \(expected)")
  }

  static func outOfRange(_ field: String, expected: String) -> APIError {
    APIError(.outOfRange, "\(field): expected \(expected)")
  }

  /// The error that an older version has instead, for the same reason. A message about one member stays.
  func replaced(by other: ErrorCode, _ message: String?) -> APIError {
    let isUsual = self.message == ErrorCode(rawValue: code)?.message
    var error = APIError(other, isUsual ? message : self.message)
    (error.why, error.challenge) = (why, challenge)
    return error
  }

  /// The same error as the answer to a request with this correlator.
  func answering(_ correlator: Correlator) -> APIError {
    var error = self
    error.correlator = correlator
    return error
  }

  var response: Response {
    var response = Response.json(status) { json in
      json.member("status", status.code)
      json.member("code", code)
      json.member("message", message)
    }
    if !allowed.isEmpty { response.headers.add("Allow", allowed) }
    if let challenge { response.headers.add("WWW-Authenticate", challenge) }
    return correlator.map(response.with) ?? response
  }
}
