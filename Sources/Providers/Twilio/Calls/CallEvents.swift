import ProviderKit

/// What the sandbox has asked the app during a call, oldest first, and the answers.
func listCallEvents(_ context: RequestContext) throws -> Response {
  let call = try StoredCall.named(by: context)
  let sandbox = context.sandbox
  let webhooks = try sandbox.webhooks.ordinals(about: call.carrierOrdinal, by: TwilioProvider.name)
    .compactMap { try sandbox.webhooks.find($0) }.filter { CallRequest.kinds.contains($0.draft.kind) }
  let page = try Page<Webhook>(of: context) { boundary, limit in
    let all = webhooks.map { (position: $0.ordinal, record: $0) }
    return switch boundary {
    case .after(let position): Array(all.filter { $0.position > position }.prefix(limit))
    case .before(let position): all.filter { $0.position < position }.suffix(limit)
    }
  }
  let events = try page.records.map { ($0, try sandbox.webhooks.attempts(of: $0.ordinal).last) }
  return page.flatResponse(key: "events", events) { event, json in
    let (webhook, attempt) = event
    json.object("request") { json in
      json.member("method", (webhook.request?.method ?? .post).rawValue)
      json.member("url", webhook.shownURL)
      json.object("parameters") { json in
        let form = try? Form(parsing: webhook.request?.body ?? [])
        for (name, value) in form?.pairs ?? [] { json.member(named: name, value) }
      }
    }
    json.object("response") { json in
      json.member("response_code", attempt?.result.status)
      json.member("response_body", attempt.map { $0.result.error ?? $0.result.body })
      json.member("date_created", attempt?.at.rfc2822)
    }
  }
}
