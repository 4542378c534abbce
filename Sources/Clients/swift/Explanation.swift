/// What happened in a sandbox, in the words of the control API.
struct Explanation {
  private static let shown = 10
  let sandbox: Sandbox

  /// An error that says what happened instead.
  func error(_ heading: String, to: String? = nil) async throws -> RingfenceError {
    RingfenceError(try await text(heading, to: to), isExplained: true)
  }

  /// What was sent and refused, after a heading; what concerns a number comes first.
  func text(_ heading: String? = nil, to: String? = nil) async throws -> String {
    let messages: [Ringfence.Message] = try await sandbox.control.newest("/control/messages", limit: 100)
    let requests: [Ringfence.Exchange] = try await sandbox.control.newest("/control/journal", limit: 100)
    let webhooks: [Ringfence.Webhook] = try await sandbox.control.entries("/control/webhooks")
    let (own, others) = (messages.filter { $0.to == to }, messages.filter { $0.to != to })
    let undelivered = webhooks.filter { $0.state != .delivered }.reversed()
    let heading = heading.map { ["\($0):"] } ?? []
    let sent = section("sent", (own + others).map(line))
    let refused = section("refused", requests.compactMap(refusal))
    let late = undelivered.isEmpty ? [] : section("not delivered", undelivered.map(line))
    let end =
      sandbox.isTransient
      ? "  for a page with all of it, set RINGFENCE_REPORT=DIR" : "  console: \(sandbox.console)"
    return visible((heading + sent + refused + late + [end]).joined(separator: "\n"))
  }

  /// A terminal would obey the control characters of outside texts.
  private func visible(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      guard scalar.properties.generalCategory == .control, scalar != "\n" else { return "\(scalar)" }
      return "\\x\(scalar.value < 16 ? "0" : "")\(String(scalar.value, radix: 16, uppercase: true))"
    }.joined()
  }

  private func section(_ title: String, _ lines: [String]) -> [String] {
    if lines.isEmpty { return ["  \(title): nothing"] }
    let more = lines.count > Explanation.shown ? ["    … and \(lines.count - Explanation.shown) more"] : []
    return ["  \(title):"] + lines.prefix(Explanation.shown).map { "    \($0)" } + more
  }

  private func line(_ message: Ringfence.Message) -> String {
    let content = message.code.map { "code \($0)" } ?? "\"\(message.text.prefix(60))\""
    let end = message.arrivedAt == nil ? "not arrived (\(message.state.rawValue))" : "arrived"
    let sender = message.provider.isEmpty ? "phone" : message.provider
    return "\(sender) \(message.channel.rawValue) to \(message.to): \(content), \(end)"
  }

  private func refusal(_ exchange: Ringfence.Exchange) -> String? {
    guard let why = exchange.why else { return nil }
    let nearest = exchange.nearest ?? []
    let hint = nearest.isEmpty ? "" : " (nearest: \(nearest.joined(separator: ", ")))"
    let (request, status) = (exchange.request, exchange.response.status)
    return "\(request.method) \(request.target) \(status): \(why)\(hint)"
  }

  private func line(_ webhook: Ringfence.Webhook) -> String {
    let last = webhook.attempts.last
    let reason = webhook.why ?? last?.error ?? last?.status.map { "answered \($0)" }
    let next = webhook.nextAttemptAt.map { ", due at \($0) on the sandbox's clock" } ?? ""
    let ending = "\(webhook.state.rawValue)\(reason.map { " (\($0))" } ?? "")\(next)"
    return "\(webhook.provider) \(webhook.kind) to \(webhook.url): \(ending)"
  }
}
