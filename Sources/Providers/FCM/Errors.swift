import ProviderKit

/// An error in the format of Google's APIs. Source: contract 1.3; https://cloud.google.com/apis/design/errors
struct APIError: ProviderError, Equatable {
  /// `errorCode` of FCM's own errors.
  enum Code: String, ErrorName {
    case unregistered = "UNREGISTERED"
    case invalidArgument = "INVALID_ARGUMENT"
    case senderIDMismatch = "SENDER_ID_MISMATCH"
    case quotaExceeded = "QUOTA_EXCEEDED"
    case thirdPartyAuthError = "THIRD_PARTY_AUTH_ERROR"
    case unavailable = "UNAVAILABLE"
    case `internal` = "INTERNAL"

    static var table: ErrorTable { FCMProvider.errorTable }
  }

  /// `WWW-Authenticate` of bad credentials.
  enum Challenge: String {
    case missing = #"Bearer realm="https://accounts.google.com/""#
    case invalid = #"Bearer realm="https://accounts.google.com/", error="invalid_token""#
  }

  var status: Status
  let message: String
  /// Nil: the name that belongs to the status.
  var statusName: StatusName?
  /// In the order of the response.
  var details: [ErrorDetail] = []
  var challenge: Challenge?
  /// In seconds.
  var retryAfter: Int?
  var why: String?

  /// A general error.
  init(_ status: Status, _ message: String) {
    self.status = status
    self.message = message
    // Until `because` names a better reason.
    if status == 400 { why = message.replacing("\n", with: "; ") }
  }

  /// A general error of this name.
  init(named name: StatusName, _ message: String? = nil) {
    self.init(name.status, message ?? name.message)
    statusName = name
  }

  /// One of FCM's own errors.
  init(_ code: Code, _ message: String? = nil) {
    self.init(code.status, message ?? code.message)
    details = [.fcm(code)]
  }

  init(_ violations: [Violation], code: Code? = nil) {
    self.init(400, violations.map(\.description).joined(separator: "\n"))
    details = (code.map { [.fcm($0)] } ?? []) + [.badRequest(violations)]
  }

  /// Nil for general errors.
  var code: Code? {
    for case .fcm(let code) in details { return code }
    return nil
  }

  var response: Response {
    let body = JSONWriter.object { json in
      json.object("error") { json in
        json.member("code", status.code)
        json.member("message", message)
        json.member("status", (statusName ?? StatusName(status)).rawValue)
        if !details.isEmpty {
          json.array("details", details) { json, detail in json.value { detail.write(to: &$0) } }
        }
      }
    }
    var response = Response.google(status, body)
    if let retryAfter { response.headers.add("Retry-After", String(retryAfter)) }
    if let challenge { response.headers.add("WWW-Authenticate", challenge.rawValue) }
    return response
  }
}

/// Errors of requests that no operation answers.
extension APIError {
  init(_ failure: RequestFailure, to request: Request, in sandbox: Sandbox) {
    switch failure {
    case .unknownPath, .wrongMethod: self.init(404, "Method not found.")
    case .notEmulated:
      self.init(
        404,
        "The legacy FCM API was shut down in 2024: send by HTTP v1, POST /v1/projects/{project}/messages:send."
      )
    case .malformed(let field, let expected):
      let place = field.map { " at '\($0)'" } ?? ""
      self.init(400, "Invalid JSON payload received\(place). Expected \(expected)")
    case .fault(let status, let code): self.init(injected: code, status: status, to: request, in: sandbox)
    case .rejected(let status, let why): self.init(status, why)
    case .internalError: self = .internalError
    case .overload: self.init(named: .unavailable)
    }
  }

  /// An injected fault: the error of that code or of that name of Google's, or the general error of that
  /// status.
  private init(injected word: String?, status: Status?, to request: Request, in sandbox: Sandbox) {
    let settings = Settings.readable(in: sandbox)
    if let code = word.flatMap(Code.init) {
      self = .typical(code, settings)
    } else if let name = word.flatMap(StatusName.init) {
      self = .typical(name, project: request.parameters.value("project") ?? "", in: sandbox)
    } else if let code = Code(status: status ?? 500) {
      self = .typical(code, settings)
    } else {
      self.init(status ?? 500, "The request was refused on purpose.")
    }
    self.status = status ?? self.status
  }
}

extension APIError.Code {
  /// FCM's error of a status; nil for statuses with general errors.
  fileprivate init?(status: Status) {
    switch status.code {
    case 429: self = .quotaExceeded
    case 500: self = .internal
    case 503: self = .unavailable
    default: return nil
    }
  }
}

extension Response {
  /// JSON as Google's front end sends it: indented by two spaces, and with this content type.
  /// Source: contract, additions.
  static func google(_ status: Status, _ body: [UInt8]) -> Response {
    Response(
      status, headers: ["Content-Type": "application/json; charset=UTF-8"], body: JSON.indented(body))
  }
}

extension JSON {
  /// Compact JSON with a line for each member and item, and a newline at the end.
  fileprivate static func indented(_ compact: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(compact.count * 2)
    var (depth, isInString, isEscaped) = (0, false, false)
    func newLine() {
      text.append(UInt8(ascii: "\n"))
      text.append(contentsOf: repeatElement(UInt8(ascii: " "), count: depth * 2))
    }
    for (index, byte) in compact.enumerated() {
      if isInString {
        text.append(byte)
        isInString = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        continue
      }
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        text.append(byte)
        depth += 1
        let closesAtOnce = compact.indices.contains(index + 1) && [0x7D, 0x5D].contains(compact[index + 1])
        if !closesAtOnce { newLine() }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        let isEmpty = index > 0 && [0x7B, 0x5B].contains(compact[index - 1])
        if !isEmpty { newLine() }
        text.append(byte)
      case UInt8(ascii: ","):
        text.append(byte)
        newLine()
      case UInt8(ascii: ":"): text.append(contentsOf: [byte, UInt8(ascii: " ")])
      default:
        isInString = byte == UInt8(ascii: "\"")
        text.append(byte)
      }
    }
    return text + [UInt8(ascii: "\n")]
  }
}
