/// What the workshops see of requests: progress, and refusals.
extension Dispatcher {
  /// Shows the exchange to the sandbox's workshop. A refusal belongs to the participant whose credentials the
  /// request has, whatever address it was sent to. Whose address it is sees the reason too: it may be their
  /// own request.
  func observe(_ exchange: Journal.Exchange, of call: Call, isOnPurpose: Bool) {
    if exchange.status >= 400, !isOnPurpose, let sender = sender(of: call) {
      return note(call.request, in: sender, sentTo: call.sandbox.name, credentials: "credentials")
    }
    guard let task = call.task else { return }
    follow(call.sandbox) {
      try $0.observe(
        exchange, during: task, isOwn: call.owner?.isOwn ?? false, isOnPurpose: isOnPurpose,
        search: { JournalFilter.search($0, in: $1) })
    }
  }

  /// The participant's sandbox that the credentials of a request to a provider belong to; nil if that is the
  /// one that the request was sent to.
  private func sender(of call: Call) -> Sandbox? {
    guard sandboxes.count > 1, let owner = call.owner, !owner.isOwn,
      let credential = owner.credential(call.request),
      let holder = try? sandboxes.owner(ofCredential: credential, provider: owner.name),
      holder !== call.sandbox
    else { return nil }
    return isInWorkshop(holder) ? holder : nil
  }

  /// Shows a request that may not reach the sandbox that it names to the workshop of that sandbox, or, if its
  /// token is right for another one, to the workshop of that.
  func noteRefusal(of request: Request, _ problem: ControlProblem, at name: String?) {
    guard let name else { return }
    let holder = accessRules.holder(of: request, in: sandboxes) ?? name
    guard let sandbox = sandboxes[holder], isInWorkshop(sandbox) else { return }
    if holder != name { return note(request, in: sandbox, sentTo: name, credentials: "token") }
    note(request, problem.message, in: sandbox)
  }

  private func note(_ request: Request, in sender: Sandbox, sentTo name: String, credentials: String) {
    let owner = sandboxes[name]
    // Who of the two has sent it is not known.
    let why =
      "sent to the address of \(person(in: owner) ?? name) with the \(credentials) of "
      + "\(person(in: sender) ?? sender.name), by one of the two; use the address and the "
      + "\(credentials) on one card"
    note(request, why, in: sender)
    guard let owner, isInWorkshop(owner) else { return }
    follow(owner) {
      try $0.noteRefusal(request.method.rawValue, request.target.path, why: why, isOwn: false)
    }
  }

  /// The name of the participant; nil outside of workshops. Some have a number as their name.
  private func person(in sandbox: Sandbox?) -> String? {
    guard let name = try? sandbox?.workshopPlace?.participant.name else { return nil }
    return name.allSatisfy(\.isNumber) ? "participant \(name)" : name
  }

  private func note(_ request: Request, _ why: String, in sandbox: Sandbox) {
    follow(sandbox) { try $0.noteRefusal(request.method.rawValue, request.target.path, why: why) }
  }

  private func isInWorkshop(_ sandbox: Sandbox) -> Bool { (try? sandbox.tasks.current) != nil }

  /// In the same tick, so that progress is committed with the request that made it.
  private func follow(_ sandbox: Sandbox, _ body: (TaskTracker) throws -> Void) {
    do {
      try sandbox.atomically { try body(sandbox.tasks) }
    } catch {
      report("the progress of \(sandbox.name) was not saved: \(error)")
    }
  }
}
