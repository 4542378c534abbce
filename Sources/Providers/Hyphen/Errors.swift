import ProviderKit

enum ErrorCode: String, ErrorName {
  case pleaseSignUp = "PleaseSignUp"
  case pleaseDeploy = "PleaseDeploy"
  case invalidRequest = "InvalidRequest"
  case challengeExpired = "ChallengeExpired"
  case challengeInvalid = "ChallengeInvalid"
  case noDestinationDevice = "NoDestinationDevice"
  case twoFactorAuthExpired = "TwoFactorAuthExpired"
  case twoFactorAuthPending = "TwoFactorAuthPending"
  case twoFactorAuthDenied = "TwoFactorAuthDenied"
  case invalidSignature = "InvalidSignature"
  case invalidFirebaseToken = "InvalidFirebaseToken"
  case invalidAppSecret = "InvalidAppSecret"
  case invalidToken = "InvalidToken"
  case tokenExpired = "TokenExpired"
  case notDestinationDevice = "NotDestinationDevice"
  case twoFactorAuthNotFound = "TwoFactorAuthNotFound"
  case deviceNotFound = "DeviceNotFound"
  case keyNotFound = "KeyNotFound"
  case twoFactorAuthAlreadyResolved = "TwoFactorAuthAlreadyResolved"
  case twoFactorAuthAlreadyFinished = "TwoFactorAuthAlreadyFinished"
  case notSourceDevice = "NotSourceDevice"
  case accountAlreadyExists = "AccountAlreadyExists"
  case notFound = "NotFound"
  case methodNotAllowed = "MethodNotAllowed"
  case tooManyRequests = "TooManyRequests"
  case internalError = "InternalError"
  case serviceUnavailable = "ServiceUnavailable"

  static var table: ErrorTable { HyphenProvider.errorTable }
}

/// An error in the provider's format. Source: contract 6.
struct APIError: ProviderError, Equatable {
  let code: ErrorCode
  let message: String
  /// The wrong member of the request: `userKey.device.osName`.
  private(set) var field: String?
  private var status: Status
  var why: String?

  init(_ code: ErrorCode, _ message: String? = nil) {
    self.code = code
    self.message = message ?? code.message
    status = code.status
  }

  /// The error of an injected fault: that of the code, or the general one of the status.
  init(injected word: String?, status: Status?) {
    let known = word.flatMap(ErrorCode.init(rawValue:))
    let general = status == 401 ? .invalidToken : ErrorCode.allCases.first { $0.status == status }
    self.init(known ?? general ?? .internalError)
    self.status = status ?? self.status
  }

  /// A document or a path that the core could not read. The body does not repeat the client's text, which
  /// might be the one that an SDK acts on.
  init(malformed path: String?, expected: String) {
    let rule = expected.split(separator: "; found ", maxSplits: 1).first.map { String($0) }
    self = .invalid(memberName(of: path), expected: rule ?? expected)
  }

  /// A missing or mistyped member. The body does not repeat the client's value.
  static func invalid(_ field: String, expected: String) -> APIError {
    var error = APIError(.invalidRequest, "\(field): expected \(expected)")
    error.field = field
    error.why = error.message
    return error
  }

  var response: Response {
    .json(status) { json in
      json.member("code", code.rawValue)
      json.member("message", message)
      if let field { json.member("field", field) }
    }
  }
}
