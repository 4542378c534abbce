extension Reply {
  package func map(_ transform: @escaping (Response) -> Response) -> Reply {
    switch self {
    case .now(let response), .webSocket(let response, _): .now(transform(response))
    case .after(let delay, let response): .after(delay, transform(response))
    case .streamed: .now(transform((try? whole) ?? Response(500)))
    case .pending(let pending):
      .pending(
        PendingReply(within: pending.timeout) {
          try pending.reply()?.map(transform)
        } onTimeout: {
          transform(try pending.onTimeout())
        })
    case .blocked(let blocked):
      .blocked(
        BlockedRequest(for: blocked.timeout) {
          blocked.reply()?.map(transform)
        } onTimeout: {
          transform(blocked.onTimeout())
        })
    }
  }
}

extension Response {
  package var isSuccess: Bool { status.code < 400 }
}
