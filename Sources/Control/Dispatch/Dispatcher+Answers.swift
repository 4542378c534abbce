extension Fault {
  var failure: RequestFailure { .fault(status: status.flatMap { Status($0) }, code: code) }

  /// The reply to a request whose work is done: `failure` where the fault has an answer of its own, else the
  /// work's.
  func reply(afterWork reply: Reply, failure: () -> Response) -> Reply {
    guard replacesAnswer else { return reply }
    let failure = failure()
    switch reply {
    case .after(let delay, _): return .after(delay, failure)
    case .pending(let pending):
      return .pending(
        PendingReply(for: pending.timeout) {
          try pending.reply().map { _ in failure }
        } onTimeout: {
          _ = try pending.onTimeout()
          return failure
        })
    case .now, .streamed, .blocked, .webSocket: return .now(failure)
    }
  }

  func damaging(_ response: Response) -> Response {
    var response = damage == .html ? proxyPage(insteadOf: response) : response
    if let retryAfter {
      response.headers.replace("Retry-After", with: String(retryAfter))
    }
    switch damage {
    case .reset: response.transport = .reset
    case .truncate: response.transport = .truncated(after: response.body.count / 2)
    case .garble: response.body = Array("<html>garbled".utf8)
    case .html, nil: break
    }
    return response
  }

  /// What a proxy in front of the provider answers, without the provider's header fields.
  private func proxyPage(insteadOf response: Response) -> Response {
    let status = status.flatMap { Status($0) } ?? 502
    let title = "\(status.code) \(status.reason)"
    var page = Response(
      status, headers: ["Content-Type": "text/html"],
      body: Array(
        "<html>\r\n<head><title>\(title)</title></head>\r\n<body>\r\n<center><h1>\(title)</h1></center>\r\n</body>\r\n</html>\r\n"
          .utf8))
    if let date = response.headers["Date"] { page.headers.add("Date", date) }
    return page
  }
}

extension Reply {
  /// The same reply, so much later. Long polls and streams are as usual.
  func delayed(by delay: Duration?) -> Reply {
    guard let delay else { return self }
    switch self {
    case .now(let response): return .after(delay, response)
    case .after(let earlier, let response): return .after(earlier + delay, response)
    case .streamed, .pending, .blocked, .webSocket: return self
    }
  }
}

extension SearchableText {
  /// Path with query, and body; without percent-encoding where that is possible.
  init(of request: Request) {
    self.init(
      [Array(request.target.text.utf8), request.body].map { bytes in
        PercentCoding.decode(bytes, plusIsSpace: false).map { Array($0.utf8) } ?? bytes
      })
  }
}

/// A misspelt member of a request to what the sandbox defines for devices.
struct MisspeltMember: Error {
  let error: FieldError
}

extension Dispatcher {
  func reason(toAllow methods: [Method]) -> String {
    let words = methods.map(\.rawValue).joined(separator: ", ")
    return "wrong method; expected \(words)".advising("Send it as \(words), or correct the path.")
  }

  /// The fault that acts on a request.
  func fault(
    for request: Request, _ route: Route<Sandbox>, _ owner: RouteOwner<Sandbox>, in sandbox: Sandbox
  ) throws -> ActingRule<Fault>? {
    guard try sandbox.faults.canAct else { return nil }
    lazy var text = SearchableText(of: request)
    return try sandbox.faults.first(
      provider: owner.name, route: route.name, isPreflight: request.isPreflight
    ) {
      text.names($0) || owner.namesNumber($0, request)
    } contains: {
      text.contains($0)
    } skips: { code in
      try owner.skipsFault(code, request, sandbox)
    }
  }

  /// Throws if a request to what the sandbox defines for devices has a misspelt member, and was accepted or
  /// refused for its form. The providers' own requests may have such members: the journal lists them.
  func requireNoMisspeltMemberOfDeviceAPI(in request: Request, answeredBy reply: Reply) throws(MisspeltMember)
  {
    guard request.hasPathOfDeviceAPI, case .now(let response) = reply,
      response.status.code < 300 || response.status == 400, let error = request.inputs.misspelt
    else { return }
    throw MisspeltMember(error: error)
  }
}

/// The `Date` field, formatted once a second.
struct DateField {
  private var second = Int64.min
  private var line: Headers = [:]

  mutating func line(of time: Timestamp) -> Headers {
    let now = time.milliseconds / 1000
    if now != second { (second, line) = (now, ["Date": time.httpDate]) }
    return line
  }
}
