import Domain
import HTTP
import JSON
import Support
import Testing
import Vonage

/// A sandbox and a client of its default application.
struct VonageWorld: JSONProviderWorld {
  static let provider = "vonage"
  static let key = "abcd1234"
  static let secret = "sandboxSecret001"
  static let signatureSecret = "sandboxSignatureSecret0000000001"
  static let application = "5a0d0b0c-0000-4000-8000-000000000001"
  static let number = "+12025550150"
  static let digits = "12025550150"
  static let receiver = "http://127.0.0.1:9/status"
  static let credentials: Headers = ["Authorization": "Bearer \(VonageTokens.valid)"]
  static let basic = Request.basic(key, secret)

  let world: TestSandbox

  init(acceptsUnknownAccounts: Bool = true) throws {
    world = try TestSandbox(of: VonageProvider.self) { $0.acceptsUnknownAccounts = acceptsUnknownAccounts }
  }
}

/// Verify v2.
extension VonageWorld {
  /// One channel of a workflow.
  static func channel(_ name: String, _ more: String = "", to: String = digits) -> String {
    #"{"channel":"\#(name)","to":"\#(to)"\#(more)}"#
  }

  func startRaw(
    _ workflow: [String] = [channel("sms")], _ more: String = "", as credentials: Headers = credentials
  ) throws -> Exchange {
    try post(
      "/v2/verify", #"{"brand":"Acme","workflow":[\#(workflow.joined(separator: ","))]\#(more)}"#,
      as: credentials)
  }

  func start(
    _ workflow: [String] = [channel("sms")], _ more: String = "", as credentials: Headers = credentials
  ) throws -> VonageStart {
    try startRaw(workflow, more, as: credentials).decode()
  }

  func check(_ code: String, _ id: String, as credentials: Headers = credentials) throws -> Exchange {
    try post("/v2/verify/\(id)", #"{"code":"\#(code)"}"#, as: credentials)
  }

  /// Gives the application a status URL.
  func receiveEvents() throws {
    try seed(
      #"{"vonage":{"applications":[{"id":"\#(Self.application)","statusUrl":"\#(Self.receiver)"}]}}"#)
  }

  /// Sends what is due; returns the bodies that the receiver got.
  func events() throws -> [Fields] {
    world.sendWebhooks()
    return try world.receiver.deliveries.map { try Fields($0.request.body) }
  }

  /// The events in words: `event sms completed`, `summary completed: sms completed, voice unused`.
  func summaries() throws -> [String] {
    try events().map { event in
      let status = try event.string("status")
      guard try event.string("type") == "summary" else { return "\(try event.string("channel")) \(status)" }
      let channels = try event.objects("workflow").map {
        "\(try $0.string("channel")) \(try $0.string("status"))"
      }
      return "summary \(status): \(channels.joined(separator: ", "))"
    }
  }
}

/// The answer to a start.
struct VonageStart: NamedBody {
  static let statuses: Set = [202]

  let id: String

  init(_ fields: Fields) throws { id = try fields.string("request_id") }
}

/// A problem document.
struct VonageProblem: NamedBody {
  static let statuses = Set(400...599)

  let title: String
  let type: String
  let detail: String
  let parameters: [String]

  init(_ fields: Fields) throws {
    title = try fields.string("title")
    type = try fields.string("type")
    detail = try fields.string("detail")
    parameters = try (fields.optionalObjects("invalid_parameters") ?? []).map {
      _ = try $0.string("reason")
      return try $0.string("name")
    }
    _ = try fields.string("instance")
  }
}

extension Exchange {
  /// The problem as text: `422 invalid-params brand, workflow[0].to`.
  func problem() throws -> String {
    let problem = try decode(VonageProblem.self)
    let fragment = problem.type.split(separator: "#").last.map(String.init) ?? "-"
    let names = problem.parameters.isEmpty ? "" : " " + problem.parameters.joined(separator: ", ")
    return "\(answer.prefix(3)) \(fragment)\(names)"
  }
}
