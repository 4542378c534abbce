import Basics
import Domain
import HTTP
import Silent

/// The operator's gateway: the hop between the provider's two. Source: `carrier.md` 4.5.
extension Carrier {
  /// Identifies the handset, and redirects it back to the provider, after the delay that the request asks
  /// for.
  static func authorize(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let reply = try answer(request, sandbox)
    guard let delay = request.requestedDelay, delay > .zero, case .now(let response) = reply else {
      return reply
    }
    return .after(delay, response)
  }

  private static func answer(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let hop = try Hop(request)
    let caller = try Caller(request, in: sandbox)
    guard var session = try sandbox.silentSessions.find(hop.session) else {
      throw NetworkProblem(status: 404, sentence: "There is no such session.")
    }
    try sandbox.silentSessions.open(&session)
    if hop.number < (try sandbox.gateway.settings.hops) {
      return .now(try hop.next(of: session, in: sandbox, caller))
    }
    let found = try sandbox.silentSessions.identify(
      &session, handset: caller.number, bearer: caller.bearer, mode: caller.mode, outcome: hop.outcome)
    switch found {
    case .granted(let grant): return .now(hop.back(to: session, "grant=\(grant)", caller))
    case .refused(let outcome): return try failure(outcome, session, hop, caller, in: sandbox)
    case .over:
      let isUsed = session.status(at: sandbox.clock.now) == .used
      return .now(hop.back(to: session, "error=\(isUsed ? "used" : "expired")", caller))
    }
  }

  /// Redirects back with an error, or answers like a broken gateway.
  private static func failure(
    _ outcome: SilentOutcome, _ session: SilentSession, _ hop: Hop, _ caller: Caller, in sandbox: Sandbox
  ) throws -> Reply {
    switch outcome {
    case .match, .mismatch, .notMobile: return .now(hop.back(to: session, "error=not_mobile", caller))
    case .noCoverage: return .now(hop.back(to: session, "error=no_coverage", caller))
    case .userDenied: return .now(hop.back(to: session, "error=user_denied", caller))
    case .expired: return .now(hop.back(to: session, "error=expired", caller))
    case .carrierError: return .now(sentence(503, "The gateway is out of order."))
    case .timeout: return .after(timeout, sentence(504, "The gateway has given up."))
    case .loop: return .now(try hop.next(of: session, in: sandbox, caller))
    case .garbage:
      var response = Response(
        200, headers: ["Content-Type": "text/html; charset=utf-8"],
        body: Array("<html><body><h1>It works!</h1></body></html>\n".utf8))
      response.closesConnection = true
      return .now(response)
    }
  }

  /// How long a gateway hangs: longer than the timeout of any client.
  private static let timeout = Duration.seconds(60)
}

/// A request to the gateway, as a part of its chain.
private struct Hop {
  let session: String
  let state: String?
  /// The number of earlier redirects of the gateway to itself.
  let number: Int
  /// The outcome that the request asks for; wins over the number's scenario.
  let outcome: SilentOutcome?
  private let carried: String

  init(_ request: Request) throws {
    let query = try request.query
    query.declare(Request.sandboxFields)
    guard let session = query["session"], !session.isEmpty else {
      throw FormError(field: "session", expected: "the token of a session")
    }
    self.session = session
    state = query["state"]
    number = query["hop"].flatMap { Int($0) }.map { min(max($0, 0), Self.last) } ?? 0
    outcome = try query["sbx_outcome"].map { word throws(FormError) in
      guard let known = SilentOutcome(rawValue: word) else {
        throw FormError(field: "sbx_outcome", expected: "one of \(SilentOutcome.words)")
      }
      return known
    }
    carried = request.sandboxQuery
  }

  /// A redirect back to the provider.
  func back(to session: SilentSession, _ finding: String, _ caller: Caller) -> Response {
    let separator = session.draft.returnURL.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
    let state = state.map { "&state=\(PercentCoding.encode($0))" } ?? ""
    return redirect(to: session.draft.returnURL + separator + finding + state + carried, caller)
  }

  /// A redirect to the gateway itself.
  func next(of session: SilentSession, in sandbox: Sandbox, _ caller: Caller) throws -> Response {
    let url = try sandbox.gateway.url(of: session, query: carried)
    return redirect(to: "\(url)&hop=\((number + 1) % Self.last)", caller)
  }

  private func redirect(to url: String, _ caller: Caller) -> Response {
    var response = Response(302, headers: ["Location": url])
    response.closesConnection = true
    response.why = caller.warning
    return response
  }

  /// An endless chain counts its hops up to here, then from 0 again.
  private static let last = 1_000
}
