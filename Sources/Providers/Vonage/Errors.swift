import ProviderKit

/// A problem document (RFC 9457) of the provider. Source: contract 2.
struct APIError: ProviderError, Equatable {
  struct Parameter: Equatable {
    let name: String
    let reason: String
  }

  /// The beginning of `type`. Source: contract 2, end.
  enum Base: String, CaseIterable {
    case current
    case verify
    case nexmo

    func type(of code: ErrorCode) -> String {
      let root =
        switch self {
        case .current: "https://developer.vonage.com/en/api-errors"
        case .verify: "https://www.developer.vonage.com/api-errors"
        case .nexmo: "https://developer.nexmo.com/api-errors"
        }
      let page = !code.isOfVerify ? "" : self == .current ? "/verify-v2" : "/verify"
      return "\(root)\(page)#\(code.rawValue)"
    }
  }

  let code: ErrorCode
  /// A code that an injected fault asks for, and that is none of `ErrorCode`.
  private var injectedCode: String?
  private var status: Status
  private var title: String
  /// For people; apps of silent authentication get it too.
  private(set) var detail: String
  private var parameters: [Parameter] = []
  /// The request that is running already.
  private var running: String?
  private var headers: Headers = [:]
  private var base = Base.current
  private var instance = ""
  var why: String?

  init(_ code: ErrorCode, _ detail: String? = nil) {
    self.code = code
    status = code.status
    title = code.entry.title ?? ""
    self.detail = detail ?? code.message
  }

  /// 422 with one entry for each fault.
  static func invalid(_ parameters: [Parameter], as code: ErrorCode = .invalidParams) -> APIError {
    var error = APIError(code)
    error.parameters = parameters
    error.why = parameters.map { "\($0.name): \($0.reason)" }.joined(separator: "; ")
    return error
  }

  static func invalid(_ name: String, _ reason: String) -> APIError {
    .invalid([Parameter(name: name, reason: reason)])
  }

  static let networkNotSupported: APIError = {
    var error = APIError(
      .preconditionFailed, "Device number does not resolve to a supported Mobile Network Operator.")
    error.title = "Network not supported"
    return error
  }()

  /// Of a silent authentication.
  static let alreadyChecked = APIError(
    .conflict, "The silent authentication was checked already, or another channel is in use.")

  static func requestNotFound(_ id: String) -> APIError {
    APIError(.requestNotFound, ErrorCode.requestNotFound(id))
  }

  static func concurrent(with request: String) -> APIError {
    var error = APIError(.concurrent)
    error.running = request
    return error.because(
      "the request \(request) is in progress",
      change: "Check the code of \(request), or cancel it; then start a new one.")
  }

  init(_ failure: RequestFailure, to request: Request) {
    let isInsights = request.target.path.hasPrefix("/identity-insights/")
    switch failure {
    case .unknownPath, .notEmulated: self.init(.notFound)
    case .wrongMethod(let allowed):
      self.init(.methodNotAllowed)
      headers.add("Allow", allowed.map(\.rawValue).joined(separator: ", "))
    case .malformed(nil, let expected) where isInsights:
      self.init(.invalidJSON)
      why = expected
    case .malformed(let field, let expected):
      let name = memberName(of: field)
      if isInsights, name == "body" {
        self.init(.invalidJSON)
        why = expected
      } else {
        self = .invalid(
          [Parameter(name: name, reason: "expected \(expected)")],
          as: isInsights ? .validation : .invalidParams)
      }
    case .fault(let status, let code):
      self = .injected(status: status, code: code)
      if self.code == .requestNotFound {
        let captured = request.parameters
        detail = ErrorCode.requestNotFound(captured.value("request_id") ?? captured.value("token") ?? "")
      }
    case .rejected(let status, let sentence):
      self = .injected(status: status, code: nil)
      why = sentence
    case .internalError: self.init(.internalError)
    case .overload: self.init(.unavailable)
    }
  }

  /// The error of an injected fault: the provider's error of that code, or the general one of that status.
  private static func injected(status: Status?, code: String?) -> APIError {
    let known = code.flatMap(ErrorCode.init)
    var error = APIError(known ?? ErrorCode.general(for: status ?? 500))
    if let status { error.status = status } else if known == nil, code != nil { error.status = 500 }
    if known == nil { error.injectedCode = code }
    return error
  }

  /// The error with what depends on the sandbox: the beginning of `type`, and `instance`.
  func completed(_ settings: Settings, in sandbox: Sandbox) -> APIError {
    var error = self
    error.base = settings.errorBase
    error.instance = UUIDText.version4(sandbox.requestIdentifier("vonage error"))
    return error
  }

  func completed(in sandbox: Sandbox) throws -> APIError {
    completed(try Settings.current(in: sandbox), in: sandbox)
  }

  var response: Response {
    .problem(status, headers, parameters) { json in
      json.member("title", title)
      json.member("type", injectedCode.map { "https://developer.vonage.com/en/api-errors#\($0)" } ?? type)
      json.member("detail", detail)
      json.member("instance", instance)
      if let running { json.member("request_id", running) }
    }
  }

  private var type: String { base.type(of: code) }
}

/// Collects the faults of a body, because one answer names all of them. A class, so that nested readers share
/// it.
final class Faults {
  private var parameters: [APIError.Parameter] = []

  /// Nil if there are none.
  var found: [APIError.Parameter]? { parameters.isEmpty ? nil : parameters }

  func note(_ name: String, _ reason: String) {
    parameters.append(APIError.Parameter(name: name, reason: reason))
  }

  /// Throws if there are any.
  func check(as code: ErrorCode = .invalidParams) throws(APIError) {
    if !parameters.isEmpty { throw .invalid(parameters, as: code) }
  }
}

/// Reads the members of an object, and notes the wrong ones.
struct Reader {
  let fields: Fields
  let faults: Faults
  /// The path of the object in names of parameters: `workflow[0].`
  var place = ""

  func note(_ name: String, _ reason: String) { faults.note(place + name, reason) }

  /// A text that a condition holds for; nil if it is missing or wrong.
  func text(
    _ name: String, _ expected: @autoclosure () -> String, required: Bool = false,
    where isValid: (String) -> Bool = { _ in true }
  ) -> String? {
    let text: String?
    do {
      text = try fields.optionalString(name)
    } catch {
      note(name, "expected \(expected())")
      return nil
    }
    guard let text else {
      if required { note(name, "\(name.prefix(1).uppercased())\(name.dropFirst()) is required") }
      return nil
    }
    guard isValid(text) else {
      note(name, "expected \(expected())")
      return nil
    }
    return text
  }

  func integer(_ name: String, _ range: ClosedRange<Int>) -> Int? {
    func expected() -> String { "expected an integer from \(range.lowerBound) to \(range.upperBound)" }
    guard let value = read(name, expected(), fields.optionalInt) else { return nil }
    guard range.contains(value) else {
      note(name, expected())
      return nil
    }
    return value
  }

  func flag(_ name: String) -> Bool? { read(name, "expected true or false", fields.optionalBool) }

  private func read<Value>(
    _ name: String, _ reason: @autoclosure () -> String, _ read: (String) throws -> Value?
  ) -> Value? {
    do {
      return try read(name)
    } catch {
      note(name, reason())
      return nil
    }
  }
}

extension Response {
  /// A problem (RFC 9457) with the members that `write` adds, then the parameters that are wrong.
  static func problem(
    _ status: Status, _ headers: Headers, _ parameters: [APIError.Parameter],
    _ write: (inout JSONWriter) -> Void
  ) -> Response {
    let body = JSONWriter.object { json in
      write(&json)
      guard !parameters.isEmpty else { return }
      json.array("invalid_parameters", parameters) { json, parameter in
        json.value { json in
          json.member("name", parameter.name)
          json.member("reason", parameter.reason)
        }
      }
    }
    var response = Response(status, headers: ["Content-Type": "application/problem+json"], body: body)
    response.headers.append(headers)
    return response
  }
}
