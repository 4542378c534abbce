/// What happened in a sandbox, in lines for people. Helpers for tests print it when a test fails.
extension ControlAPI {
  func explain(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let explanation = try Explanation(of: sandbox)
    var lines = [explanation.heading(at: request.base)][...]
    var happenings = explanation.happenings[...]
    return .streamed(
      .text(200, ""),
      BodyPieces {
        if let line = lines.popFirst() { return Array(line.utf8) }
        return try happenings.popFirst().map { Array(try explanation.text(of: $0).utf8) }
      })
  }
}

/// The newest requests, messages and webhooks of a sandbox in the order in which they happened.
private struct Explanation {
  /// So many are enough to see what went wrong.
  private static let newest = 30
  /// In characters.
  private static let shownLength = 160

  struct Happening {
    fileprivate enum Subject { case request, message, webhook }

    fileprivate let subject: Subject
    fileprivate let ordinal: Int
    fileprivate let at: Timestamp
    /// Its place in the order.
    fileprivate let place: (request: Int, ordinal: Int)

    /// `request` is the index of the request that it comes after, or its own.
    fileprivate init(_ subject: Subject, _ ordinal: Int, _ at: Timestamp, after request: Int) {
      (self.subject, self.ordinal, self.at) = (subject, ordinal, at)
      place = (request, subject == .request ? 0 : ordinal)
    }
  }

  let happenings: [Happening]
  private let sandbox: Sandbox
  private let hasMore: Bool
  private let hasUnauthorized: Bool

  init(of sandbox: Sandbox) throws {
    self.sandbox = sandbox
    let requests = sandbox.journal.exchanges(before: .max, limit: Self.newest).reversed().map(\.self)
    let messages = try sandbox.messages.newest(.init(), onHandsets: false, limit: Self.newest)
    var recent = Webhooks.Filter()
    recent.after = max(0, sandbox.newestOrdinal - 10 * Self.newest)
    let webhooks = try sandbox.webhooks.all(recent, limit: 10 * Self.newest)
    var all = requests.indices.map { Happening(.request, requests[$0].ordinal, requests[$0].at, after: $0) }
    // Not by time, because a clock may stand still. What a request has created comes after it.
    let place = { (ordinal: Int) in
      guard let next = requests.firstIndex(where: { ordinal <= $0.effects.newestAfter }) else {
        return requests.count
      }
      return requests[next].effects.contains(ordinal) ? next : next - 1
    }
    all += messages.map { Happening(.message, $0.ordinal, $0.submittedAt, after: place($0.ordinal)) }
    all += webhooks.map { Happening(.webhook, $0.ordinal, $0.createdAt, after: place($0.ordinal)) }
    happenings = all.sorted { $0.place < $1.place }.suffix(Self.newest)
    hasMore = all.count > Self.newest
    hasUnauthorized = requests.contains { $0.status == 401 }
  }

  func heading(at base: String) -> String {
    let nothing = """
      no request reached it: does the app use the sandbox's URL or environment, and make its clients in this test? A \
      client of an earlier test still calls that test's sandbox.

      """
    let stranger = """
      401: this sandbox knows its own credentials only. Does the app read them in this test, and not when it starts?

      """
    let start = "sandbox \(sandbox.name): \(base)/\n" + (hasUnauthorized ? stranger : "")
    return start + (happenings.isEmpty ? nothing : hasMore ? "… earlier ones: GET /control/journal\n" : "")
  }

  /// Its lines; empty if it was forgotten meanwhile.
  func text(of happening: Happening) throws -> String {
    let ordinal = happening.ordinal
    let found: [String]? =
      switch happening.subject {
      case .request: sandbox.journal.find(ordinal).map { lines(of: MaskedExchange($0, in: sandbox)) }
      case .message: try sandbox.messages.find(ordinal).map { try lines(of: $0) }
      case .webhook: try sandbox.webhooks.find(ordinal).map { try lines(of: $0) }
      }
    guard let found else { return "" }
    let time = happening.at.iso8601Milliseconds.dropFirst(11).prefix(8)
    return "\(time) " + found.joined(separator: "\n           ").showingInvisible(except: "\n") + "\n"
  }

  private func lines(of masked: MaskedExchange) -> [String] {
    let exchange = masked.exchange
    let ownPath = "/s/\(sandbox.name)"
    let isPrefixed = masked.target.hasPrefix("\(ownPath)/")
    let target = masked.target.dropFirst(isPrefixed ? ownPath.count : 0)
    return [
      "\(exchange.status) \(exchange.method) \(target)",
      exchange.requestBody.isEmpty ? nil : "sent: \(Self.short(masked.requestBody))",
      exchange.status < 400 ? nil : "answered: \(Self.short(masked.responseBody))",
      exchange.why.map { "why: \($0)" },
      exchange.change.map { "change: \($0)" },
      exchange.unread.isEmpty ? nil : "not read: \(exchange.unread.joined(separator: ", "))",
      exchange.nearest.isEmpty ? nil : "nearest: \(exchange.nearest.joined(separator: ", "))",
    ].compactMap(\.self)
  }

  private func lines(of message: Message) throws -> [String] {
    let sender = message.isFromHandset ? "from the phone to" : "to"
    return [
      "\(message.channel.rawValue) \(sender) \(message.destination): \(Self.short(message.text))",
      try sandbox.messages.problem(with: message).map { "not as usual: \($0)" },
    ].compactMap(\.self)
  }

  private func lines(of webhook: Webhook) throws -> [String] {
    let last = try sandbox.webhooks.attempts(of: webhook.ordinal).last?.result
    let next = webhook.nextAt.map { "the next attempt is at \($0.iso8601Milliseconds)" }
    let reason = webhook.why ?? last?.error ?? last?.status.map { "the receiver answered \($0)" }
    let name = "\(webhook.draft.provider) \(webhook.draft.kind)"
    return ["webhook \(name) to \(webhook.shownURL): \(webhook.state.rawValue)"]
      + [reason, next].compactMap(\.self)
  }

  private static func short(_ text: String) -> String {
    let line = text.prefix(bytes: 4 * shownLength).split(whereSeparator: \.isWhitespace).joined(
      separator: " ")
    let isWhole = line.count <= shownLength && text.utf8.count <= 4 * shownLength
    return isWhole ? line : line.prefix(shownLength - 1) + "…"
  }
}
