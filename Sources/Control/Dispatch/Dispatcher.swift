/// Takes a request to its handler, and records the result.
///
/// ```
/// remove /s/<name> ──> router ──> sandbox ──> due work ──> fault? ──> handler ──> headers ──> journal
///                        │ no route                                      │ error
///                        └────────────> the owner's error response <─────┘
/// ```
/// A class for its identity: there is one, and it counts requests.
package final class Dispatcher {
  /// Reports an internal error, for the log.
  package typealias Report = (String) -> Void

  /// The routes of all owners.
  package let router: Router<Sandbox>
  package let metrics: Metrics
  package var proxyPolicy = ProxyPolicy()
  package var accessRules = AccessRules()
  package var publicAddress = PublicAddress()
  /// Called with each request that the journal gets; nil where nobody watches.
  package var onExchange: ((Journal.Exchange, Sandbox) -> Void)?
  /// True if the rest of a body must wait for the event loop's next turn.
  package var isTurnLong: () -> Bool = { false }
  /// Called with each operation before it runs.
  package var onOperation: ((_ name: String, _ owner: String) -> Void)?
  /// True if an access log wants to know who has handled a request.
  package var recordsHandling = false
  let sandboxes: Sandboxes
  let report: Report
  private var date = DateField()

  /// `owners` includes the control API.
  package init(
    _ sandboxes: Sandboxes, owners: [RouteOwner<Sandbox>], metrics: Metrics, report: @escaping Report
  ) {
    self.sandboxes = sandboxes
    self.metrics = metrics
    self.report = report
    router = Router(owners)
  }

  // MARK: Requests

  package func respond(to request: Request) -> Reply {
    var request = request
    publicAddress.resolve(&request)
    let prefixName = removeSandboxPrefix(from: &request)
    let outcome = route(&request)
    if outcome.owner?.decompressesBodies ?? false { request.decompress() }
    if outcome.route?.needsContext == false {
      return answer(Call(request, outcome, sandboxes.defaultSandbox))
    }
    let sandbox: Sandbox
    var name = request.headers["X-Sandbox"] ?? prefixName ?? request.proxySandboxName
    var isAdmitted: (() -> Bool)?
    do throws(ControlProblem) {
      let owner = outcome.owner
      if let owner, owner.isOwn {
        let admission = try accessRules.admit(request, to: outcome.route, of: name, in: sandboxes)
        (name, isAdmitted) = (admission.sandbox, admission.isValid)
      }
      sandbox = try self.sandbox(named: name, for: request, owner)
    } catch {
      if outcome.owner?.name == ControlAPI.name { noteRefusal(of: request, error, at: name) }
      let response = outcome.owner?.denialResponse(error.response, request) ?? error.response
      return .now(addCommonHeaders(response, of: nil, to: request, sandboxes.defaultSandbox))
    }
    // `consume`, because a copy of a request would retain a dozen members.
    let call = Call(consume request, consume outcome, sandbox)
    call.isAdmitted = isAdmitted
    return answer(call)
  }

  /// Removes `/s/<name>` from the path; nil where there is none.
  func removeSandboxPrefix(from request: inout Request) -> String? {
    let path = request.target.path
    guard path.hasPrefix("/s/") else { return nil }
    let rest = path.dropFirst(3)
    let end = rest.firstIndex(of: "/") ?? rest.endIndex
    request.prefix = String(path[..<end])
    request.target.path = end == rest.endIndex ? "/" : String(rest[end...])
    return String(rest[..<end])
  }

  /// Finds the request's route; moves an owner's prefix and the captures out of the path.
  func route(_ request: inout Request) -> Router<Sandbox>.Outcome {
    let match = router.find(request.method, request.target.path, host: request.host)
    if match.hasExtraSlashes { request.keepPath() }
    request.prefix += match.prefix
    request.target.path = match.path
    if case .found(_, _, let parameters) = match.outcome { request.parameters = parameters }
    return match.outcome
  }

  /// The named sandbox, else the one of the credentials, else the default one.
  private func sandbox(
    named name: String?, for request: Request, _ owner: RouteOwner<Sandbox>?
  ) throws(ControlProblem) -> Sandbox {
    if let name {
      guard let sandbox = sandboxes[name] else { throw .notFound("sandbox \(name)") }
      return sandbox
    }
    guard sandboxes.count > 1, let owner, let credential = owner.credential(request) else {
      return sandboxes.defaultSandbox
    }
    let holder = try? sandboxes.owner(ofCredential: credential, provider: owner.name)
    return holder ?? sandboxes.defaultSandbox
  }

  func answer(_ call: Call) -> Reply {
    let sandbox = call.sandbox
    if let route = call.outcome.route { onOperation?(route.name, call.owner?.name ?? "") }
    do {
      if case .found(let route, let owner, _) = call.outcome, !route.needsContext {
        return try finish(handle(call, route, owner), of: call)
      }
      // First, because it may end the task.
      try sandbox.prepareForRequest()
      call.task = try sandbox.tasks.current
      try sandbox.countRequest()
      let reply =
        // Most sandboxes have no such limit, and need no counts.
        try sandbox.limitsStorage
        ? sandbox.withinLimits { try perform(call) } : sandbox.atomically { try perform(call) }
      return try finish(reply, of: call)
    } catch let busy as SandboxIsBusy {
      return wait(until: busy, call)
    } catch {
      return .now(complete(response(toUncaught: error, call), of: call))
    }
  }

  /// Handles a request again when its sandbox, or the one that it names, is free.
  private func wait(until busy: SandboxIsBusy, _ call: Call) -> Reply {
    .blocked(
      BlockedRequest(for: Self.longestBlock) { [self] in
        guard sandboxes[busy.name]?.isBusy != true else { return nil }
        if call.isAdmitted?() == false {
          return .now(complete(ControlProblem.revokedToken.response, of: call))
        }
        guard let sandbox = sandboxes[call.sandbox.name] else {
          return .now(complete(ControlProblem.notFound("sandbox \(call.sandbox.name)").response, of: call))
        }
        let again = Call(call.request, call.outcome, sandbox)
        again.isAdmitted = call.isAdmitted
        return answer(again)
      } onTimeout: { [self] in
        complete(errorResponse(.overload, call.owner, call.request, call.sandbox), of: call)
      })
  }

  private static let longestBlock = Duration.seconds(60)

  /// Handles a request and remembers what it wrote.
  private func perform(_ call: Call) throws -> Reply {
    let sandbox = call.sandbox
    let trace = sandbox.trace
    sandbox.trace = TraceContext(call.request) ?? trace
    defer { sandbox.trace = trace }
    let newestBefore = sandbox.newestOrdinal
    sandbox.currentVerification = nil
    sandbox.currentReason = nil
    if call.owner?.isOwn != true { sandbox.countEvent() }
    defer {
      call.effects = Journal.Effects(
        newestBefore: newestBefore, newestAfter: sandbox.newestOrdinal,
        verification: sandbox.currentVerification)
      call.currentReason = sandbox.currentReason
    }
    guard case .found(let route, let owner, _) = call.outcome else { return .now(unroutedResponse(call)) }
    guard try !owner.isOwn && sandbox.hasRequestRules else { return try handle(call, route, owner) }
    let latency = try sandbox.latency.time(provider: owner.name, route: route.name)
    return try handleUnderRules(call, route, owner).delayed(by: latency)
  }

  /// Runs the handler. An error response is an answer: it keeps the changes that were made before it.
  func handle(_ call: Call, _ route: Route<Sandbox>, _ owner: RouteOwner<Sandbox>) throws -> Reply {
    call.request.inputs.explainsUnread = call.request.hasPathOfOwnAPI
    guard let handler = route.handler else {
      let response = errorResponse(.notEmulated, owner, call.request, call.sandbox)
      call.why = response.why ?? "not emulated: \(owner.name) has this operation, the sandbox does not"
      return .now(response)
    }
    let reply: Reply
    do {
      reply = try handler(call.request, call.sandbox)
    } catch let error as any ResponseError {
      call.why = error.why
      reply = .now(error.response)
    }
    try requireNoMisspeltMemberOfDeviceAPI(in: call.request, answeredBy: reply)
    return reply
  }

  // MARK: Errors

  private func unroutedResponse(_ call: Call) -> Response {
    call.nearest = router.nearest(to: call.request.target.path, of: call.owner)
    guard case .failed(let failure, let owner) = call.outcome else {
      call.why =
        call.request.hasPathOfOwnAPI
        ? "unknown path" : "not emulated: no provider in the sandbox has this path"
      return ControlAPI.unknownPath(call.request, nearest: call.nearest)
    }
    if owner.name == ControlAPI.name || call.request.hasPathOfDeviceAPI {
      let problem = ControlProblem(failure, of: call.request, nearest: call.nearest)
      call.why = problem.message
      return problem.response
    }
    let response = errorResponse(failure, owner, call.request, call.sandbox)
    switch failure {
    case _ where response.why != nil: call.why = response.why
    case .wrongMethod(let allowed): call.why = reason(toAllow: allowed)
    case _ where owner.isOwn: call.why = "unknown path"
    default: call.why = "not emulated: \(owner.name) may have this path, the sandbox does not"
    }
    return response
  }

  /// The answer to an error that no handler caught; all changes of the request are undone.
  private func response(toUncaught error: any Error, _ call: Call) -> Response {
    let failure: RequestFailure
    switch error {
    case let error as any ResponseError:
      call.why = error.why
      return error.response
    case let error as FormError:
      failure = .malformed(field: error.field, expected: error.expectation)
      call.why = error.description
    case let error as FieldError:
      let error = call.request.bodyProblem ?? error
      failure = .malformed(field: error.path, expected: "\(error.expected); found \(error.found)")
      call.why = error.description
      if call.owner?.name == ControlAPI.name { return ControlProblem(error).response }
    case let misspelt as MisspeltMember:
      call.why = misspelt.error.description
      return ControlProblem(misspelt.error).response
    case let error as LimitExceeded:
      call.why = error.description
      metrics.countRefusal(by: error.limit)
      if call.owner?.name == ControlAPI.name { return ControlProblem(error).response }
      failure = error.limit == .requestsPerSecond ? .fault(status: 429, code: nil) : .overload
    case let error as WebSocketHandshakeError:
      call.why = error.why
      var response = errorResponse(error.failure, call.owner, call.request, call.sandbox)
      response.headers.append(error.headers)
      return response
    default:
      failure = .internalError
      call.why = "internal error: \(error)"
      report("\(call.request.method.rawValue) \(call.request.target.path): \(error)")
    }
    return errorResponse(failure, call.owner, call.request, call.sandbox)
  }

  func errorResponse(
    _ failure: RequestFailure, _ owner: RouteOwner<Sandbox>?, _ request: Request, _ sandbox: Sandbox
  ) -> Response {
    owner?.errorResponse(failure, request, sandbox) ?? ControlAPI.errorResponse(for: failure, to: request)
  }

  // MARK: Answers

  /// Finishes a reply now, or when it has an answer.
  private func finish(_ reply: Reply, of call: Call) throws -> Reply {
    switch reply {
    case .now(let response): return deliver(response, of: call)
    case .streamed(let response, let body): return try deliver(response, body, of: call)
    case .after(let delay, let response):
      call.delay = delay
      let due = call.sandbox.clock.now + delay
      var pending = PendingReply(for: delay) { [self] in
        call.sandbox.clock.now >= due ? complete(response, of: call) : nil
      } onTimeout: { [self] in
        complete(response, of: call)
      }
      pending.delay = delay
      return .pending(pending)
    case .pending(let pending):
      let start = call.sandbox.clock.now
      return .pending(
        PendingReply(within: pending.timeout) { [self] in
          call.delay = call.sandbox.clock.now - start
          if call.isAdmitted?() == false { return deliver(ControlProblem.revokedToken.response, of: call) }
          do {
            return try pending.reply().map { try finish($0, of: call) }
          } catch {
            return deliver(response(toUncaught: error, call), of: call)
          }
        } onTimeout: { [self] in
          call.delay = call.sandbox.clock.now - start
          return complete(try pending.onTimeout(), of: call)
        })
    case .blocked: return reply
    case .webSocket(let response, let socket):
      let route = "\(call.owner?.name ?? "") \(call.outcome.route?.name ?? "")"
      return .webSocket(complete(response, of: call), run(socket, in: call.sandbox, of: route))
    }
  }

  private func deliver(_ response: Response, of call: Call) -> Reply {
    let response = complete(response, of: call)
    return call.owner?.isOwn == true ? response.compressed(for: call.request) : .now(response)
  }

  /// A body that turns out to be small is sent whole.
  private func deliver(_ response: Response, _ body: BodyPieces, of call: Call) throws -> Reply {
    if !body.isLive, let whole = try body.whole(upTo: Self.smallBody, until: isTurnLong) {
      var response = response
      response.body = whole
      return deliver(response, of: call)
    }
    body.onFailure = { [report] in
      guard !($0 is SandboxIsGone) else { return }
      report("\(call.request.method.rawValue) \(call.request.target.path): \($0)")
    }
    let response = complete(response, of: call)
    guard body.isLive else {
      // Not that of the call: an answer that has waited may be about the one that took its place.
      let (name, sandbox) = (call.sandbox.name, sandboxes[call.sandbox.name])
      body.requirement = { [sandboxes] in
        guard sandboxes[name] === sandbox else { throw SandboxIsGone() }
      }
      return response.compressed(body, for: call.request)
    }
    if let isAdmitted = call.isAdmitted { body.end(with: ServerSentEvent.revoked.bytes, unless: isAdmitted) }
    return .streamed(response, body)
  }

  /// In bytes.
  private static let smallBody = 1 << 14

  /// Adds headers and damage to an answer, counts it, and writes it to the journal.
  private func complete(_ response: Response, of call: Call) -> Response {
    let (owner, route, sandbox) = (call.owner, call.outcome.route, call.sandbox)
    var response = addCommonHeaders(response, of: owner, to: call.request, sandbox)
    if let fault = call.fault?.rule { response = fault.damaging(response) }
    metrics.count(owner, route, status: response.status, of: sandbox)
    if recordsHandling { recordHandling(of: call) }
    if owner?.isOwn != true, route?.isPage != true || response.status.code >= 400 {
      let exchange = exchange(call, response)
      observe(exchange, of: call, isOnPurpose: call.isBrokenOnPurpose(response))
      record(exchange, in: sandbox)
      return response
    }
    if call.task != nil, owner?.name == ControlAPI.name {
      let exchange = exchange(call, response)
      observe(exchange, of: call, isOnPurpose: exchange.isOnPurpose)
    }
    return response
  }

  func record(_ exchange: Journal.Exchange, in sandbox: Sandbox) {
    onExchange?(exchange, sandbox)
    sandbox.journal.record(exchange)
  }

  private func exchange(_ call: Call, _ response: Response) -> Journal.Exchange {
    let request = call.request
    // A connection that was reset has sent nothing.
    let isSent = response.transport != .reset
    let unread = request.unread(isAccepted: response.status.code < 300)
    let own = call.reason(of: response) ?? (call.hasRepeatedMessage ? Self.repetition : nil)
    let why =
      call.isBrokenOnPurpose(response)
      ? call.limit?.why ?? call.fault?.why
      : RefusalReason(request: request, own: own, status: response.status).text
    return Journal.Exchange(
      at: call.sandbox.clock.now, owner: call.owner?.name ?? "", route: call.outcome.route?.name,
      method: request.method.rawValue, target: request.prefix + request.target.text,
      requestHead: request.headers.bytes, requestBody: request.body,
      status: isSent ? response.status.code : 0, responseHead: isSent ? response.headers.bytes : [],
      responseBody: isSent ? response.body : [],
      why: why.flatMap { masked([$0], call).first?.showingInvisible(except: "\n") },
      unread: masked(unread, call).map { $0.showingInvisible().prefix(bytes: Self.unreadNameLimit) },
      nearest: call.nearest, effects: call.effects, delay: call.delay)
  }

  /// Source: `senders.md` 1.
  private static let repetition =
    "the same text went to the same number less than 10 s before; both were sent"

  /// In bytes.
  private static let unreadNameLimit = 100

  /// Texts about a request may repeat what the client sent.
  private func masked(_ texts: [String], _ call: Call) -> [String] {
    guard !texts.isEmpty else { return [] }
    return Masking(call.sandbox.secretNames(of: call.owner?.name ?? "")).mask(texts, about: call.request)
  }

  func addCommonHeaders(
    _ response: Response, of owner: RouteOwner<Sandbox>?, to request: Request, _ sandbox: Sandbox
  ) -> Response {
    var response = response
    response.headers.reserve(640, fields: 10)
    response.headers.append(date.line(of: sandbox.clock.now))
    owner?.addCommonHeaders(&response.headers, request, sandbox)
    return response
  }
}
