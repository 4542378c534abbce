import ProviderKit

// The resource `/v2/notify/management/subscriptions`. Source: contract 10.

func listSubscriptionConfigs(_ context: RequestContext) throws -> Response {
  let query = try PageQuery(context.request.query, in: context.sandbox)
  let entries = try SubscriptionConfig.list(
    from: .after(query.position ?? 0), limit: query.limit + 1, in: context.sandbox)
  let page = Page(entries, query, in: context.sandbox)
  return .json(200) { page.write("configs", to: &$0) { $0.writeBody(to: &$1) } }
}

func fetchSubscriptionConfig(_ context: RequestContext) throws -> Response {
  let config = try SubscriptionConfig.named(by: context)
  return .json(200) { config.writeBody(to: &$0) }
}

func listSubscribers(_ context: RequestContext) throws -> Response {
  let state = try context.request.query.optionalWord("state", of: Membership.State.self)
  let filter = state.flatMap { Membership.State.allCases.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
  let query = try PageQuery(context.request.query, filter: filter, in: context.sandbox)
  let config = try SubscriptionConfig.named(by: context)
  let entries = try Membership.list(of: config.id, after: query.position ?? 0, in: context.sandbox)
    .filter { state == nil || $0.record.state == state }
  let page = Page(entries, query, in: context.sandbox)
  return .json(200) { page.write("phone_numbers", to: &$0) { $0.writeState(to: &$1) } }
}

func fetchSubscriber(_ context: RequestContext) throws -> Response {
  let member = try Membership.named(by: context)
  return .json(200) { member.writeState(to: &$0) }
}

func listSubscriberEvents(_ context: RequestContext) throws -> Response {
  let query = try PageQuery(context.request.query, in: context.sandbox)
  let member = try Membership.named(by: context)
  let events = try Membership.events(
    of: member.number, member.config, from: .before(query.position ?? Int.max), limit: query.limit + 1,
    in: context.sandbox)
  let page = Page(events.reversed(), query, in: context.sandbox)
  return .json(200) { page.write("events", to: &$0) { $0.writeEvent(to: &$1) } }
}

// Bodies of responses. Source: contract 10.

extension SubscriptionConfig {
  fileprivate func writeBody(to json: inout JSONWriter) {
    json.member("id", id)
    json.member("name", title)
    json.member("callback_url", callbackURL)
    json.object("messages") { replies.write(to: &$0) }
    json.array("mo_phone_numbers", lines) { json, line in
      json.value {
        $0.member("country_code", line.country)
        $0.member("phone_number", line.number)
      }
    }
    json.member("created_at", createdAt.iso8601Milliseconds)
    json.member("updated_at", updatedAt.iso8601Milliseconds)
  }
}

extension Membership {
  fileprivate func writeState(to json: inout JSONWriter) {
    writeChange(to: &json)
    json.member("updated_at", at.iso8601Milliseconds)
  }

  fileprivate func writeEvent(to json: inout JSONWriter) {
    writeChange(to: &json)
    json.member("timestamp", at.iso8601Milliseconds)
  }

  private func writeChange(to json: inout JSONWriter) {
    json.member("config_id", config)
    json.member("phone_number", number)
    json.member("state", state.rawValue)
    json.member("source", source.rawValue)
    if let reason { json.member("reason", reason) }
  }
}
