import ProviderKit

/// The errors of Messages: the ends of their types. Source: `senders.md` 6.
enum MessagesErrorCode: String, ErrorName {
  /// So spelt.
  case unauthorized = "unathorized"
  case lowBalance = "low-balance"
  case notFound = "not-found"
  case methodNotAllowed = "method-not-allowed"
  case invalidJSON = "invalid-json"
  case clientReference = "1060"
  case channel = "1100"
  case channelParameters = "1110"
  case sender = "1120"
  case recipient = "1130"
  case messageType = "1140"
  case parameters = "1150"
  case throttled
  case internalError = "internal-error"

  static var table: ErrorTable { VonageProvider.errorTable }
  var format: String? { "messages" }

  /// That of a parameter which is wrong; `failover[0].to` is one of a later message.
  init(ofParameter name: String) {
    let path = name.split(separator: ".").drop { $0.hasPrefix("failover[") }
    self =
      switch path.first {
      case "client_ref": .clientReference
      case "channel": .channel
      case "from": .sender
      case "to": .recipient
      case "message_type": .messageType
      case "sms", "rcs", "whatsapp": .channelParameters
      default: .parameters
      }
  }

  static func general(for status: Status) -> Self {
    switch status.code {
    case 401, 403: .unauthorized
    case 402: .lowBalance
    case 404: .notFound
    case 405: .methodNotAllowed
    case 429: .throttled
    case ..<500: .parameters
    default: .internalError
    }
  }

  fileprivate var type: String {
    let page = rawValue.utf8.allSatisfy { $0.isDigit } ? "messages" : ""
    return "https://developer.vonage.com/api-errors/\(page)#\(rawValue)"
  }
}

/// A problem document of Messages. Source: `senders.md` 6.
struct MessagesError: ProviderError, Equatable {
  private let code: MessagesErrorCode
  private var status: Status
  private var parameters: [APIError.Parameter] = []
  private var headers: Headers = [:]
  private var instance = ""
  var why: String?

  init(_ code: MessagesErrorCode) {
    self.code = code
    status = code.status
  }

  /// The first parameter decides the type.
  static func invalid(_ parameters: [APIError.Parameter]) -> MessagesError {
    var error = MessagesError(parameters.first.map { .init(ofParameter: $0.name) } ?? .parameters)
    error.parameters = parameters
    error.why = parameters.map { "\($0.name): \($0.reason)" }.joined(separator: "; ")
    return error
  }

  /// More requests in a second than the setting `throughput` allows.
  static func throttled(limit: Int, at time: Timestamp) -> MessagesError {
    var error = MessagesError(.throttled).because("the setting throughput is \(limit)")
    error.headers = [
      "Retry-After": "1", "X-RateLimit-Limit": String(limit), "X-RateLimit-Remaining": "0",
      "X-RateLimit-Reset": String(time.unixSeconds + 1),
    ]
    return error
  }

  init(_ failure: RequestFailure, to request: Request) {
    switch failure {
    case .unknownPath, .notEmulated: self.init(.notFound)
    case .wrongMethod(let allowed):
      self.init(.methodNotAllowed)
      headers.add("Allow", allowed.map(\.rawValue).joined(separator: ", "))
    case .malformed(let field, let expected):
      let name = memberName(of: field)
      if name == "body" {
        self.init(.invalidJSON)
        why = expected
      } else {
        self = .invalid([.init(name: name, reason: "expected \(expected)")])
      }
    case .fault(let status, let code):
      self.init(code.flatMap(MessagesErrorCode.init) ?? .general(for: status ?? 500))
      self.status = status ?? self.status
    case .rejected(let status, let sentence):
      self.init(.general(for: status))
      self.status = status
      why = sentence
    case .internalError: self.init(.internalError)
    case .overload:
      self.init(.internalError)
      status = 503
    }
  }

  /// True if errors of a path have this format.
  static func isFormat(of request: Request) -> Bool {
    let path = request.target.path
    return path == "/v1/messages" || path.hasPrefix("/v1/messages/") || path == "/v0.1/messages"
  }

  /// With what depends on the sandbox.
  func completed(requestID: String? = nil, in sandbox: Sandbox) -> MessagesError {
    var error = self
    error.instance = sandbox.requestIdentifier("vonage messages error")
    if let requestID { error.headers.add("X-Request-Id", requestID) }
    return error
  }

  var response: Response {
    .problem(status, headers, parameters) { json in
      json.member("type", code.type)
      json.member("title", code.entry.title)
      json.member("detail", code.message)
      json.member("instance", instance)
    }
  }
}
