/// Requests that a person sends to a provider, as an app would.
extension Dispatcher {
  /// Sends a request to this sandbox, whatever others its fields name. `earlier` is the one that it repeats.
  /// The control API and the console are no providers: a request cannot reach them, and so not itself.
  func send(_ request: Request, like earlier: Request?, in sandbox: Sandbox) throws -> Reply {
    var (request, outcome) = routed(request)
    if let owner = outcome.owner {
      guard !owner.isOwn else {
        throw ControlProblem(
          400, at: "$.target", "expected the path of a provider; found one of the \(owner.name)")
      }
      if let earlier { try owner.renewSignature(&request, routed(earlier).request, sandbox) }
    }
    let reply = answer(Call(request, outcome, sandbox))
    if case .blocked = reply { throw SandboxIsBusy(name: sandbox.name) }
    return reply
  }

  func ownerName(of request: Request) -> String? { routed(request).outcome.owner?.name }

  private func routed(_ request: Request) -> (request: Request, outcome: Router<Sandbox>.Outcome) {
    var request = request
    publicAddress.resolve(&request)
    _ = removeSandboxPrefix(from: &request)
    let outcome = route(&request)
    return (request, outcome)
  }
}
