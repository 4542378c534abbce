import HTTP
import JSON
import ProviderKit

/// An error in the format of Google's APIs. Source: contract 1.3; https://cloud.google.com/apis/design/errors
struct APIError: VendorError, Equatable {
  /// `errorCode` of FCM's own errors.
  enum Code: String, CaseIterable {
    case unregistered = "UNREGISTERED"
    case invalidArgument = "INVALID_ARGUMENT"
    case senderIDMismatch = "SENDER_ID_MISMATCH"
    case quotaExceeded = "QUOTA_EXCEEDED"
    case thirdPartyAuthError = "THIRD_PARTY_AUTH_ERROR"
    case unavailable = "UNAVAILABLE"
    case `internal` = "INTERNAL"

    var status: Status {
      switch self {
      case .unregistered: 404
      case .invalidArgument: 400
      case .senderIDMismatch: 403
      case .quotaExceeded: 429
      case .thirdPartyAuthError: 401
      case .unavailable: 503
      case .internal: 500
      }
    }
  }

  let status: Status
  let message: String
  /// Nil for general errors.
  var code: Code?
  /// Invalid fields of the body.
  var violations: [Violation] = []
  /// `google.api.ErrorReason` of bad credentials.
  var reason: String?
  /// In seconds.
  var retryAfter: Int?
  var why: String?

  /// A general error.
  init(_ status: Status, _ message: String) {
    self.status = status
    self.message = message
  }

  /// One of FCM's own errors.
  init(_ code: Code, _ message: String) {
    self.init(code.status, message)
    self.code = code
  }

  init(_ violations: [Violation], code: Code? = nil) {
    self.init(400, violations.map(\.description).joined(separator: "\n"))
    self.violations = violations
    self.code = code
  }

  var response: Response {
    let body = JSONWriter.object { json in
      json.object("error") { json in
        json.member("code", status.code)
        json.member("message", message)
        json.member("status", canonicalCode)
        if hasDetails { json.array("details", [0]) { json, _ in writeDetails(to: &json) } }
      }
    }
    var response = Response.json(status, body)
    if let retryAfter { response.headers.add("Retry-After", String(retryAfter)) }
    if reason != nil, status.code == 401 {
      response.headers.add(
        "WWW-Authenticate", #"Bearer realm="https://accounts.google.com/", error="invalid_token""#)
    }
    return response
  }

  private var hasDetails: Bool { code != nil || !violations.isEmpty || reason != nil }

  private func writeDetails(to json: inout JSONWriter) {
    if let code {
      json.value {
        $0.member("@type", "type.googleapis.com/google.firebase.fcm.v1.FcmError")
        $0.member("errorCode", code.rawValue)
      }
    }
    if !violations.isEmpty {
      json.value { json in
        json.member("@type", "type.googleapis.com/google.rpc.BadRequest")
        json.array("fieldViolations", violations) { json, violation in
          json.value {
            $0.member("field", violation.field)
            $0.member("description", violation.description)
          }
        }
      }
    }
    if let reason {
      json.value {
        $0.member("@type", "type.googleapis.com/google.rpc.ErrorInfo")
        $0.member("reason", reason)
        $0.member("domain", "googleapis.com")
      }
    }
  }

  /// `google.rpc.Code` of the status.
  private var canonicalCode: String {
    switch status.code {
    case 400: "INVALID_ARGUMENT"
    case 401: "UNAUTHENTICATED"
    case 403: "PERMISSION_DENIED"
    case 404: "NOT_FOUND"
    case 409: "ALREADY_EXISTS"
    case 429: "RESOURCE_EXHAUSTED"
    case 503: "UNAVAILABLE"
    default: status.code < 500 ? "FAILED_PRECONDITION" : "INTERNAL"
    }
  }
}

/// An invalid field of a body.
struct Violation: Equatable {
  /// The field's path: `message.data[0].value`.
  let field: String
  let description: String
}

/// Errors of requests that no operation answers.
extension APIError {
  init(_ failure: RequestFailure) {
    switch failure {
    case .unknownPath, .wrongMethod: self.init(404, "Method not found.")
    case .notEmulated:
      self.init(
        404,
        "The legacy FCM API was shut down in 2024: send by HTTP v1, POST /v1/projects/{project}/messages:send."
      )
    case .malformed(let field, let expected):
      let place = field.map { " at '\($0)'" } ?? ""
      self.init(400, "Invalid JSON payload received\(place). Expected \(expected)")
    case .fault(let status, let code): self.init(injected: code, status: status)
    case .internalError: self.init(.internal, "Internal error encountered.")
    case .overload: self.init(503, "The service is currently unavailable.")
    }
  }

  /// An injected fault: FCM's error of that code, or a general error of that status.
  private init(injected word: String?, status: Status?) {
    let message = "The request was refused on purpose."
    guard let code = word.flatMap(Code.init) ?? Code(status: status ?? 500) else {
      self.init(status ?? 500, message)
      return
    }
    self.init(status ?? code.status, message)
    self.code = code
  }
}

extension APIError.Code {
  /// FCM's error of a status; nil for statuses with general errors.
  fileprivate init?(status: Status) {
    switch status.code {
    case 429: self = .quotaExceeded
    case 500: self = .internal
    case 503: self = .unavailable
    default: return nil
    }
  }
}

/// One error per cause. Source of the reasons: `google/api/error_reason.proto`.
extension APIError {
  static let notFound = APIError(404, "Requested entity was not found.")
  static let alreadyExists = APIError(409, "Requested entity already exists")

  /// A token without a device. Source: contract 1.3
  static let unregistered = APIError(.unregistered, "Requested entity was not found.")

  /// Source: contract 4
  static func invalidToken(_ field: String) -> APIError {
    var error = APIError(
      .invalidArgument, "The registration token is not a valid FCM registration token")
    error.violations = [Violation(field: field, description: "Invalid registration token")]
    return error
  }

  static let missingCredentials = unauthenticated(
    "Request is missing required authentication credential. ", reason: "CREDENTIALS_MISSING"
  ).because("no Authorization header with a Bearer token")

  static func invalidCredentials(reason: String) -> APIError {
    unauthenticated("Request had invalid authentication credentials. ", reason: reason)
  }

  private static func unauthenticated(_ start: String, reason: String) -> APIError {
    var error = APIError(
      401,
      start + "Expected OAuth 2 access token, login cookie or other valid authentication credential. "
        + "See https://developers.google.com/identity/sign-in/web/devconsole-project.")
    error.reason = reason
    return error
  }

  static let insufficientScope: APIError = {
    var error = APIError(403, "Request had insufficient authentication scopes.")
    error.reason = "ACCESS_TOKEN_SCOPE_INSUFFICIENT"
    error.why = "the access token has neither scope firebase.messaging nor cloud-platform"
    return error
  }()

  static func noPermission(for project: String) -> APIError {
    APIError(
      403,
      "Permission 'cloudmessaging.messages.create' denied on resource "
        + "'//cloudresourcemanager.googleapis.com/projects/\(project)' (or it may not exist).")
  }
}
