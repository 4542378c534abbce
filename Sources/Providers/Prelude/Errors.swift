import ProviderKit

/// An error in the provider's format. Source: contract 11.1.
struct APIError: ProviderError, Equatable {
  /// One of `ErrorCode`, or a code that an injected fault asks for.
  let code: String
  let status: Status
  /// For people.
  let message: String
  /// The field that is wrong: `options.code_size`.
  let param: String?
  var why: String?
  /// What the response tells SDKs about retries; nil leaves it to the status. Source: contract 2.4.
  var shouldRetry: Bool?
  private var closesConnection = false
  private var requestID = ""
  private var headers: Headers = [:]

  init(_ code: ErrorCode, _ message: String? = nil, param: String? = nil) {
    self.init(code.rawValue, code.status, message ?? code.message, param: param)
  }

  private init(_ code: String, _ status: Status, _ message: String, param: String? = nil) {
    self.code = code
    self.status = status
    self.message = message
    self.param = param
    // Until `because` names a better reason.
    if status == 400 || status == 401 { why = message }
  }

  var response: Response {
    var response = Response.json(status) { json in
      json.member("code", code)
      json.member("message", message)
      json.member("type", type)
      if let param { json.member("param", param) }
      json.member("request_id", requestID)
    }
    response.headers.append(headers)
    if let shouldRetry { response.headers.add("x-should-retry", shouldRetry ? "true" : "false") }
    response.headers.add("X-Request-Id", requestID)
    response.closesConnection = closesConnection
    return response
  }

  /// The provider does not publish its types: the sandbox's choice. Source: contract 11.1.
  private var type: String {
    switch status.code {
    case 401: "unauthorized"
    case 403: "forbidden"
    case 404, 405: "not_found"
    case 429: "rate_limited"
    case 500...: "internal"
    default: "bad_request"
    }
  }

  mutating func stamp(at time: Timestamp, requestID: String) {
    self.requestID = requestID
  }

  /// The same error with a further header field.
  func withHeader(_ name: String, _ value: String) -> APIError {
    var error = self
    error.headers.add(name, value)
    return error
  }

  /// The same error for clients that read until the connection ends.
  var closingConnection: APIError {
    var error = self
    error.closesConnection = true
    return error
  }

  /// The same error with the advice not to retry, unless the setting `retryRateLimits` is on.
  func withoutRetry(_ settings: Settings) -> APIError {
    var error = self
    if !settings.retryRateLimits { error.shouldRetry = false }
    return error
  }

  /// 400 for a member that is missing, of the wrong type, or out of range.
  static func invalid(_ param: String, expected: String) -> APIError {
    APIError(.invalidRequest, "\(param): expected \(expected)", param: param)
  }

  static func wrongMethod(allowed: [HTTP.Method]) -> APIError {
    let methods = allowed.map(\.rawValue).joined(separator: ", ")
    return APIError("method_not_allowed", 405, "the path takes \(methods)").withHeader("Allow", methods)
  }

  /// The error of an injected fault: the provider's error of that code, or the general one of that status.
  /// Rate limits advise about retries like real ones. Source: contract, additions.
  static func injected(status: Status?, code: String?, _ settings: Settings) -> APIError {
    let known = code.flatMap(ErrorCode.init) ?? ErrorCode.general(for: status ?? 500)
    let error = APIError(
      code ?? known.rawValue, status ?? (code == nil ? 500 : known.status), known.message)
    return error.status.code == 429 ? error.withoutRetry(settings) : error
  }

  static let bodyTooLarge = APIError("body_too_large", 413, "the body may have 1 MiB at most", param: "body")

  static let unavailable = APIError(
    ErrorCode.internal.rawValue, 503, "the service is unavailable, try again")

  /// The server has no room for another connection.
  static let overload = APIError(
    ErrorCode.internal.rawValue, 503, "the sandbox has no room for another connection")
}
