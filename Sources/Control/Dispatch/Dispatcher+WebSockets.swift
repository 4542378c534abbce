extension Dispatcher {
  /// The same socket, with closures that run like requests of this sandbox.
  func run(_ socket: WebSocket, in sandbox: Sandbox, of route: String) -> WebSocket {
    var running = socket
    running.key = socket.key.map { "\(route) \($0)" }
    running.source = WebSocket.Source(sandbox) { sandbox.changeCount }
    running.update = { [self] in output(in: sandbox, of: route, socket.update) }
    running.receive = { [self] message in
      output(in: sandbox, of: route, isRequest: true) { try socket.receive(message) }
    }
    return running
  }

  private func output(
    in sandbox: Sandbox, of route: String, isRequest: Bool = false, _ body: () throws -> WebSocket.Output
  ) -> WebSocket.Output {
    guard sandboxes.contains(sandbox) else { return .init(close: .goingAway) }
    // Updates follow when the sandbox is free.
    if !isRequest, sandbox.isBusy { return [] }
    do {
      if isRequest { try sandbox.countRequest() }
      try sandbox.prepareForRequest()
      var output = try sandbox.withinLimits(body)
      // A frozen clock only moves with a change, and `update` is then called anyway.
      if case .frozen = sandbox.clock.mode { output.updateAfter = nil }
      return output
    } catch {
      return .init(close: close(for: error, of: route))
    }
  }

  private func close(for error: any Error, of route: String) -> WebSocket.Close {
    switch error {
    case is SandboxIsBusy: return .tryAgainLater
    case let error as FieldError: return WebSocket.Close(1007, reason: "\(error)")
    case let error as LimitExceeded:
      metrics.countRefusal(by: error.limit)
      return .tryAgainLater
    case let error as any ResponseError: return WebSocket.Close(1008, reason: error.why ?? "")
    default:
      report("WebSocket \(route): \(error)")
      return .internalError
    }
  }
}
