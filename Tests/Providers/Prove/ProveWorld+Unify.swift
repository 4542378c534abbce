import Domain
import HTTP
import JSON
import ProviderKit
import Support
import Testing

@testable import Prove

extension ProveWorld {
  /// A started flow: what back end and device know of it.
  struct Started {
    let correlationID: String
    let authToken: String
    let authID: String
  }

  /// Starts a flow; `more` are further members: `"rebind":true`.
  func unify(_ number: String? = "2001004014", _ possession: String = "mobile", _ more: String...) throws
    -> Started
  {
    let members =
      ["\"possessionType\":\"\(possession)\""] + (number.map { ["\"phoneNumber\":\"\($0)\""] } ?? []) + more
    let answer = try fields(of: call(.post, "/v3/unify", "{\(members.joined(separator: ","))}"))
    let token = try answer.string("authToken")
    return Started(
      correlationID: try answer.string("correlationId"), authToken: token,
      authID: AuthToken(token, in: sandbox)?.authID ?? "")
  }

  func status(_ started: Started) throws -> Exchange {
    try call(.post, "/v3/unify-status", #"{"correlationId":"\#(started.correlationID)"}"#)
  }

  func bind(_ started: Started, _ number: String = "2001004014") throws -> Exchange {
    try call(
      .post, "/v3/unify-bind", #"{"correlationId":"\#(started.correlationID)","phoneNumber":"\#(number)"}"#)
  }

  func authenticate(_ started: Started, _ body: String = "{}") throws -> Exchange {
    try world.send(
      .to(
        "/handset/prove/v1/authenticate", .post,
        headers: ["Authorization": "Bearer \(started.authToken)", "Content-Type": "application/json"],
        body: Array(body.utf8)))
  }

  /// A later request of the device, or another method with the same path.
  func act(_ started: Started, _ action: String, _ body: String = "{}", _ method: HTTP.Method = .post) throws
    -> Exchange
  {
    let path = "/handset/prove/v1/\(started.authID)" + (action.isEmpty ? "" : "/\(action)")
    return try world.send(method == .post ? .json(.post, path, body) : .to(path, method))
  }

  /// A flow whose device was sent a code.
  func waitingForCode(_ number: String = "2001004014", _ more: String...) throws -> Started {
    let started = try unify(
      number, "mobile", more.isEmpty ? #""clientRequestId":"r1""# : more.joined(separator: ","))
    _ = try authenticate(started)
    _ = try act(started, "otp/start")
    return started
  }

  /// A flow whose desktop browser waits for the click on a link.
  func waitingForClick(_ possession: String = "desktop", device: String = #"{"role":"secondary"}"#) throws
    -> Started
  {
    let started = try unify("2001004014", possession, #""finalTargetUrl":"https://example.com/done""#)
    _ = try authenticate(started, device)
    _ = try act(started, "instant-link/start")
    return started
  }

  /// The registration on a device that has passed with this number: the members for its next authentication.
  func boundDevice(_ number: String = "2001004014") throws -> String {
    let started = try waitingForCode(number)
    _ = try act(started, "otp/finish", #"{"resultType":0,"input":{"otp":"1234"}}"#)
    let key = try #require(
      try ProveKey.find(deviceID(of: started), of: Client.known(in: sandbox), in: sandbox))
    return #""deviceId":"\#(key.deviceID)","key":"\#(key.secret)""#
  }

  func deviceID(of started: Started) throws -> String {
    try #require(try Session.find(authID: started.authID, in: sandbox)?.deviceID)
  }

  /// The link in the newest text to a number.
  func link(to number: String = "+12001004014") throws -> String {
    var filter = Messages.Filter()
    filter.destination = number
    let text = try #require(try sandbox.messages.submitted(filter).last?.text)
    let url = try #require(text.split(separator: " ").last)
    return String(url.dropFirst("http://127.0.0.1:5550".count))
  }

  func open(_ path: String) throws -> Exchange { try world.send(.to(path)) }

  func advance(_ seconds: Int) throws {
    _ = try world.send(.json(.post, "/control/clock", #"{"advance":"\#(seconds)s"}"#))
  }

  func seed(_ prove: String) throws {
    _ = try world.send(.json(.post, "/control/seed", #"{"prove":\#(prove)}"#))
  }

  /// `success` and the codes of the failed category: `false 9100`.
  func outcome(_ started: Started) throws -> String {
    let fields = try fields(of: status(started))
    let evaluation = try fields.optionalObject("evaluation")
    let codes = Evaluation.Category.allCases.compactMap { category in
      try? evaluation?.optionalObject(category.rawValue)?.optionalJSON("failureReasons")
    }.flatMap { json -> [String] in if case .object(let members) = json { members.map(\.name) } else { [] } }
    return ([try fields.string("success")] + codes).joined(separator: " ")
  }

  /// The step and the type of its error: `otp_finish otp_validation`.
  func step(_ exchange: Exchange) throws -> String {
    let fields = try fields(of: exchange)
    let error = try fields.optionalObject("error")?.string("type")
    return [try fields.string("step"), error].compactMap { $0 }.joined(separator: " ")
  }
}

extension Client {
  /// The client of `Seeds/default`.
  static func known(in sandbox: Sandbox) throws -> Client {
    try #require(try Client.find("sandbox-client", in: sandbox))
  }
}
