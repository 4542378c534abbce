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

  /// Starts a flow; `more` is a further member: `"rebind":true`.
  func unify(_ number: String = "2001004014", _ possession: String = "mobile", _ more: String? = nil) throws
    -> Started
  {
    let members =
      ["\"possessionType\":\"\(possession)\"", "\"phoneNumber\":\"\(number)\""] + (more.map { [$0] } ?? [])
    let answer = try fields(of: call(.post, "/v3/unify", "{\(members.joined(separator: ","))}"))
    let token = try answer.string("authToken")
    return Started(
      correlationID: try answer.string("correlationId"), authToken: token,
      authID: AuthToken(token, in: sandbox)?.authID ?? "")
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
  func waitingForCode(_ number: String = "2001004014") throws -> Started {
    let started = try unify(number, "mobile", #""clientRequestId":"r1""#)
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

  /// The link in the newest text.
  func link() throws -> String {
    let text = try #require(try sandbox.messages.submitted(.init()).last?.text)
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
}

extension Client {
  /// The client of `Seeds/default`.
  static func known(in sandbox: Sandbox) throws -> Client {
    try #require(try Client.find("sandbox-client", in: sandbox))
  }
}
