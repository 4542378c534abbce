/// Webhooks: requests that the sandbox sends, with their attempts.
extension ControlAPI {
  func listWebhooks(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let query = try request.query
    var filter = Webhooks.Filter()
    filter.provider = try provider(query)
    filter.kind = try Parameter.kind.value(in: query)
    filter.state = try Parameter.webhookState.value(in: query)
    let wanted = filter
    return try waitingList(WebhookView.page, request, sandbox) { sandbox, after, limit in
      try SearchWindow(of: sandbox).after(after, limit: limit) { after, before in
        var filter = wanted
        (filter.after, filter.before) = (after, before)
        return try sandbox.webhooks.all(filter, limit: limit).map {
          ($0.ordinal, try WebhookView($0, in: sandbox))
        }
      }
    }
  }

  func fetchWebhook(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    WebhookView.schema.response(try WebhookView(webhook(request[parameter: "id"], sandbox), in: sandbox))
  }

  func replayWebhook(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let webhook = try webhook(request[parameter: "id"], sandbox)
    _ = try sandbox.webhooks.replay(webhook)
    return try reply(afterAttemptOf: webhook, sandbox)
  }

  /// Answers when the attempt has ended; 202 if it takes longer than 30 seconds.
  func reply(afterAttemptOf webhook: Webhook, _ sandbox: Sandbox) throws -> Reply {
    try wait(.seconds(30), sandbox) { sandbox in
      let current = try sandbox.webhooks.find(webhook.ordinal)
      guard let current, current.readyAt == nil else { return nil }
      return .now(WebhookView.schema.response(try WebhookView(current, in: sandbox)))
    } onTimeout: { sandbox in
      guard let current = try sandbox.webhooks.find(webhook.ordinal) else {
        throw ControlProblem.notFound("webhook \(webhook.id) any more")
      }
      return WebhookView.schema.response(try WebhookView(current, in: sandbox), status: 202)
    }
  }

  func fetchWebhookKeys(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    guard let key = try sandbox.keys[.webhooks] else {
      throw ControlProblem.notFound("key for webhooks: no seed has one")
    }
    return .text(200, key.publicPEM)
  }

  func webhook(_ id: String, _ sandbox: Sandbox) throws -> Webhook {
    let found =
      if id == "latest" {
        try sandbox.webhooks.latest
      } else if id.hasPrefix(Webhook.idPrefix), let ordinal = Int(id.dropFirst(Webhook.idPrefix.count)) {
        try sandbox.webhooks.find(ordinal)
      } else {
        Webhook?.none
      }
    guard let found else {
      throw ControlProblem.notFound(id == "latest" ? "webhook yet" : "webhook \(id)")
    }
    return found
  }
}

struct WebhookView: Sendable {
  private let webhook: Webhook
  private let attempts: [WebhookAttempt]
  private let masking: Masking

  private var requestHead: [String] {
    let fields = webhook.request?.fields ?? []
    return masking.head(Array(fields.map { "\($0.name): \($0.value)\r\n" }.joined().utf8))
  }

  init(_ webhook: Webhook, in sandbox: Sandbox) throws {
    self.webhook = webhook
    masking = Masking(sandbox.secretNames(of: webhook.draft.provider))
    attempts = try sandbox.webhooks.attempts(of: webhook.ordinal)
  }

  static let page = PageSchema<WebhookView, Int>("webhooks", schema, "The webhooks, oldest first.")

  static let schema = Schema<WebhookView>(
    "Webhook", "A webhook with its attempts.",
    [
      .readOnly("id", .string, "The id.") { $0.webhook.id },
      .readOnly("provider", .string, "The provider.") { $0.webhook.draft.provider },
      .readOnly("kind", .string, "The kind, by the provider's name for it.") { $0.webhook.draft.kind },
      .readOnly("url", .string, "The URL, with secrets masked.") { $0.webhook.shownURL },
      .readOnly("state", .word, "The state.") { $0.webhook.state },
      .readOnly("why", .string, "The why if it ended without delivery.") { $0.webhook.why },
      .readOnlyIfPresent("fault", .string, "What is wrong with it on purpose: a webhook fault, or a forgery.")
      {
        $0.webhook.fault?.text
      },
      .readOnly("createdAt", .preciseTimestamp, "When it was enqueued.") { $0.webhook.createdAt },
      .readOnly("nextAttemptAt", .preciseTimestamp, "When the next attempt is due.") { $0.webhook.nextAt },
      .readOnly("underWay", .boolean, "True if an attempt is due or in progress.") {
        $0.webhook.readyAt != nil
      },
      .readOnlyIfPresent("request", .object(request), "The request of every attempt; from the first one on.")
      {
        $0.webhook.request == nil ? nil : $0
      },
      .readOnly("attempts", .objects(attempt), "The attempts, oldest first.") { $0.attempts },
    ])

  private static let request = Schema<WebhookView>(
    nil, "",
    [
      .readOnlyIfPresent("method", .string, "The method, if it is not POST.") {
        $0.webhook.request.flatMap { $0.method == .post ? nil : $0.method.rawValue }
      },
      .readOnly("headers", .array(of: .string), "The header lines, with secrets masked.") {
        $0.requestHead
      },
      .readOnly("body", .string, "The body, with secrets masked.") {
        $0.masking.body($0.webhook.request?.body ?? [])
      },
    ])

  private static let attempt = Schema<WebhookAttempt>(
    nil, "",
    [
      .readOnly("number", .integer, "The attempt, counted from 1.") { $0.number },
      .readOnly("at", .preciseTimestamp, "When it was made.") { $0.at },
      .readOnly("status", .integer, "The status of the receiver's answer.") { $0.result.status },
      .readOnly("error", .string, "Why there was no answer.") { $0.result.error },
      .readOnlyIfPresent("answer", .string, "The beginning of the receiver's answer, with secrets masked.") {
        $0.result.body.isEmpty ? nil : Masking.common.body(Array($0.result.body.utf8))
      },
    ])
}
