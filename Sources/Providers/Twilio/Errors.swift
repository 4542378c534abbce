package import HTTP
import JSON
import ProviderKit

/// A refusal in the vendor's words. Source: contract 2.5 and 13.
package struct Problem: ResponseError, Equatable {
  /// The vendor's error number.
  package let code: Int
  /// The HTTP status.
  package let status: Status
  /// The sentence in the body.
  package let message: String
  /// For the journal: what really happened.
  package var why: String?
  /// Fields beside those of every answer.
  package var headers: Headers = [:]

  /// The error body; `more_info` is absolute, as on the live service.
  package var response: Response {
    let body = JSONWriter.object { json in
      json.member("code", code)
      json.member("message", message)
      json.member("more_info", "https://www.twilio.com/docs/errors/\(code)")
      json.member("status", status.code)
    }
    var response = Response.json(status, body)
    for (name, value) in headers.pairs { response.headers.add(name, value) }
    return response
  }

  /// The same refusal with the truth for the journal.
  func because(_ why: String) -> Problem {
    var problem = self
    problem.why = why
    return problem
  }

  private init(_ code: Int, _ status: Status, _ message: String) {
    self.code = code
    self.status = status
    self.message = message
  }

  /// The refusal of this number with the vendor's usual text, for faults; unknown numbers are refused as 400.
  init(code: Int) {
    let entry = Self.dictionary[code]
    self.init(code, entry?.status ?? 400, entry?.message ?? "Error \(code)")
  }

  /// What a fault asks for: the vendor's error of that number, or its general one of that status; its text
  /// names path and channel where the vendor's does.
  static func fault(status: Status?, code: String?, path: String, channel: String) -> Problem {
    let number = code.flatMap { Int($0) } ?? generalCode(for: status?.code ?? 500)
    let usual =
      switch number {
      case 20404: notFound(path)
      case 60223: channelDisabled(channel)
      default: Problem(code: number)
      }
    return Problem(number, status ?? usual.status, usual.message)
  }

  /// The number of the vendor's that says no more than a status does.
  private static func generalCode(for status: Int) -> Int {
    switch status {
    case 401: 20003
    case 404: 20404
    case 405: 20004
    case 429: 20429
    case 500...: 20500
    default: 60200
    }
  }

  static let authenticate: Problem = {
    var problem = Problem(20003, 401, "Authenticate")
    problem.headers = ["WWW-Authenticate": "Basic realm=\"Twilio API\""]
    return problem
  }()
  static let invalidUsername: Problem = {
    var problem = Problem(20003, 401, "Authentication Error - invalid username")
    problem.headers = ["WWW-Authenticate": "Basic realm=\"Twilio API\""]
    return problem
  }()
  static let methodNotAllowed = Problem(code: 20004)
  static let internalServerError = Problem(code: 20500)
  static let serviceUnavailable = Problem(20500, 503, "Service unavailable")
  static let maxCheckAttempts = Problem(code: 60202)
  static let maxSendAttempts = Problem(code: 60203)
  static let featureNotSupported = Problem(code: 60204)
  static let smsToLandline = Problem(code: 60205)
  static let amountAndPayeeRequired = Problem(code: 60206)
  static let callNotSupportedWithPSD2 = Problem(code: 60214)
  static let noTarget = Problem(code: 60221)
  static let templateNotFound = Problem(code: 60228)
  static let silentNotSupportedWithPSD2 = Problem(code: 60329)
  static let templateOnlyForTexts = Problem(code: 60408)
  static let appHashOnlyForTexts = Problem(code: 60602)

  /// 20404 for a resource by its path.
  static func notFound(_ path: String) -> Problem {
    Problem(20404, 404, "The requested resource \(path) was not found")
  }

  /// 60200 in the style that names the parameter only.
  static func invalid(_ parameter: String) -> Problem {
    Problem(60200, 400, "Invalid parameter: \(parameter)")
  }

  /// 60200 in the style that quotes the parameter and repeats the value.
  static func invalid(_ parameter: String, value: String) -> Problem {
    Problem(60200, 400, "Invalid parameter `\(parameter)`: \(value)")
  }

  /// 60223 for a channel that is switched off; the vendor writes it in capitals.
  static func channelDisabled(_ channel: String) -> Problem {
    Problem(60223, 400, "Delivery channel disabled: \(channel.uppercased())")
  }
}
