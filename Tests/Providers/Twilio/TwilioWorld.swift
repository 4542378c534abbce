import Domain
import HTTP
import JSON
import Support
import Testing
import Twilio

/// A sandbox with one client of the Twilio API. Every response is validated by Twilio's OpenAPI document, if
/// this machine has it.
struct TwilioWorld: ProviderWorld {
  static let provider = "twilio"
  static let account = "AC00000000000000000000000000000001"
  static let token = "0123456789abcdef0123456789abcdef"
  static let service = "VA00000000000000000000000000000001"
  static let services = "/v2/Services"
  static let verifications = "/v2/Services/\(service)/Verifications"
  static let check = "/v2/Services/\(service)/VerificationCheck"
  static let number = "+12025550100"
  static let credentials = Request.basic(account, token)

  let world: TestSandbox

  init(acceptsUnknownAccounts: Bool = true, numbers: NumberPlan.Policy = .open) throws {
    world = try TestSandbox(of: TwilioProvider.self) {
      $0.acceptsUnknownAccounts = acceptsUnknownAccounts
      $0.numbers = numbers
    }
  }

  func send(_ request: Request, at location: SourceLocation = #_sourceLocation) throws -> Exchange {
    let exchange = try world.send(request)
    for complaint in OpenAPIDocument.complaints(about: exchange, of: Self.provider) {
      Issue.record("response \(complaint)", sourceLocation: location)
    }
    return exchange
  }

  func get(_ path: String, as credentials: Headers = credentials) throws -> Exchange {
    try send(.to(path, headers: credentials))
  }

  func delete(_ path: String, as credentials: Headers = credentials) throws -> Exchange {
    try send(.to(path, .delete, headers: credentials))
  }

  func post(
    _ path: String, _ form: KeyValuePairs<String, String>, as credentials: Headers = credentials
  ) throws -> Exchange {
    try send(.post(path, form: form, headers: credentials))
  }
}

extension TwilioWorld {
  /// A form with repeated or computed names.
  func post(
    _ path: String, pairs: [(String, String)], as credentials: Headers = credentials,
    at location: SourceLocation = #_sourceLocation
  ) throws -> Exchange {
    let body = pairs.map { "\($0)=\(PercentCoding.encode($1))" }.joined(separator: "&")
    var headers = credentials
    headers.add("Content-Type", "application/x-www-form-urlencoded")
    return try send(.to(path, .post, headers: headers, body: Array(body.utf8)), at: location)
  }
}

/// Shorthand for tests of verifications.
extension TwilioWorld {
  func create(to number: String = number, over channel: String = "sms") throws -> Exchange {
    try post(Self.verifications, ["To": number, "Channel": channel])
  }

  func started(to number: String = number, over channel: String = "sms") throws -> VerificationAnswer {
    try create(to: number, over: channel).decode()
  }

  func check(_ code: String, for number: String = number) throws -> Exchange {
    try post(Self.check, ["To": number, "Code": code])
  }

  func fetch(_ name: String = number) throws -> Exchange {
    try get("\(Self.verifications)/\(name)")
  }

  /// Updates the seeded Service.
  func set(_ parameters: KeyValuePairs<String, String>) throws {
    _ = try post("\(Self.services)/\(Self.service)", parameters).decode(ServiceAnswer.self)
  }
}

/// An error as `Exchange.answer` has it: status and body.
func errorAnswer(_ status: Int, _ code: Int, _ message: String) -> String {
  let body = JSONWriter.object { json in
    json.member("code", code)
    json.member("message", message)
    json.member("more_info", "https://www.twilio.com/docs/errors/\(code)")
    json.member("status", status)
  }
  return "\(status) \(String(decoding: body, as: UTF8.self))"
}

func notFound(_ path: String) -> String {
  errorAnswer(404, 20404, "The requested resource \(path) was not found")
}
