import ProviderKit

/// One entry of `error.details`. Source: contract 1.3 and additions.
enum ErrorDetail: Equatable {
  case fcm(APIError.Code)
  case badRequest([Violation])
  /// What Apple's gateway answered.
  case apns(Status, reason: String)
  /// `google.rpc.ErrorInfo`. Source of the reasons: `google/api/error_reason.proto`.
  case errorInfo(reason: String, metadata: [Pair])
  case help(description: String, url: String)

  struct Pair: Equatable {
    let name: String
    let value: String
  }

  /// The service and the operation that credentials were refused for.
  static let sendMessageMetadata = [
    Pair(name: "method", value: "google.firebase.fcm.v1.FcmService.SendMessage"),
    Pair(name: "service", value: "fcm.googleapis.com"),
  ]

  func write(to json: inout JSONWriter) {
    json.member("@type", "type.googleapis.com/\(typeName)")
    switch self {
    case .fcm(let code): json.member("errorCode", code.rawValue)
    case .badRequest(let violations):
      json.array("fieldViolations", violations) { json, violation in
        json.value {
          $0.member("field", violation.field)
          $0.member("description", violation.description)
        }
      }
    case .apns(let status, let reason):
      json.member("statusCode", status.code)
      json.member("reason", reason)
    case .errorInfo(let reason, let metadata):
      json.member("reason", reason)
      json.member("domain", "googleapis.com")
      json.object("metadata") { json in
        for pair in metadata { json.member(named: pair.name, pair.value) }
      }
    case .help(let description, let url):
      json.array("links", [0]) { json, _ in
        json.value {
          $0.member("description", description)
          $0.member("url", url)
        }
      }
    }
  }

  private var typeName: String {
    switch self {
    case .fcm: "google.firebase.fcm.v1.FcmError"
    case .badRequest: "google.rpc.BadRequest"
    case .apns: "google.firebase.fcm.v1.ApnsError"
    case .errorInfo: "google.rpc.ErrorInfo"
    case .help: "google.rpc.Help"
    }
  }
}

/// An invalid field of a body.
struct Violation: Equatable {
  /// The field's path: `message.data[0].value`.
  let field: String
  let description: String
}

/// The names in `error.status`, with the HTTP statuses that `google/rpc/code.proto` gives them.
enum StatusName: String, ErrorName {
  case invalidArgument = "INVALID_ARGUMENT"
  case failedPrecondition = "FAILED_PRECONDITION"
  case outOfRange = "OUT_OF_RANGE"
  case unauthenticated = "UNAUTHENTICATED"
  case permissionDenied = "PERMISSION_DENIED"
  case notFound = "NOT_FOUND"
  case alreadyExists = "ALREADY_EXISTS"
  case aborted = "ABORTED"
  case resourceExhausted = "RESOURCE_EXHAUSTED"
  case cancelled = "CANCELLED"
  case unknown = "UNKNOWN"
  case `internal` = "INTERNAL"
  case dataLoss = "DATA_LOSS"
  case unimplemented = "UNIMPLEMENTED"
  case unavailable = "UNAVAILABLE"
  case deadlineExceeded = "DEADLINE_EXCEEDED"

  static var table: ErrorTable { FCMProvider.errorTable }

  /// The usual name for a status, if nothing else is known of the error.
  init(_ status: Status) {
    switch status.code {
    case 400: self = .invalidArgument
    case 401: self = .unauthenticated
    case 403: self = .permissionDenied
    case 404: self = .notFound
    case 409: self = .alreadyExists
    case 429: self = .resourceExhausted
    case 503: self = .unavailable
    default: self = status.code < 500 ? .failedPrecondition : .internal
    }
  }
}
