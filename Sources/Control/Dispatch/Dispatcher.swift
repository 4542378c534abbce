package import Domain
package import HTTP
import JSON

/// Takes a request from the door to its handler, and writes down what came of it.
///
/// ```
/// /s/<name> off ──> router ──> sandbox ──> due work ──> fault? ──> handler ──> headers ──> journal
///                     │ no route                                     │ error
///                     └────────────> the owner's error response <─────┘
/// ```
/// A class for its identity: there is one, and it counts.
package final class Dispatcher {
  /// What happened that nobody had words for: a mistake of ours, for the log.
  package typealias Report = (String) -> Void

  /// Everybody's routes.
  package let router: Router<Sandbox>
  /// What is counted about requests.
  package let metrics: Metrics
  /// What the proxy lets through.
  package var fence = ProxyPolicy()
  let sandboxes: Sandboxes
  private let report: Report
  var date = DateField()

  /// A dispatcher over the routes of these owners, the control API's among them.
  package init(
    _ sandboxes: Sandboxes, owners: [RouteOwner<Sandbox>], metrics: Metrics, report: @escaping Report
  ) {
    self.sandboxes = sandboxes
    self.metrics = metrics
    self.report = report
    router = Router(owners)
  }

  /// The answer to a request, or what it waits for.
  package func respond(to request: Request) -> Reply {
    var request = request
    let named = takeSandboxName(from: &request)
    let outcome = route(&request)
    let sandbox: Sandbox
    do throws(UnknownSandbox) {
      let name = request.headers["X-Sandbox"] ?? named ?? request.proxySandboxName
      sandbox = try choose(name, for: request, outcome.owner)
    } catch {
      return .now(finish(ControlAPI.errorResponse(for: error), by: nil, sandboxes.defaultSandbox))
    }
    return answer(request, outcome, in: sandbox)
  }

  /// The owner's own words for a request whose effects were lost, or that there is no room for.
  package func errorResponse(for failure: RequestFailure, to request: Request) -> Response {
    var request = request
    _ = takeSandboxName(from: &request)
    let owner = route(&request).owner
    return finish(refuse(failure, by: owner, request, sandboxes.defaultSandbox), by: owner, sandboxes.defaultSandbox)
  }

  /// The most bytes that the body of a request with this method and path may have; nil: the server's default.
  package func bodyLimit(_ method: Method, path: String, host: String) -> Int? {
    var request = Request(method, Target(path: path))
    _ = takeSandboxName(from: &request)
    let (prefix, path) = router.split(request.target.path)
    return router.match(method, path: path, under: prefix, host: host).route?.bodyLimit
  }

  /// Finds the request's route; what an owner's prefix and a pattern's captures say moves out of the path.
  private func route(_ request: inout Request) -> Router<Sandbox>.Outcome {
    let (prefix, path) = router.split(request.target.path)
    if !prefix.isEmpty {
      request.prefix += prefix
      request.target.path = path
    }
    let outcome = router.match(request.method, path: path, under: prefix, host: request.host)
    if case .found(_, _, let parameters) = outcome { request.parameters = parameters }
    return outcome
  }

  private func answer(_ request: Request, _ outcome: Router<Sandbox>.Outcome, in sandbox: Sandbox) -> Reply {
    let note = Note()
    do {
      if let due = sandbox.nextDue, due <= sandbox.clock.now {
        try sandbox.atomically { try sandbox.catchUp() }
      }
      let reply = try sandbox.atomically {
        let reply = try perform(request, outcome, in: sandbox, note)
        // On a running clock, nothing else would look whether its time has come.
        if case .after(let delay, _) = reply {
          try sandbox.agenda.schedule(.answerLate, on: 0, at: sandbox.clock.now + delay)
        }
        return reply
      }
      return conclude(reply, request, outcome, sandbox, note)
    } catch {
      let response = response(to: error, request, outcome, sandbox, note)
      return .now(conclude(response, request, outcome, sandbox, note))
    }
  }

  /// Runs the handler. A refusal is an answer: what the core has done by then stands.
  private func perform(
    _ request: Request, _ outcome: Router<Sandbox>.Outcome, in sandbox: Sandbox, _ note: Note
  ) throws -> Reply {
    guard case .found(let route, let owner, _) = outcome else {
      return .now(refuseUnrouted(request, outcome, in: sandbox, note))
    }
    let fault = try strike(request, route, owner, in: sandbox)
    if let fault { note.why = "a fault of the control API"; note.fault = fault }
    if let fault, fault.answersItself {
      return fault.delay(.now(refuse(fault.reason, by: owner, request, sandbox)))
    }
    guard let handler = route.handler else {
      note.why = "not emulated: \(owner.name) has this operation, the sandbox has not"
      return .now(refuse(.notEmulated, by: owner, request, sandbox))
    }
    do {
      let reply = try handler(request, sandbox)
      return fault?.delay(reply) ?? reply
    } catch let refusal as any ResponseError {
      note.why = refusal.why
      return fault?.delay(.now(refusal.response)) ?? .now(refusal.response)
    }
  }

  private func refuseUnrouted(
    _ request: Request, _ outcome: Router<Sandbox>.Outcome, in sandbox: Sandbox, _ note: Note
  ) -> Response {
    note.nearest = router.nearest(to: request.target.path, of: outcome.owner)
    guard case .failed(let reason, let owner) = outcome else {
      note.why = "no route and no owner of the path"
      return ControlAPI.unknownPath(request, nearest: note.nearest)
    }
    switch reason {
    case .wrongMethod(let allowed):
      note.why = "the path takes \(allowed.map(\.rawValue).joined(separator: ", "))"
    default: note.why = "no route has this path"
    }
    return refuse(reason, by: owner, request, sandbox)
  }

  private func strike(
    _ request: Request, _ route: Route<Sandbox>, _ owner: RouteOwner<Sandbox>, in sandbox: Sandbox
  ) throws -> Fault? {
    guard owner.name != ControlAPI.name, try !sandbox.faults.all.isEmpty else { return nil }
    return try sandbox.faults.strike(provider: owner.name, route: route.name, mentions: request.mentions)
  }

  /// The answer to an error that no handler caught; nothing of the request is kept.
  private func response(
    to error: any Error, _ request: Request, _ outcome: Router<Sandbox>.Outcome, _ sandbox: Sandbox,
    _ note: Note
  ) -> Response {
    let reason: RequestFailure
    switch error {
    case let error as FormError:
      reason = .malformed(field: error.field, expected: error.expected)
      note.why = error.description
    case let error as FieldError:
      reason = .malformed(field: error.path, expected: "\(error.expected); found \(error.found)")
      note.why = error.description
    default:
      reason = .failure
      note.why = "the sandbox failed: \(error)"
      report("\(request.method.rawValue) \(request.target.path): \(error)")
    }
    return refuse(reason, by: outcome.owner, request, sandbox)
  }

  private func refuse(
    _ reason: RequestFailure, by owner: RouteOwner<Sandbox>?, _ request: Request, _ sandbox: Sandbox
  ) -> Response {
    owner?.errorResponse(reason, request, sandbox) ?? ControlAPI.errorResponse(for: reason, to: request)
  }
}
