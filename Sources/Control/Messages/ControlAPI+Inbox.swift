import Domain
import HTTP
import JSON

/// What handsets show. Source: `carrier.md` 4.4.
extension ControlAPI {
  func inbox(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let (filter, timeout) = try filter(request)
    return try wait(timeout, request, sandbox) { sandbox in
      let messages = try sandbox.messages.inbox(filter)
      return messages.isEmpty ? nil : try list(messages, filter, sandbox)
    } onTimeout: {
      try list([], filter, $0)
    }
  }

  func submitted(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let (filter, timeout) = try filter(request, byNumber: true)
    return try wait(timeout, request, sandbox) { sandbox in
      let messages = try sandbox.messages.submitted(filter)
      return messages.isEmpty ? nil : try list(messages, filter, sandbox)
    } onTimeout: {
      try list([], filter, $0)
    }
  }

  func fetchMessage(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let id = request[parameter: "id"]
    guard let message = try message(id, in: sandbox) else { throw ControlProblem.notFound("message \(id)") }
    return try body(of: message, in: sandbox)
  }

  func latestMessage(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let (filter, timeout) = try filter(request)
    return try wait(timeout, request, sandbox) { sandbox in
      try sandbox.messages.latest(filter).map { message in
        try body(of: message, in: sandbox)
      }
    } onTimeout: { _ in
      throw ControlProblem.notFound("message for \(filter.destination ?? "anybody") yet")
    }
  }

  func latestCode(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    var (filter, timeout) = try filter(request)
    filter.hasCode = true
    let wanted = filter
    return try wait(timeout, request, sandbox) { sandbox in
      try sandbox.messages.latest(wanted)?.code.map { .text(200, $0) }
    } onTimeout: { _ in
      .text(404, "there is no code for \(wanted.destination ?? "anybody") yet\n")
    }
  }

  func clearInbox(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    try sandbox.messages.clear(destination: request.parameters.value("number"))
    return Response(204)
  }

  /// Answers at once when there is something to tell or no timeout, else when there is.
  ///
  /// The sandbox is found anew by its name each time: it may have been reset while somebody waits.
  func wait(
    _ timeout: Duration, _ request: Request, _ sandbox: Sandbox,
    answer: @escaping (Sandbox) throws -> Response?, onTimeout: @escaping (Sandbox) throws -> Response
  ) throws -> Reply {
    if let response = try answer(sandbox) { return .now(response) }
    guard timeout > .zero else { return .now(try onTimeout(sandbox)) }
    let name = sandbox.name
    return .pending(
      PendingReply(for: timeout) {
        try sandboxes[name].flatMap { try answer($0) }
      } onTimeout: {
        do {
          return try onTimeout(sandboxes[name] ?? sandbox)
        } catch let refusal as any ResponseError {
          return refusal.response
        }
      })
  }

  /// `wait` of a query: whole seconds, 30 at most.
  func timeout(_ query: Form) throws -> Duration {
    .seconds(try count("wait", in: query, atMost: 30) ?? 0)
  }

  /// A whole number of a query.
  func count(_ name: String, in query: Form, atMost most: Int) throws(FormError) -> Int? {
    guard let text = query[name] else { return nil }
    guard let number = Int(text), (0...most).contains(number) else {
      throw FormError(field: name, expected: "a whole number from 0 to \(most)")
    }
    return number
  }

  private func filter(
    _ request: Request, byNumber: Bool = false
  ) throws -> (Messages.Filter, Duration) {
    let query = try request.query
    var filter = Messages.Filter()
    filter.destination = byNumber ? query["number"] : request.parameters.value("number")
    filter.provider = query["provider"]
    filter.after = try count("after", in: query, atMost: Int.max) ?? 0
    if let word = query["channel"] {
      guard let channel = Channel(rawValue: word) else {
        let words = Channel.allCases.map(\.rawValue).joined(separator: ", ")
        throw FormError(field: "channel", expected: "one of \(words)")
      }
      filter.channel = channel
    }
    let timeout = try timeout(query)
    try query.requireAllRead()
    return (filter, timeout)
  }
}
