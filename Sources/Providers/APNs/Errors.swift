import ProviderKit

/// An error of Apple's. Source: contract 2.
struct APIError: ProviderError, Equatable {
  enum Reason: String, ErrorName {
    case badCollapseID = "BadCollapseId"
    case badDeviceToken = "BadDeviceToken"
    case badExpirationDate = "BadExpirationDate"
    case badMessageID = "BadMessageId"
    case badPriority = "BadPriority"
    case badTopic = "BadTopic"
    case deviceTokenNotForTopic = "DeviceTokenNotForTopic"
    case duplicateHeaders = "DuplicateHeaders"
    case idleTimeout = "IdleTimeout"
    case invalidPushType = "InvalidPushType"
    case missingDeviceToken = "MissingDeviceToken"
    case missingTopic = "MissingTopic"
    case payloadEmpty = "PayloadEmpty"
    case topicDisallowed = "TopicDisallowed"
    case badCertificate = "BadCertificate"
    case badCertificateEnvironment = "BadCertificateEnvironment"
    case expiredProviderToken = "ExpiredProviderToken"
    case forbidden = "Forbidden"
    case invalidProviderToken = "InvalidProviderToken"
    case missingProviderToken = "MissingProviderToken"
    case unrelatedKeyID = "UnrelatedKeyIdInToken"
    case badEnvironmentKeyID = "BadEnvironmentKeyIdInToken"
    case badPath = "BadPath"
    case methodNotAllowed = "MethodNotAllowed"
    case unregistered = "Unregistered"
    case expiredToken = "ExpiredToken"
    case payloadTooLarge = "PayloadTooLarge"
    case tooManyRequests = "TooManyRequests"
    case tooManyProviderTokenUpdates = "TooManyProviderTokenUpdates"
    case internalServerError = "InternalServerError"
    case serviceUnavailable = "ServiceUnavailable"
    case shutdown = "Shutdown"

    static var table: ErrorTable { APNsProvider.errorTable }
  }

  let reason: Reason
  var status: Status
  /// When the token became invalid, for 410.
  var timestamp: Timestamp?
  var why: String?
  private var id: NotificationID?

  init(_ reason: Reason, because why: String? = nil) {
    self.reason = reason
    self.why = why
    status = reason.status
  }

  /// The error of a request that no handler answers.
  init(_ failure: RequestFailure, to request: Request, at now: Timestamp) {
    switch failure {
    case .unknownPath where request.isWithoutToken: self.init(.missingDeviceToken)
    case .unknownPath, .notEmulated: self.init(.badPath)
    case .wrongMethod: self.init(.methodNotAllowed)
    case .malformed(let field, let expected):
      self.init(.badPath, because: "\(field.map { "\($0): " } ?? "")expected \(expected)")
    case .fault(let status, let code):
      self.init(code.flatMap(Reason.init) ?? Reason(status: status ?? 500))
      self.status = status ?? self.status
      if self.status == 410 { timestamp = now }
    case .rejected(let status, let why):
      self.init(Reason(status: status), because: why)
      self.status = status
    case .internalError: self.init(.internalServerError)
    case .overload: self.init(.serviceUnavailable)
    }
  }

  var response: Response {
    let body = JSONWriter.object { json in
      json.member("reason", reason.rawValue)
      if let timestamp { json.member("timestamp", Int(timestamp.milliseconds)) }
    }
    var response = Response(status, body: body)
    response.why = why
    if let id { response.headers.add("apns-id", id.text) }
    return response
  }

  func response(apnsID id: NotificationID) -> Response { with(id).response }

  /// The same error for the request with this id.
  func with(_ id: NotificationID) -> APIError {
    var error = self
    error.id = id
    return error
  }
}

extension APIError.Reason {
  /// The reason of an injected fault that names a status only.
  fileprivate init(status: Status) {
    switch status.code {
    case 401, 403: self = .forbidden
    case 404: self = .badPath
    case 405: self = .methodNotAllowed
    case 410: self = .unregistered
    case 413: self = .payloadTooLarge
    case 429: self = .tooManyRequests
    case 503: self = .serviceUnavailable
    default: self = status.code < 500 ? .badDeviceToken : .internalServerError
    }
  }
}

extension Request {
  /// True for the path of a notification without its last part.
  fileprivate var isWithoutToken: Bool {
    target.path.split(separator: "/") == ["3", "device"] && method == .post
  }
}
