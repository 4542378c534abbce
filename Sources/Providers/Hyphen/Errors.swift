import HTTP
import JSON
import ProviderKit

/// Source: contract 6. The last seven are the sandbox's own.
enum ErrorCode: String, CaseIterable {
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

  var status: Status {
    switch self {
    case .pleaseSignUp, .pleaseDeploy, .invalidRequest, .challengeExpired, .challengeInvalid,
      .noDestinationDevice, .twoFactorAuthExpired, .twoFactorAuthPending, .twoFactorAuthDenied:
      400
    case .invalidSignature, .invalidFirebaseToken, .invalidAppSecret, .invalidToken, .tokenExpired: 401
    case .notDestinationDevice, .notSourceDevice: 403
    case .twoFactorAuthNotFound, .deviceNotFound, .keyNotFound, .notFound: 404
    case .methodNotAllowed: 405
    case .twoFactorAuthAlreadyResolved, .twoFactorAuthAlreadyFinished, .accountAlreadyExists: 409
    case .tooManyRequests: 429
    case .internalError: 500
    case .serviceUnavailable: 503
    }
  }

  /// Only `pleaseSignUp` may have the words "please sign up": an SDK creates an account when it reads them.
  /// Source: contract 2 and 6.
  var message: String {
    switch self {
    case .pleaseSignUp: "No account for this identity, please sign up first"
    case .pleaseDeploy: "The account is not on this chain, please deploy it first"
    case .invalidRequest: "The request is invalid"
    case .challengeExpired: "The challenge has expired"
    case .challengeInvalid: "The challenge is unknown, or was answered before"
    case .noDestinationDevice: "The account has no other device that gets pushes"
    case .twoFactorAuthExpired: "The request for approval has expired"
    case .twoFactorAuthPending: "The request for approval has no answer yet"
    case .twoFactorAuthDenied: "The request for approval was denied"
    case .invalidSignature: "The signature is not valid"
    case .invalidFirebaseToken: "The Firebase token is not valid"
    case .invalidAppSecret: "The app secret is missing or unknown"
    case .invalidToken: "The token is missing or not valid"
    case .tokenExpired: "The token has expired"
    case .notDestinationDevice: "Only the destination device may answer the request for approval"
    case .twoFactorAuthNotFound: "No such request for approval"
    case .deviceNotFound: "No such device of this account"
    case .keyNotFound: "No such key of this account"
    case .twoFactorAuthAlreadyResolved: "The request for approval was answered before"
    case .twoFactorAuthAlreadyFinished: "The sign-in was finished before"
    case .notSourceDevice: "Only the device that signs in may do this"
    case .accountAlreadyExists: "The identity has an account already, sign in instead"
    case .notFound: "No such path"
    case .methodNotAllowed: "This path has no such method"
    case .tooManyRequests: "Too many requests"
    case .internalError: "Internal error"
    case .serviceUnavailable: "The service is unavailable"
    }
  }
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
    .json(
      status,
      JSONWriter.object { json in
        json.member("code", code.rawValue)
        json.member("message", message)
        if let field { json.member("field", field) }
      })
  }
}
