import Carrier

/// Connects virtual handsets to the dispatcher within the process, without a socket.
///
/// A class because the control API needs it before the dispatcher, which contains that API, exists.
package final class InProcessTransport {
  private weak var dispatcher: Dispatcher?

  package init() {}

  /// Call this once, when the process is put together.
  package func connect(_ dispatcher: Dispatcher, to sandboxes: Sandboxes) {
    self.dispatcher = dispatcher
    sandboxes.connections.sendAppRequest = { [weak self] in self?.answer(to: $0, of: $1, in: $2) }
  }

  /// The reply to a request, as if it had come over a socket.
  package func respond(to request: Request) -> Reply { connectedDispatcher.respond(to: request) }

  /// Walks to the end, within these origins and the hosts that the proxy serves itself. A redirect to any
  /// other place is one to the app. Delays of answers count, but nobody waits for them.
  func walk(_ walk: Walk, from url: String, within origins: [String]) -> WalkResult {
    var (walk, result) = (walk, WalkResult())
    var step = walk.start(at: url)
    while case .request(let request) = step {
      guard origins.contains(request.url.origin) || isOwnHost(of: request.url) else {
        result.ending =
          walk.redirectEnding
          ?? .failure("\(request.url.origin) is not this sandbox; use: ringfence open URL")
        return result
      }
      guard let (response, delay) = answer(to: request, within: walk.timeLeft) else {
        step = walk.timeOut()
        break
      }
      result.hops.append(WalkResult.Hop(url: request.url.description, status: response.status.code))
      step = walk.next(after: response, delay: delay)
    }
    if case .end(let ending) = step { result.ending = ending }
    return result
  }

  /// A provider's answer to an app; nil if the app does not wait that long for it.
  private func answer(to app: AppRequest, of provider: String, in sandbox: Sandbox) -> AppResponse? {
    let request = Request(app, at: "/s/\(sandbox.name)/\(provider)", host: "127.0.0.1")
    return answer(to: request, within: Self.appTimeout).map { response, _ in
      AppResponse(
        status: response.status.code,
        headers: response.headers.pairs.map { AppRequest.Parameter($0.name, $0.value) }, body: response.body)
    }
  }

  /// Sends a request to a provider; see `Dispatcher.send`.
  func send(_ request: Request, like earlier: Request?, in sandbox: Sandbox) throws -> Reply {
    try connectedDispatcher.send(request, like: earlier, in: sandbox)
  }

  /// The name of the provider whose route or path a request names; nil if there is none.
  func ownerName(of request: Request) -> String? { connectedDispatcher.ownerName(of: request) }

  func bodyLimit(for head: RequestHead) -> Int? {
    connectedDispatcher.bodyLimit(head.method, path: head.target.path, host: head.headers["Host"] ?? "")
  }

  /// How long apps wait for an answer.
  private static let appTimeout = Duration.seconds(60)

  private var connectedDispatcher: Dispatcher {
    guard let dispatcher else { preconditionFailure("the transport has no dispatcher") }
    return dispatcher
  }

  private func isOwnHost(of url: AbsoluteURL) -> Bool {
    dispatcher?.proxyPolicy.access(to: Authority(host: url.host, port: url.port)) == .local
  }

  private func answer(to hop: Walk.HopRequest, within timeout: Duration) -> (Response, Duration)? {
    var request = Request(
      .get, Target(hop.url.target), headers: hop.headers, scheme: hop.url.isSecure ? "https" : "http")
    // `Host` may lack the port.
    request.publicOrigin = hop.url.origin
    return answer(to: request, within: timeout)
  }

  /// The answer with its delay; nil if it comes later.
  private func answer(to request: Request, within timeout: Duration) -> (Response, Duration)? {
    switch respond(to: request) {
    case .now(let response), .streamed(let response, _): return (response, .zero)
    case .after(let delay, let response): return delay <= timeout ? (response, delay) : nil
    case .pending(let pending):
      guard let delay = pending.delay, delay <= timeout, let response = try? pending.onTimeout() else {
        return nil
      }
      return (response, delay)
    // A handset's request never asks for a WebSocket.
    case .blocked, .webSocket: return nil
    }
  }
}

extension Request {
  /// A request of an app, to the routes of a provider at this path.
  init(_ app: AppRequest, at path: String, host: String) {
    var headers: Headers = ["Host": host]
    var body: [UInt8] = []
    switch app.body {
    case .none: break
    case .form(let parameters):
      headers.add("Content-Type", "application/x-www-form-urlencoded")
      body = Array(
        parameters.map { "\(PercentCoding.encode($0.name))=\(PercentCoding.encode($0.value))" }
          .joined(separator: "&").utf8)
    case .json(let bytes):
      headers.add("Content-Type", "application/json")
      body = bytes
    }
    if app.method != .get { headers.add("Content-Length", "\(body.count)") }
    for header in app.headers { headers.add(header.name, header.value) }
    self.init(Method(app.method), Target(path + app.path), headers: headers, body: body)
  }
}

extension Method {
  fileprivate init(_ method: AppRequest.Method) {
    self =
      switch method {
      case .get: .get
      case .post: .post
      case .put: .put
      case .patch: .patch
      case .delete: .delete
      }
  }
}

/// The hops of a silent chain, and how it ended.
struct WalkResult: Sendable {
  struct Hop: Sendable {
    let url: String
    let status: Int
  }

  private enum EndingKind: String, CaseIterable { case code, text, redirect, failure }

  var hops: [Hop] = []
  var ending = Walk.Ending.failure("timed out")

  static let schema = Schema<WalkResult>(
    "WalkResult", "The hops of a silent chain, and how it ended.",
    [
      .readOnly("ending", .word, "How the chain ended.") { result -> EndingKind in
        switch result.ending {
        case .code: .code
        case .text: .text
        case .redirect: .redirect
        case .failure: .failure
        }
      },
      .readOnlyIfPresent("code", .string, "The code for the app's back end.") {
        switch $0.ending {
        case .code(let code): code
        case .redirect(let redirect): redirect.code
        case .text, .failure: nil
        }
      },
      .readOnlyIfPresent(
        "url", .string, "The URL of the app to which the last hop redirects, with its fragment."
      ) {
        if case .redirect(let redirect) = $0.ending { redirect.url } else { nil }
      },
      .readOnlyIfPresent("text", .string, "The text of the last answer.") {
        if case .text(let text) = $0.ending { text } else { nil }
      },
      .readOnlyIfPresent("why", .string, "Why the chain failed, or the error in the URL of the app.") {
        switch $0.ending {
        case .failure(let why): why
        case .redirect(let redirect): redirect.error
        case .code, .text: nil
        }
      },
      .readOnly("hops", .objects(hop), "The requests, in order.") { $0.hops },
    ])

  private static let hop = Schema<Hop>(
    nil, "",
    [
      .readOnly("url", .string, "The URL.") { $0.url },
      .readOnly("status", .integer, "The status of the answer.") { $0.status },
    ])
}
