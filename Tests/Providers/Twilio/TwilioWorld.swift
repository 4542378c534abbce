import Domain
import HTTP
import JSON
import Support
import Testing

/// A sandbox with one client of the vendor's API; each answer is held against the vendor's OpenAPI document
/// where this machine has it.
struct TwilioWorld {
  static let account = "AC00000000000000000000000000000001"
  static let token = "0123456789abcdef0123456789abcdef"
  static let service = "VA00000000000000000000000000000001"
  static let services = "/v2/Services"
  static let verifications = "/v2/Services/\(service)/Verifications"
  static let check = "/v2/Services/\(service)/VerificationCheck"
  static let number = "+12025550100"
  static let credentials = Request.basic(account, token)

  /// Where the contract departs from the vendor's document: the channel of newer pages. Source: contract 4.1.
  static let departures = [#"$.channel: string("rcs") is none of the listed values"#]

  let world: TestSandbox

  init(acceptsUnknownAccounts: Bool = true, numbers: NumberPlan.Policy = .open) throws {
    world = try TestSandbox(acceptsUnknownAccounts: acceptsUnknownAccounts, numbers: numbers)
  }

  var sandbox: Sandbox { world.sandbox }

  func send(_ request: Request, at location: SourceLocation = #_sourceLocation) throws -> Exchange {
    let exchange = try world.send(request)
    let disagreements = OpenAPIDocument.twilioVerify.map(exchange.disagreements) ?? []
    for line in disagreements where !Self.departures.contains(line) {
      Issue.record("the vendor's document disagrees: \(line)", sourceLocation: location)
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

/// What tests of verifications say in a word.
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

  func update(_ name: String = number, to status: String) throws -> Exchange {
    try post("\(Self.verifications)/\(name)", ["Status": status])
  }

  /// Checks with a code that is wrong, so many times.
  func checkWrongly(_ times: Int) throws {
    for _ in 0..<times {
      let answer = try check("0000").decode(CheckAnswer.self)
      #expect(answer.status == "pending")
    }
  }

  /// The code in the newest message to a destination.
  func code(for destination: String = number) throws -> String {
    try #require(try inbox(destination).last?.code)
  }

  func inbox(_ destination: String = number) throws -> [Message] {
    var filter = Messages.Filter()
    filter.destination = destination
    return try sandbox.messages.inbox(filter)
  }

  func advance(_ seconds: Int) throws {
    try sandbox.atomically { try sandbox.advance(by: .seconds(seconds)) }
  }

  /// Loads a seed: what `POST /control/seed` would take.
  func seed(_ json: String) throws {
    let seed = try Fields(Array(json.utf8))
    try sandbox.atomically { try world.sandboxes.seeds.load(seed, into: sandbox) }
  }

  /// Turns settings: `"maxChecks":2`.
  func turn(_ settings: String) throws {
    try seed(#"{"twilio":{"settings":{\#(settings)}}}"#)
  }

  /// Changes the Service of the sandbox.
  func set(_ parameters: KeyValuePairs<String, String>) throws {
    _ = try post("\(Self.services)/\(Self.service)", parameters).decode(ServiceAnswer.self)
  }
}

/// The refusal as status and body in one text, as `Exchange.answer` has it.
func refused(_ status: Int, _ code: Int, _ message: String) -> String {
  let body = JSONWriter.object { json in
    json.member("code", code)
    json.member("message", message)
    json.member("more_info", "https://www.twilio.com/docs/errors/\(code)")
    json.member("status", status)
  }
  return "\(status) \(String(decoding: body, as: UTF8.self))"
}

/// 20404 in the vendor's words.
func notFound(_ path: String) -> String {
  refused(404, 20404, "The requested resource \(path) was not found")
}
