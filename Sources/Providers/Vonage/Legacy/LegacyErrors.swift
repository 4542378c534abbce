import ProviderKit

/// The statuses of Verify legacy and Number Insight, whose answers are always 200.
enum LegacyStatus: Int, ErrorName {
  case throttled = 1
  case missing = 2
  case invalid = 3
  case credentials = 4
  case internalError = 5
  case unroutable = 6
  case blocked = 7
  case barred = 8
  case quota = 9
  case concurrent = 10
  case unsupportedNetwork = 15
  case wrongCode = 16
  case tooManyWrongCodes = 17
  case tooManyIDs = 18
  case refusedCommand = 19
  case pinCode = 20
  case demoAccount = 29
  case noResponse = 101

  static var table: ErrorTable { VonageProvider.errorTable }
  var format: String? { "status" }

  /// Its text with another reason at the end.
  static func unroutable(because reason: String) -> String {
    unroutable.message.replacing("The request could not be routed.", with: reason)
  }
}

/// A refusal of Verify legacy, Number Insight or SMS. Source: contract 9; `senders.md` 5.
struct LegacyError: ProviderError, Equatable {
  enum Format: Equatable {
    case json
    /// With this element.
    case xml(root: String)
    /// Of Number Insight: the status is a number.
    case insight
    case sms(isXML: Bool)
  }

  /// A number; an injected fault may ask for another text.
  let status: String
  let text: String
  /// The id in the request or of a request in progress. Source: contract 9; most answers have none.
  var requestID: String?
  /// Of SMS: the number in the request.
  var receiver: String?
  private var httpStatus: Status = 200
  private var format: Format
  private var headers: Headers = [:]
  var why: String?

  init(_ status: LegacyStatus, _ text: String? = nil, requestID: String? = nil) {
    self.status = "\(status.rawValue)"
    self.text = text ?? status.message
    self.requestID = requestID
    format = .json
    // The status of the answer, 200, does not tell that it is a refusal.
    why = self.text
  }

  init(sms status: SMSStatus, _ text: String? = nil) {
    self.status = "\(status.rawValue)"
    self.text = text ?? status.message
    format = .json
    why = self.text
  }

  /// The same error in the format that a path asks for.
  func formatted(for request: Request) -> LegacyError {
    var error = self
    let path = request.target.path
    let isXML = path.hasSuffix("/xml")
    error.format =
      path.hasPrefix("/ni/")
      ? .insight
      : Self.isOfSMS(request) ? .sms(isXML: isXML) : isXML ? .xml(root: Self.root(of: path)) : .json
    return error
  }

  init(_ failure: RequestFailure, to request: Request) {
    switch failure {
    case .unknownPath, .notEmulated:
      self.init(.invalid, "No such operation")
      httpStatus = 404
    case .wrongMethod(let allowed):
      self.init(.invalid, "Method not allowed")
      httpStatus = 405
      headers.add("Allow", allowed.map(\.rawValue).joined(separator: ", "))
    case .malformed(let field, _):
      self.init(.invalid, "Invalid value for param: \(memberName(of: field))")
    case .fault(let status, let code):
      let (number, general) = (code.flatMap(Int.init), Self.general(for: status))
      if Self.isOfSMS(request) {
        self.init(sms: number.flatMap(SMSStatus.init) ?? SMSStatus(general))
      } else {
        self.init(number.flatMap(LegacyStatus.init) ?? general)
      }
      if let status { httpStatus = status }
    case .rejected(let status, let sentence):
      self.init(.invalid, sentence)
      httpStatus = status
    case .internalError, .overload:
      if Self.isOfSMS(request) { self.init(sms: .internalError) } else { self.init(.internalError) }
      httpStatus = failure == .overload ? 503 : 500
    }
    self = formatted(for: request)
  }

  /// The element of XML.
  private static func root(of path: String) -> String {
    if path.hasPrefix("/verify/search/") { return "verify_request" }
    return path.hasPrefix("/verify/control/") ? "response" : "verify_response"
  }

  /// True if errors of a path have this format.
  static func isFormat(of request: Request) -> Bool {
    let path = request.target.path
    return path.hasPrefix("/ni/") || path.hasPrefix("/verify/") && path != networkUnblockPath
      || isOfSMS(request)
  }

  private static func isOfSMS(_ request: Request) -> Bool {
    let path = request.target.path
    return path.hasPrefix("/sms/") || path.hasPrefix("/sc/us/2fa/")
  }

  private static func general(for status: Status?) -> LegacyStatus {
    switch status?.code {
    case 401?: .credentials
    case 429?: .throttled
    case (..<500)?: .invalid
    default: .internalError
    }
  }

  var response: Response {
    var response: Response
    switch format {
    case .insight:
      response = .json(httpStatus) { json in
        json.member("status", Int(status) ?? LegacyStatus.internalError.rawValue)
        json.member("status_message", text)
      }
    case .sms(let isXML):
      let members = [("to", receiver), ("status", status), ("error-text", text)]
      let known = members.compactMap { name, value in value.map { (name: name, value: $0) } }
      response = SMSAnswer(messages: [known]).response(httpStatus, isXML: isXML)
    case .json: response = answer("").response(httpStatus, isXML: false)
    case .xml(let root): response = answer(root).response(httpStatus, isXML: true)
    }
    response.headers.append(headers)
    return response
  }

  private func answer(_ root: String) -> LegacyAnswer {
    LegacyAnswer(
      root, [.optional("request_id", requestID), .text("status", status), .text("error_text", text)])
  }
}
