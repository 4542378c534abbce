import ProviderKit

/// One error per cause, with the provider's text. Source: contract 1.3, 4 and additions.
extension APIError {
  static let notFound = APIError(named: .notFound)
  static let alreadyExists = APIError(named: .alreadyExists)
  static let internalError = APIError(.internal)
  static let unavailable = APIError(.unavailable)
  static let senderIDMismatch = APIError(.senderIDMismatch)

  /// A token without a device.
  static func unregistered(_ settings: Settings) -> APIError {
    APIError(.unregistered, settings.errorTexts == .newest ? nil : notFound.message)
  }

  /// A token of an iOS device that Apple does not know any more. Until 2026 it was like any other.
  static func unregisteredIOS(_ settings: Settings) -> APIError {
    guard settings.errorTexts == .newest else { return .unregistered(settings) }
    var error = APIError(.invalidArgument, "APNs device token is disabled.")
    error.details.append(.apns(410, reason: "Unregistered"))
    return error
  }

  /// The project has no key for the platform's push service, or the service refuses the key.
  static func thirdPartyAuthError(_ settings: Settings) -> APIError {
    var error = APIError(.thirdPartyAuthError)
    if let reason = settings.apnsKeyError { error.details.append(.apns(403, reason: reason.rawValue)) }
    return error
  }

  static func invalidToken(_ settings: Settings) -> APIError {
    APIError(
      .invalidArgument,
      settings.errorTexts == .newest
        ? "Invalid registration token" : "The registration token is not a valid FCM registration token")
  }

  /// A message with more than 4096 bytes. `platform` is in the previous texts only.
  static func tooLarge(for platform: Device.Platform, _ texts: Settings.ErrorTexts) -> APIError {
    let previous = platform == .android ? "Android message is too big" : "APNs payload is too big"
    return APIError(
      .invalidArgument,
      texts == .newest ? "Message is too large. The maximum is 4K (4096 bytes)." : previous)
  }

  static let noTarget: APIError = {
    var error = APIError(.invalidArgument, "Recipient of the message is not set.")
    error.details.insert(.badRequest([Violation(field: "message", description: error.message)]), at: 0)
    return error
  }()

  /// Too many messages to one device.
  static let deviceQuotaExceeded: APIError = {
    var error = APIError(.quotaExceeded)
    error.retryAfter = 1
    return error
  }()

  /// Too many messages of one project. The names of quota and limit in the details are chosen here.
  static func projectQuotaExceeded(_ project: String, in sandbox: Sandbox) -> APIError {
    let number = projectNumber(of: project, in: sandbox)
    var error = APIError(
      named: .resourceExhausted,
      "Quota exceeded for quota metric 'Send requests' and limit 'Send requests per minute' of service "
        + "'fcm.googleapis.com' for consumer 'project_number:\(number)'.")
    let metadata = [
      ("consumer", "projects/\(number)"), ("quota_limit", "SendRequestsPerMinutePerProject"),
      ("quota_metric", "fcm.googleapis.com/send_requests"), ("service", "fcm.googleapis.com"),
    ]
    error.details = [
      .errorInfo(
        reason: "RATE_LIMIT_EXCEEDED", metadata: metadata.map { ErrorDetail.Pair(name: $0, value: $1) }),
      .help(
        description: "Request a higher quota limit.",
        url: "https://cloud.google.com/docs/quotas/help/request_increase"),
    ]
    return error
  }

  /// Twelve digits that follow from the project's id; a number is its own.
  private static func projectNumber(of project: String, in sandbox: Sandbox) -> String {
    if Int(project) != nil { return project }
    let digits = sandbox.entropy.secret("number of project \(project)", length: 15, of: .hex)
    return String(100_000_000_000 + (UInt64(digits, radix: 16) ?? 0) % 900_000_000_000)
  }
}

/// Bad credentials.
extension APIError {
  static let missingCredentials: APIError = {
    let invalid = "had invalid authentication credentials"
    var error = APIError(
      401,
      invalidCredentials.message.replacing(invalid, with: "is missing required authentication credential"))
    error.details = [
      .errorInfo(reason: "CREDENTIALS_MISSING", metadata: ErrorDetail.sendMessageMetadata)
    ]
    error.challenge = .missing
    return error.because("no Authorization header with a Bearer token")
  }()

  /// A token that is not one.
  static let invalidCredentials: APIError = {
    var error = APIError(named: .unauthenticated)
    error.challenge = .invalid
    return error
  }()

  static let expiredCredentials: APIError = {
    var error = invalidCredentials
    error.details = [
      .errorInfo(reason: "ACCESS_TOKEN_EXPIRED", metadata: ErrorDetail.sendMessageMetadata)
    ]
    return error
  }()

  static let insufficientScope: APIError = {
    var error = APIError(403, "Request had insufficient authentication scopes.")
    error.details = [
      .errorInfo(reason: "ACCESS_TOKEN_SCOPE_INSUFFICIENT", metadata: ErrorDetail.sendMessageMetadata)
    ]
    return error.because("the access token has neither scope firebase.messaging nor cloud-platform")
  }()

  static func noPermission(for project: String) -> APIError {
    APIError(
      403,
      "Permission 'cloudmessaging.messages.create' denied on resource "
        + "'//cloudresourcemanager.googleapis.com/projects/\(project)' (or it may not exist).")
  }
}

/// Errors of injected faults.
extension APIError {
  static func typical(_ code: Code, _ settings: Settings) -> APIError {
    switch code {
    case .unregistered: .unregistered(settings)
    case .invalidArgument: APIError(.invalidArgument)
    case .senderIDMismatch: .senderIDMismatch
    case .quotaExceeded: APIError(.quotaExceeded)
    case .thirdPartyAuthError: .thirdPartyAuthError(settings)
    case .unavailable: .unavailable
    case .internal: .internalError
    }
  }

  static func typical(_ name: StatusName, project: String, in sandbox: Sandbox) -> APIError {
    switch name {
    case .resourceExhausted: .projectQuotaExceeded(project, in: sandbox)
    case .unauthenticated: .invalidCredentials
    default: APIError(named: name)
    }
  }
}
