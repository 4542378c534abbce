import ProviderKit

/// An error in the provider's format. Source: contract 2.5 and 13.
struct APIError: ProviderError, Equatable {
  /// Twilio's error number, such as 60200.
  let code: Int
  let status: Status
  let message: String
  var why: String?
  /// Headers beside the common ones.
  var headers: Headers = [:]

  private init(_ code: Int, _ status: Status, _ message: String) {
    self.code = code
    self.status = status
    self.message = message
    // Until `because` names a better reason.
    if status == 400 { why = message }
  }

  /// The error of this number with its text of `Errors.txt`. Another number, which a fault can name, gets
  /// 400.
  init(code: Int) {
    let known = TwilioProvider.errorTable[String(code)]
    self.init(code, known?.status ?? 400, known?.text ?? "Error \(code)")
  }

  /// The error of this number with a text of its own.
  init(code: Int, message: String) {
    let known = APIError(code: code)
    self.init(code, known.status, message)
  }

  /// `more_info` is an absolute URL, as on the live service.
  var response: Response {
    var response = Response.json(status) { json in
      json.member("code", code)
      json.member("message", message)
      json.member("more_info", "https://www.twilio.com/docs/errors/\(code)")
      json.member("status", status.code)
    }
    for (name, value) in headers.pairs { response.headers.add(name, value) }
    return response
  }
}

/// One error per cause.
extension APIError {
  static let unauthenticated = unauthorized("Authenticate")
  static let invalidUsername = unauthorized("Authentication Error - invalid username")
  static let methodNotAllowed = APIError(code: 20004)
  static let accountNotActive = APIError(code: 20005)
  static let internalServerError = APIError(code: 20500)
  static let serviceUnavailable = APIError(code: 20503)
  static let maxCheckAttemptsReached = APIError(code: 60202)
  static let maxSendAttemptsReached = APIError(code: 60203)
  static let featureNotSupported = APIError(code: 60204)
  static let smsToLandline = APIError(code: 60205)
  static let amountAndPayeeRequired = APIError(code: 60206)
  static let callNotSupportedWithPSD2 = APIError(code: 60214)
  static let noTargetVerification = APIError(code: 60221)
  static let translationNotApproved = APIError(code: 60201)
  static let missingSubstitutions = APIError(code: 60224)
  static let invalidTemplatesParameter = APIError(code: 60251)
  static let invalidTemplates = APIError(code: 60252)
  static let templateChannelUnsupported = APIError(code: 60227)
  static let templateNotFound = APIError(code: 60228)
  static let translationNotFound = APIError(code: 60229)
  static let silentNotSupportedWithPSD2 = APIError(code: 60329)
  static let templateOnlyForSMS = APIError(code: 60408)
  static let appHashOnlyForSMS = APIError(code: 60602)

  static func unknownTemplate(_ sid: String) -> APIError {
    .templateNotFound.because(
      "no template \(sid): GET /v2/Templates has the templates, and seeds can add more (twilio.templates)")
  }

  private static func unauthorized(_ message: String) -> APIError {
    var error = APIError(20003, 401, message)
    error.headers = ["WWW-Authenticate": "Basic realm=\"Twilio API\""]
    return error
  }

  /// 20404 for a resource, named by its path.
  static func notFound(_ path: String) -> APIError {
    APIError(20404, 404, "The requested resource \(path) was not found")
  }

  /// 60200 in the style that names the parameter only.
  static func invalidParameter(_ name: String, expected: String) -> APIError {
    APIError(60200, 400, "Invalid parameter: \(name)").because("\(name): expected \(expected)")
  }

  /// 60200 in the style that quotes the parameter and repeats its value.
  static func invalidParameter(_ name: String, value: String, expected: String) -> APIError {
    APIError(60200, 400, "Invalid parameter `\(name)`: \(value)")
      .because("\(name): expected \(expected); found \(value.quoted)")
  }

  /// 60223; the text has the channel in capitals.
  static func channelDisabled(_ channel: String) -> APIError {
    APIError(60223, 400, "Delivery channel disabled: \(channel.uppercased())")
  }
}

/// Texts that name a destination. Source: contract 16.2 and 20.
extension APIError {
  private static let messageTexts = texts(PackageResources.MessageErrors_txt)
  private static let callTexts = texts(PackageResources.CallErrors_txt)

  private static func texts(_ table: [UInt8]) -> [Int: String] {
    embedded {
      try TextTable(table, columns: 2...2).rows.reduce(into: [:]) { $0[try $1.number(0)] = $1[1] }
    }
  }

  /// An error of the calls API.
  static func call(_ code: Int, to: String, from: String = "") -> APIError {
    message(code, to: to, from: from, callTexts)
  }

  /// An error of the messages API.
  static func message(_ code: Int, to: String, from: String = "") -> APIError {
    message(code, to: to, from: from, messageTexts)
  }

  private static func message(_ code: Int, to: String, from: String, _ texts: [Int: String]) -> APIError {
    let general = APIError(code: code)
    let text = Placeholders.braces.fill(texts[code] ?? general.message) {
      ["to": to, "hidden to": "\(to.dropLast(4))XXXX", "from": from][$0]
    }
    // Verify answers 403 to a number that a trial account has not verified. Source: contract 13.4.
    return APIError(code, code == 21608 ? 400 : general.status, text)
  }

  /// 60410; the text has the channel in capitals. A recorded one has the whole number as the prefix.
  static func fraudBlocked(_ prefix: String?, _ channel: String) -> APIError {
    let general = APIError(code: 60410)
    guard let prefix else { return general }
    let place = "\(prefix) prefix is blocked for the \(channel.uppercased()) channel"
    return APIError(general.code, general.status, "\(general.message) \(place)")
  }

  /// 60605; numbers of unknown countries get the text without a country.
  static func countryBlocked(_ country: String?, _ channel: String) -> APIError {
    let general = APIError(code: 60605)
    guard let country else { return general }
    let place = "\(country) is blocked for \(channel.lowercased()) channel for all services"
    return APIError(general.code, general.status, "\(general.message) \(place)")
  }
}

/// Errors of requests that no operation answers.
extension APIError {
  init(_ failure: RequestFailure, of request: Request, in sandbox: Sandbox) {
    switch failure {
    case .unknownPath, .notEmulated, .wrongMethod:
      if let refusal = RequestContext.refusal(of: request, in: sandbox) {
        self = refusal
        return
      }
      if case .wrongMethod = failure {
        self = .methodNotAllowed
        return
      }
      let settings = Settings.readable(in: sandbox)
      self = .notFound(settings.notFoundPath(request.target.path))
    case .malformed(let field, let expected): self = .invalidParameter(field ?? "body", expected: expected)
    case .fault(let status, let code): self.init(injected: code, status: status, of: request)
    case .rejected(let status, let why): self.init(Self.generalCode(for: status.code), status, why)
    case .internalError: self = .internalServerError
    case .overload: self = .serviceUnavailable
    }
  }

  /// An injected fault: the error of that number, or the general error of that status.
  private init(injected code: String?, status: Status?, of request: Request) {
    let number = code.flatMap { Int($0) } ?? Self.generalCode(for: status?.code ?? 500)
    let documented: APIError =
      switch number {
      case 20404: .notFound(request.target.path)
      case 60223: .channelDisabled(Self.channel(of: request))
      case 60410: .fraudBlocked(Self.destination(of: request)?.description, Self.channel(of: request))
      case 60605:
        .countryBlocked(
          Self.destination(of: request).flatMap(\.country), Self.channel(of: request))
      default: APIError(code: number)
      }
    self.init(number, status ?? documented.status, documented.message)
  }

  private static func generalCode(for status: Int) -> Int {
    switch status {
    case 401: 20003
    case 404: 20404
    case 405: 20004
    case 429: 20429
    case 503: 20503
    case 500...: 20500
    default: 60200
    }
  }

  /// The channel that a creation asks for. Parses the body anew, so that the journal still lists fields as
  /// unread.
  private static func channel(of request: Request) -> String {
    (try? Form(parsing: request.body))?.text("Channel") ?? "sms"
  }

  /// The phone number of a creation, or of the path; nil for requests without one.
  static func destination(of request: Request) -> PhoneNumber? {
    let text = (try? Form(parsing: request.body))?.text("To") ?? request.parameters.value("verification")
    return text.flatMap { PhoneNumber($0) }
  }
}
