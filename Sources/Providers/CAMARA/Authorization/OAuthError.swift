import ProviderKit

/// Errors of the authorization server. Source: contract 3.4 to 3.7.
enum OAuthCode: String, ErrorName {
  case invalidRequest = "invalid_request"
  case invalidClient = "invalid_client"
  case invalidGrant = "invalid_grant"
  case unauthorizedClient = "unauthorized_client"
  case unsupportedGrantType = "unsupported_grant_type"
  case invalidScope = "invalid_scope"
  case accessDenied = "access_denied"
  case unsupportedResponseType = "unsupported_response_type"
  case consentRequired = "consent_required"
  case invalidRequestObject = "invalid_request_object"
  case requestURINotSupported = "request_uri_not_supported"
  case authorizationPending = "authorization_pending"
  case slowDown = "slow_down"
  case expiredToken = "expired_token"
  case unknownUserID = "unknown_user_id"
  case temporarilyUnavailable = "temporarily_unavailable"
  case serverError = "server_error"

  /// For errors that only redirects show.
  static let redirectFormat = "redirect"
  static var table: ErrorTable { CAMARAProvider.errorTable }

  var format: String? {
    let isInBodies = ![.unsupportedResponseType, .consentRequired, .temporarilyUnavailable].contains(self)
    return isInBodies ? "oauth" : Self.redirectFormat
  }
}

/// An error in the form of OAuth 2 (RFC 6749, 5.2). Source: contract 3.7.
struct OAuthError: ProviderError, Equatable {
  /// One of `OAuthCode`, or a code that an injected fault asks for.
  let error: String
  let description: String
  let status: Status
  var why: String?
  private var allowed = ""

  init(_ code: OAuthCode, _ description: String) {
    self.init(code.rawValue, description, code.status)
  }

  static func missing(_ parameter: String) -> OAuthError {
    OAuthError(.invalidRequest, "The parameter \(parameter) is missing.")
  }

  private init(_ error: String, _ description: String, _ status: Status) {
    self.error = error
    self.description = description
    self.status = status
    // Until `because` names a better reason.
    why = description
  }

  static func invalid(_ parameter: String, expected: String) -> OAuthError {
    OAuthError(.invalidRequest, "\(parameter): expected \(expected)")
  }

  /// The error of a request that no operation answers.
  init(_ failure: RequestFailure) {
    switch failure {
    case .unknownPath, .notEmulated: self.init(OAuthCode.invalidRequest.rawValue, "No such path.", 404)
    case .wrongMethod(let methods):
      self.init(OAuthCode.invalidRequest.rawValue, "The path has no such method.", 405)
      allowed = methods.map(\.rawValue).joined(separator: ", ")
    case .malformed(let field, let expected): self = .invalid(field ?? "request", expected: expected)
    case .fault(let status, let code):
      let known = code.flatMap(OAuthCode.init) ?? OAuthCode.allCases.first { $0.status == status }
      self.init(
        code ?? (known ?? .serverError).rawValue, "The request was refused on purpose.",
        status ?? known?.status ?? 400)
    case .rejected(let status, let why): self.init(OAuthCode.invalidRequest.rawValue, why, status)
    case .internalError: self.init(.serverError, "Internal error.")
    case .overload: self.init(OAuthCode.serverError.rawValue, "The service is unavailable.", 503)
    }
  }

  var response: Response {
    var response = Response.json(status) {
      $0.member("error", error)
      $0.member("error_description", description)
    }.uncached
    if status == 401 { response.headers.add("WWW-Authenticate", #"Basic realm="camara""#) }
    if !allowed.isEmpty { response.headers.add("Allow", allowed) }
    return response
  }
}
