import HTTP
import JSON
import ProviderKit

/// A refusal in the vendor's words. Source: contract 11.1.
struct Problem: ResponseError, Equatable {
  /// What applications read.
  let code: String
  /// The HTTP status.
  let status: Status
  /// For people.
  let message: String
  /// The field that is to blame: `options.code_size`.
  let param: String?
  /// For the journal: what really happened.
  var why: String?
  /// Whether SDKs try again, where that is said beside the status. Source: contract 2.4.
  var isWorthRepeating: Bool?
  private var endsConnection = false
  private var requestID = ""
  private var headers: Headers = [:]

  /// The refusal of this code, with its usual text unless another is given.
  init(_ code: Code, _ message: String? = nil, param: String? = nil) {
    self.init(code.rawValue, code.status, message ?? code.message, param: param)
  }

  private init(_ code: String, _ status: Status, _ message: String, param: String? = nil) {
    self.code = code
    self.status = status
    self.message = message
    self.param = param
  }

  /// The error body with all five members.
  var response: Response {
    let body = JSONWriter.object { json in
      json.member("code", code)
      json.member("message", message)
      json.member("type", type)
      if let param { json.member("param", param) }
      json.member("request_id", requestID)
    }
    var response = Response.json(status, body)
    response.headers.append(headers)
    if let isWorthRepeating { response.headers.add("x-should-retry", isWorthRepeating ? "true" : "false") }
    response.headers.add("X-Request-Id", requestID)
    response.closesConnection = endsConnection
    return response
  }

  /// The same refusal with the truth for the journal.
  func because(_ why: String) -> Problem {
    var problem = self
    problem.why = why
    return problem
  }

  /// The same refusal of a request with this id.
  func signed(_ requestID: String) -> Problem {
    var problem = self
    problem.requestID = requestID
    return problem
  }

  /// The same refusal with a further field.
  func with(_ name: String, _ value: String) -> Problem {
    var problem = self
    problem.headers.add(name, value)
    return problem
  }

  /// The same refusal, after which the connection ends, for clients that read until it does.
  var ending: Problem {
    var problem = self
    problem.endsConnection = true
    return problem
  }

  /// The same refusal, on which SDKs are told not to insist unless the setting says otherwise.
  func unrepeated(_ settings: Settings) -> Problem {
    var problem = self
    if !settings.retryRateLimits { problem.isWorthRepeating = false }
    return problem
  }

  /// 400 for a member that is missing, of the wrong type, or outside its values.
  static func invalid(_ param: String, expected: String) -> Problem {
    Problem(.invalidRequest, "\(param): expected \(expected)", param: param)
  }

  /// 405 with the methods that the path takes.
  static func wrongMethod(allowed: [HTTP.Method]) -> Problem {
    let methods = allowed.map(\.rawValue).joined(separator: ", ")
    return Problem("method_not_allowed", 405, "the path takes \(methods)").with("Allow", methods)
  }

  /// What a fault asks for: the vendor's error of that code, or its general one of that status.
  static func fault(status: Status?, code: String?) -> Problem {
    let usual = code.flatMap(Code.init) ?? Code.general(for: status ?? 500)
    return Problem(code ?? usual.rawValue, status ?? (code == nil ? 500 : usual.status), usual.message)
  }

  /// More than 1 MiB came.
  static let bodyTooLarge = Problem("body_too_large", 413, "the body may have 1 MiB at most", param: "body")

  /// The API is down for a moment.
  static let unavailable = Problem(Code.internal.rawValue, 503, "the service is unavailable, try again")

  /// There is no room for another connection.
  static let overload = Problem(
    Code.internal.rawValue, 503, "the sandbox has no room for another connection")

  /// Unpublished; the sandbox's own. Source: contract 11.1.
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
}
