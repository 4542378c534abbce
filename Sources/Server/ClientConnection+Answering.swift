import HTTP
import Loop

extension ClientConnection {
  /// Asks the application, which answers now or later.
  func answer(_ message: RequestParser.Message) {
    if isSurplus {
      ending = .close
      let response = server.application.refusal(.overload, for: message.request)
      return hold(response, for: message)
    }
    server.tick.hasChanges = true
    guard message.request.via.isDirect || staysHere(message) else { return }
    switch server.application.respond(to: message.request) {
    case .now(let response): hold(response, for: message)
    case .after(let delay, let response):
      wait(PendingReply(for: delay, answer: { nil }, onTimeout: { response }), message)
    case .follow(let follow): wait(follow, message)
    }
  }

  /// Encodes the answer; it leaves when the tick's commit has succeeded.
  func hold(_ response: Response, for message: RequestParser.Message) {
    var context = context(for: message)
    if response.closesConnection { context.persists = false }
    append(response, for: context)
    server.tick.held.append(.init(connection: self, request: message.request, context: context))
  }

  private func context(for message: borrowing RequestParser.Message) -> ResponseEncoder.Context {
    let persists = message.persists && persists && ending == .none && !server.isDraining
    return ResponseEncoder.Context(
      isHead: message.request.method == .head, persists: persists, minorVersion: message.minorVersion)
  }

  /// Adds an answer to this tick's output, and notes whether it is the last.
  func append(_ response: Response, for context: ResponseEncoder.Context) {
    if output.isEmpty { output = server.tick.takeBuffer() }
    ResponseEncoder.append(response, for: context, to: &output)
    if !context.persists, ending == .none { ending = .close }
    switch response.transport {
    case .whole: break
    case .truncated: ending = .close
    case .reset: ending = .reset
    }
    markDirty()
  }

  /// Forgets what this tick has encoded and what it waits for: the commit failed.
  func takeBack() {
    output.removeAll(keepingCapacity: true)
    ending = parting == nil && !hasUnreadInput ? .none : .close
    guard follow != nil else { return }
    dropFollow()
    enter(.idle, anew: true)
  }

  /// Ends the connection with an answer that belongs to no request.
  func refuse(_ response: Response) {
    parting = response
    ending = .close
    hasUnreadInput = true
    due = .nothing
    markDirty()
  }

  private func wait(_ next: PendingReply, _ message: RequestParser.Message) {
    let now = server.loop.milliseconds
    let deadline = now + next.timeout.roundedUpMilliseconds
    server.follows.add(self, until: deadline, now: now)
    let context = context(for: message)
    server.tick.held.append(.init(connection: self, request: message.request, context: context))
    follow = Following(follow: next, message: message, deadline: deadline)
  }

  /// Sends the awaited answer if there is one by now.
  func tryFollow() {
    guard let follow else { return }
    finishFollow { try follow.follow.answer() }
  }

  /// Sends the other answer: timeout has ended.
  func endFollow() {
    guard let follow else { return }
    finishFollow { try follow.follow.onTimeout() }
  }

  private func finishFollow(_ answer: () throws -> Response?) {
    guard let message = follow?.message else { return }
    let response: Response
    do {
      guard let found = try answer() else { return }
      response = found
    } catch let refusal as any ResponseError {
      response = refusal.response
    } catch {
      response = server.application.refusal(.failure, for: message.request)
    }
    dropFollow()
    hold(response, for: message)
    enter(.idle, anew: true)
  }

  func dropFollow() {
    follow = nil
    server.follows.remove(self)
  }
}
