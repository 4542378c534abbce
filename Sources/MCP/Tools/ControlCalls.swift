import Control

/// Requests of the control API on behalf of an agent: within the process, with the token of the agent's own
/// request.
struct ControlCalls {
  private let transport: InProcessTransport
  /// The agent's.
  let request: Request
  private(set) var sandbox: String

  init(_ transport: InProcessTransport, for request: Request, in sandbox: String) {
    self.transport = transport
    self.request = request
    self.sandbox = sandbox
  }

  /// The same for another sandbox; nil keeps this one.
  func named(_ name: String?) throws(FieldError) -> ControlCalls {
    guard let name else { return self }
    guard let valid = SandboxName(name) else {
      throw FieldError(path: "$.sandbox", expected: "a sandbox's name", found: .string(name))
    }
    var calls = self
    calls.sandbox = valid.text
    return calls
  }

  func send(_ method: HTTP.Method, _ target: String, body: JSON? = nil) -> Reply {
    var headers: Headers = ["Host": request.host]
    for value in request.headers.values("Authorization") { headers.add("Authorization", value) }
    for value in request.headers.values("Cookie") { headers.add("Cookie", value) }
    if body != nil { headers.add("Content-Type", "application/json") }
    return transport.respond(
      to: Request(
        method, Target("/s/\(sandbox)\(target)"), headers: headers, body: body?.encoded() ?? [],
        scheme: request.scheme, peer: request.peer))
  }

  /// The response of an operation that answers at once.
  func answer(_ method: HTTP.Method, _ target: String, body: JSON? = nil) -> Response {
    let reply = send(method, target, body: body)
    return switch reply {
    case .now, .after, .streamed, .webSocket: (try? reply.whole) ?? Response(500)
    case .pending(let pending): (try? pending.onTimeout()) ?? Response(500)
    case .blocked(let blocked): blocked.onTimeout()
    }
  }

  /// The document with which an operation answers at once.
  func fetch(_ target: String) throws(CallRefusal) -> JSON {
    let response = answer(.get, target)
    guard response.isSuccess, let json = try? JSON(parsing: response.body, limits: .seed) else {
      throw CallRefusal(response: response)
    }
    return json
  }
}

/// An operation refused what a tool asked of it.
struct CallRefusal: Error {
  let response: Response
}

extension Response {
  /// The same answer with a document made from its own, if it is a success.
  func with(_ transform: (JSON) throws -> JSON) rethrows -> Response {
    guard isSuccess, let json = try? JSON(parsing: body, limits: .seed) else { return self }
    return .json(status, try transform(json).encoded())
  }
}
