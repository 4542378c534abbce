import HTTP
import JSON
import ProviderKit

/// A refusal in the form of Google's APIs. Source: contract 1.3; https://cloud.google.com/apis/design/errors
struct Problem: ResponseError, Equatable {
  /// The words of FCM's own errors.
  enum Code: String {
    case unregistered = "UNREGISTERED"
    case invalidArgument = "INVALID_ARGUMENT"
    case senderIDMismatch = "SENDER_ID_MISMATCH"
    case quotaExceeded = "QUOTA_EXCEEDED"
    case thirdPartyAuthError = "THIRD_PARTY_AUTH_ERROR"
    case unavailable = "UNAVAILABLE"
    case `internal` = "INTERNAL"

    /// The HTTP status that it comes with.
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

  /// The HTTP status.
  let status: Status
  /// For people.
  let message: String
  /// FCM's own word, where it has one.
  var code: Code?
  /// What is wrong with the fields of the body.
  var violations: [Violation] = []
  /// Why the credentials do not do, in the word of `google.api.ErrorReason`.
  var reason: String?
  /// Seconds after which it may be tried again.
  var retryAfter: Int?
  /// For the journal: what really happened.
  var why: String?

  /// A refusal of the API that FCM has no word of its own for.
  init(_ status: Status, _ message: String, why: String? = nil) {
    self.status = status
    self.message = message
    self.why = why
  }

  /// One of FCM's own.
  init(_ code: Code, _ message: String, why: String? = nil) {
    self.init(code.status, message, why: why)
    self.code = code
  }

  /// Fields that are not what they should be.
  init(_ violations: [Violation], code: Code? = nil) {
    self.init(400, violations.map(\.description).joined(separator: "\n"))
    self.violations = violations
    self.code = code
  }

  /// The error under its envelope.
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

  /// The word of `google.rpc.Code` for the status.
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

/// A field of a body that is not what it should be.
struct Violation: Equatable {
  /// Its path: `message.data[0].value`.
  let field: String
  /// What is wrong with it.
  let description: String
}

extension Problem {
  /// What no handler answers.
  init(_ reason: RequestFailure) {
    switch reason {
    case .unknownPath, .wrongMethod: self.init(404, "Method not found.")
    case .notEmulated:
      self.init(
        404,
        "The legacy FCM API was shut down in 2024: send by HTTP v1, POST /v1/projects/{project}/messages:send."
      )
    case .malformed(let field, let expected):
      let place = field.map { " at '\($0)'" } ?? ""
      self.init(400, "Invalid JSON payload received\(place). Expected \(expected)")
    case .fault(let status, let code): self = .fault(status: status, code: code)
    case .failure: self.init(.internal, "Internal error encountered.")
    case .overload: self.init(503, "The service is currently unavailable.")
    }
  }

  /// What a fault asks for: FCM's error of that code, or a general one of that status.
  private static func fault(status: Status?, code: String?) -> Problem {
    guard let known = code.flatMap(Code.init) ?? Code.general(for: status ?? 500) else {
      return Problem(status ?? 500, "The request was refused on purpose.")
    }
    var problem = Problem(status ?? known.status, "The request was refused on purpose.")
    problem.code = known
    return problem
  }

  /// A token that is none any more. Source: contract 1.3
  static func unregistered(why: String) -> Problem {
    Problem(.unregistered, "Requested entity was not found.", why: why)
  }

  /// There is no access token. Source: `google/api/error_reason.proto` for the reasons of these.
  static var missingCredentials: Problem {
    unauthenticated(
      "Request is missing required authentication credential. ", reason: "CREDENTIALS_MISSING",
      why: "there is no field Authorization: Bearer with an access token")
  }

  /// The access token is not worth anything.
  static func invalidCredentials(reason: String, why: String) -> Problem {
    unauthenticated("Request had invalid authentication credentials. ", reason: reason, why: why)
  }

  private static func unauthenticated(_ start: String, reason: String, why: String) -> Problem {
    var problem = Problem(
      401,
      start + "Expected OAuth 2 access token, login cookie or other valid authentication credential. "
        + "See https://developers.google.com/identity/sign-in/web/devconsole-project.", why: why)
    problem.reason = reason
    return problem
  }

  /// The access token was issued for something else.
  static var insufficientScope: Problem {
    var problem = Problem(
      403, "Request had insufficient authentication scopes.",
      why: "the token was asked for without the scope firebase.messaging or cloud-platform")
    problem.reason = "ACCESS_TOKEN_SCOPE_INSUFFICIENT"
    return problem
  }

  /// The access token is another project's.
  static func noPermission(for project: String, why: String) -> Problem {
    Problem(
      403,
      "Permission 'cloudmessaging.messages.create' denied on resource "
        + "'//cloudresourcemanager.googleapis.com/projects/\(project)' (or it may not exist).", why: why)
  }
}

extension Problem.Code {
  /// The code that FCM answers a status with; nil where it has none of its own.
  fileprivate static func general(for status: Status) -> Self? {
    switch status.code {
    case 429: .quotaExceeded
    case 500: .internal
    case 503: .unavailable
    default: nil
    }
  }
}
