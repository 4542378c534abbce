import Domain
import HTTP
import JSON

/// Requests that the sandbox sends: what became of each, and once more on demand.
extension ControlAPI {
  func listWebhooks(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let query = try request.query
    var filter = Webhooks.Filter()
    filter.provider = query["provider"]
    filter.kind = query["kind"]
    filter.after = try count("after", in: query, atMost: Int.max) ?? 0
    if let word = query["state"] {
      guard let state = Webhook.State(rawValue: word) else {
        let words = Webhook.State.allCases.map(\.rawValue).joined(separator: ", ")
        throw FormError(field: "state", expected: "one of \(words)")
      }
      filter.state = state
    }
    let (timeout, wanted) = (try timeout(query), filter)
    try query.requireAllRead()
    return try wait(timeout, request, sandbox) { sandbox in
      let webhooks = try sandbox.webhooks.all(wanted)
      return webhooks.isEmpty ? nil : try list(webhooks, after: wanted.after, sandbox)
    } onTimeout: {
      try list([], after: wanted.after, $0)
    }
  }

  func fetchWebhook(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    .json(200, try body(of: webhook(request, sandbox), sandbox))
  }

  /// Answers when the attempt has ended; 202 where that takes too long.
  func replayWebhook(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let webhook = try webhook(request, sandbox)
    _ = try sandbox.webhooks.replay(webhook)
    return try wait(.seconds(30), request, sandbox) { sandbox in
      let current = try sandbox.webhooks.find(webhook.ordinal)
      guard let current, current.readyAt == nil else { return nil }
      return .json(200, try body(of: current, sandbox))
    } onTimeout: { sandbox in
      guard let current = try sandbox.webhooks.find(webhook.ordinal) else {
        throw ControlProblem.notFound("webhook \(webhook.id) any more")
      }
      return .json(202, try body(of: current, sandbox))
    }
  }

  func fetchWebhookKeys(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    guard let key = try sandbox.keys[.webhooks] else {
      throw ControlProblem.notFound("key for webhooks: no seed has brought one")
    }
    return .text(200, key.publicPEM)
  }

  private func webhook(_ request: Request, _ sandbox: Sandbox) throws -> Webhook {
    let id = request[parameter: "id"]
    let found =
      if id == "latest" {
        try sandbox.webhooks.latest
      } else if id.hasPrefix(Webhook.idPrefix), let ordinal = Int(id.dropFirst(Webhook.idPrefix.count)) {
        try sandbox.webhooks.find(ordinal)
      } else {
        Webhook?.none
      }
    guard let found else { throw ControlProblem.notFound("webhook \(id)") }
    return found
  }

  private func list(_ webhooks: [Webhook], after: Int, _ sandbox: Sandbox) throws -> Response {
    let bodies = try webhooks.map { try body(of: $0, sandbox) }
    return .json(
      200,
      JSONWriter.object { json in
        json.array("webhooks", bodies) { $0.value(encoded: $1) }
        json.member("cursor", webhooks.last?.ordinal ?? after)
      })
  }

  private func body(of webhook: Webhook, _ sandbox: Sandbox) throws -> [UInt8] {
    let attempts = try sandbox.webhooks.attempts(of: webhook.ordinal)
    return JSONWriter.object { json in
      json.member("id", webhook.id)
      json.member("provider", webhook.draft.provider)
      json.member("kind", webhook.draft.kind)
      json.member("url", webhook.shownURL)
      json.member("state", webhook.state.rawValue)
      json.member("why", webhook.reason)
      json.member("createdAt", webhook.createdAt.iso8601Milliseconds)
      json.member("nextAttemptAt", webhook.nextAt?.iso8601Milliseconds)
      json.member("underWay", webhook.readyAt != nil)
      if let request = webhook.request {
        json.object("request") {
          $0.member(
            "headers", Masking.head(Array(request.fields.map { "\($0.name): \($0.value)\r\n" }.joined().utf8))
          )
          $0.member("body", Masking.body(request.body))
        }
      }
      json.array("attempts", attempts) { json, attempt in
        json.value {
          $0.member("number", attempt.number)
          $0.member("at", attempt.at.iso8601Milliseconds)
          $0.member("status", attempt.result.status)
          $0.member("error", attempt.result.error)
          if !attempt.result.body.isEmpty { $0.member("answer", attempt.result.body) }
        }
      }
    }
  }
}
