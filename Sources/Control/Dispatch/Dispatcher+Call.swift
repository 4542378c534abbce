extension Dispatcher {
  /// A request in progress, with what the journal needs.
  ///
  /// A class because an answer that waits is finished long after its handler returned.
  final class Call {
    let request: Request
    let outcome: Router<Sandbox>.Outcome
    let sandbox: Sandbox
    /// For an error: the reason, in plain words.
    var why: String?
    /// See `Sandbox.currentReason`.
    var currentReason: String?
    /// For an unknown path: the most similar routes.
    var nearest: [String] = []
    var fault: ActingRule<Fault>?
    var limit: ActingRule<RequestLimit>?
    /// True if the answer is the fault's, not the handler's.
    var isAnsweredByFault = false
    var effects = Journal.Effects()
    /// How long the answer was held back.
    var delay = Duration.zero
    /// The workshop's task that was the current one when the request arrived; nil outside of workshops.
    /// Not set by `init`: with a call there that can throw, the compiler copies the request.
    var task: Int?
    /// See `Admission`.
    var isAdmitted: (() -> Bool)?

    init(_ request: Request, _ outcome: Router<Sandbox>.Outcome, _ sandbox: Sandbox) {
      self.request = request
      self.outcome = outcome
      self.sandbox = sandbox
    }

    var owner: RouteOwner<Sandbox>? { outcome.owner }

    var hasRepeatedMessage: Bool { sandbox.repeatedMessage.map(effects.contains) ?? false }

    /// True if a fault or a request limit is the reason of what is odd about the answer. A fault that only
    /// delays it is not the reason of what the handler refuses.
    func isBrokenOnPurpose(_ response: Response) -> Bool {
      let isUnanswered = isAnsweredByFault || response.transport == .reset
      return limit != nil || fault != nil && (isUnanswered || reason(of: response) == nil)
    }

    func reason(of response: Response) -> String? { currentReason ?? why ?? response.why }
  }

  /// Handles a request unless a limit or a fault prevents it. Limits come first, as in front of a provider.
  func handleUnderRules(
    _ call: Call, _ route: Route<Sandbox>, _ owner: RouteOwner<Sandbox>
  ) throws -> Reply {
    let (request, sandbox) = (call.request, call.sandbox)
    call.limit = try sandbox.requestLimits.exceeded(
      provider: owner.name, route: route.name, isPreflight: request.isPreflight)
    if call.limit != nil {
      return .now(errorResponse(.fault(status: 429, code: nil), owner, request, sandbox))
    }
    call.fault = try self.fault(for: request, route, owner, in: sandbox)
    guard let fault = call.fault?.rule else { return try handle(call, route, owner) }
    if fault.preventsWork {
      call.isAnsweredByFault = true
      return .now(errorResponse(fault.failure, owner, request, sandbox)).delayed(by: fault.latency)
    }
    let reply = try handle(call, route, owner)
    call.isAnsweredByFault = fault.replacesAnswer
    return fault.reply(afterWork: reply) { errorResponse(fault.failure, owner, request, sandbox) }
      .delayed(by: fault.latency)
  }
}
