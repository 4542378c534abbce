/// The two hops of silent verification that a provider serves; between them is the operator's gateway.
///
/// ```
/// GET path/{token}ending             first hop: 302 to the gateway
/// GET path/{token}ending/complete    last hop: the provider's answer
/// ```
///
/// Every hop is never cached, closes its connection, and takes as long as `sbx_delay` asks. Source:
/// `carrier.md` 4.5. An error that the provider throws is answered like its other errors.
///
/// ```swift
/// enum SilentURL: SilentHops {
///   static let (provider, path) = (Acme.name, "/silent/v1")
///   static let operations = (first: "openSilentURL", last: "completeSilentURL")
///   static func unknownSession(_ token: String, on hop: SilentHop, in sandbox: Sandbox) -> Response {
///     plainText(404, "")
///   }
///   static func response(to handset: SilentReturn, in sandbox: Sandbox) -> Response {
///     plainText(200, "\(handset.verdict)")
///   }
/// }
/// ```
/// The provider adds `SilentURL.routes` to its table.
package protocol SilentHops: SendableMetatype {
  /// The name of the provider whose sessions these hops serve.
  static var provider: String { get }
  /// The path before the token, such as `/silent/v1`.
  static var path: String { get }
  /// The path after the token, such as `/redirect`. Default: none.
  static var ending: String { get }
  /// The names of the two operations.
  static var operations: (first: String, last: String) { get }
  /// True if the first hop itself answers for a session that is expired or used. False if it redirects, and
  /// the last hop answers.
  static var refusesEndedSessions: Bool { get }

  /// The session of the token in a URL; nil if there is none.
  static func session(_ token: String, in sandbox: Sandbox) throws -> SilentSession?
  /// How long each hop takes, if the request has no `sbx_delay`.
  static func delay(in sandbox: Sandbox) throws -> Duration
  /// How the first hop redirects to the gateway.
  static func redirect(for request: Request, in sandbox: Sandbox) throws -> SilentRedirect
  /// The answer to a URL without a session.
  static func unknownSession(_ token: String, on hop: SilentHop, in sandbox: Sandbox) throws -> Response
  /// The answer to a handset that returns from the gateway.
  static func response(to handset: SilentReturn, in sandbox: Sandbox) throws -> Response
}

package enum SilentHop: Sendable {
  case first
  case last
}

package struct SilentRedirect: Sendable {
  package var status: Status = 302
  package var headers: Headers = [:]
  /// Fields for the gateway: `&sbx_outcome=match`.
  package var query = ""

  package init() {}
}

/// A handset that returns from the gateway, or whose session has ended.
package struct SilentReturn: Sendable {
  package let session: SilentSession
  package let verdict: SilentVerdict
  /// True if this return gave the session its verdict; false for a repetition.
  package let isFirst: Bool
}

extension SilentHops {
  package static var ending: String { "" }

  package static var refusesEndedSessions: Bool { false }

  package static func session(_ token: String, in sandbox: Sandbox) throws -> SilentSession? {
    try sandbox.silentSessions.find(token)
  }

  package static func delay(in sandbox: Sandbox) throws -> Duration { .zero }

  package static func redirect(for request: Request, in sandbox: Sandbox) throws -> SilentRedirect {
    SilentRedirect()
  }
}

/// Routes and URLs.
extension SilentHops {
  package static var routes: [Route<Sandbox>] {
    [
      .deferred(.get, pattern, as: operations.first, firstHop),
      .deferred(.get, Pattern(stringLiteral: "\(pattern)\(completion)"), as: operations.last, lastHop),
    ]
  }

  package static var pattern: Pattern { Pattern(stringLiteral: "\(path)/{token}\(ending)") }

  /// The URL of the last hop, for the draft of a session. The session's own token replaces `{token}`.
  package static func returnURL(
    for request: Request, token: String = "{token}", in sandbox: Sandbox
  ) -> String {
    "\(sandbox.baseURL(requestOrigin: request.origin))\(path)/\(token)\(ending)\(completion)"
  }

  /// The URL of the first hop, which the handset opens.
  package static func url(of session: SilentSession) -> String {
    session.url
  }

  /// A text without a character set in its type, as providers send it to handsets.
  package static func plainText(_ status: Status, _ text: String) -> Response {
    Response(status, headers: ["Content-Type": "text/plain"], body: Array(text.utf8))
  }

  private static var completion: String { SilentSession.completion }
}

extension SilentSession {
  /// The URL that the handset opens. The one to which it returns is the same, with `completion` at the end.
  package var url: String { String(draft.returnURL.dropLast(Self.completion.count)) }

  fileprivate static let completion = "/complete"
}

/// Handlers.
extension SilentHops {
  package static func firstHop(_ request: Request, in sandbox: Sandbox) throws -> Reply {
    try request.query.declare(Request.sandboxFields)
    let redirect = try redirect(for: request, in: sandbox)
    let delay = try request.requestedDelay ?? delay(in: sandbox)
    guard var session = try ownSession(of: request, in: sandbox) else {
      return reply(try unknownSession(request[parameter: "token"], on: .first, in: sandbox), after: delay)
    }
    try sandbox.silentSessions.open(&session)
    if refusesEndedSessions, let verdict = session.status(at: sandbox.clock.now).verdict {
      let handset = SilentReturn(session: session, verdict: verdict, isFirst: false)
      return reply(try response(to: handset, in: sandbox), after: delay)
    }
    var query = request.sandboxQuery + redirect.query
    if request.requestedDelay == nil, delay > .zero { query += "&sbx_delay=\(delay.milliseconds)" }
    let url = try sandbox.gateway.url(of: session, query: query)
    var response = Response(redirect.status, headers: ["Location": url])
    response.headers.append(redirect.headers)
    return reply(response, after: delay)
  }

  private static func lastHop(_ request: Request, in sandbox: Sandbox) throws -> Reply {
    let query = try request.query
    query.declare(Request.sandboxFields + ["state", "error"])
    let delay = try request.requestedDelay ?? delay(in: sandbox)
    guard var session = try ownSession(of: request, in: sandbox) else {
      return reply(try unknownSession(request[parameter: "token"], on: .last, in: sandbox), after: delay)
    }
    let wasFinished = session.finishedAt != nil
    let verdict = try sandbox.silentSessions.finish(&session, grant: query["grant"])
    let handset = SilentReturn(
      session: session, verdict: verdict, isFirst: !wasFinished && session.finishedAt != nil)
    return reply(try response(to: handset, in: sandbox), after: delay)
  }

  private static func ownSession(of request: Request, in sandbox: Sandbox) throws -> SilentSession? {
    let session = try session(request[parameter: "token"], in: sandbox)
    return session?.draft.provider == provider ? session : nil
  }

  /// Closes the connection, because some SDKs read until it ends.
  private static func reply(_ response: Response, after delay: Duration) -> Reply {
    var response = response
    response.headers.add("Cache-Control", "no-store")
    response.closesConnection = true
    return delay > .zero ? .after(delay, response) : .now(response)
  }
}

extension SilentSession.Status {
  /// Nil for a live session.
  fileprivate var verdict: SilentVerdict? {
    switch self {
    case .live: nil
    case .expired: .expired
    case .used: .used
    }
  }
}
