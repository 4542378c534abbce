import Domain
import HTTP
import ProviderKit

// The resource `/v2/notify/management/subscriptions`. Source: contract 10.

func listSubscriptionConfigs(_ call: Call) throws -> Response {
  let query = try PageQuery(call.request.query, in: call.sandbox)
  let entries = try Subscription.list(
    in: call.sandbox, from: .after(query.place ?? 0), limit: query.limit + 1)
  let page = Page(entries, query, in: call.sandbox)
  return call.bareAnswer {
    page.write("configs", to: &$0) { SubscriptionBody(subscription: $0).write(to: &$1) }
  }
}

func fetchSubscriptionConfig(_ call: Call) throws -> Response {
  let config = try call.subscription
  return call.bareAnswer { SubscriptionBody(subscription: config).write(to: &$0) }
}

func listSubscribers(_ call: Call) throws -> Response {
  let state = try call.request.query.optionalWord("state", of: Membership.State.self)
  let filter = state.flatMap { Membership.State.allCases.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
  let query = try PageQuery(call.request.query, filter: filter, in: call.sandbox)
  let config = try call.subscription
  let entries = try Membership.list(of: config.id, in: call.sandbox, after: query.place ?? 0)
    .filter { state == nil || $0.record.state == state }
  let page = Page(entries, query, in: call.sandbox)
  return call.bareAnswer {
    page.write("phone_numbers", to: &$0) { MembershipBody(membership: $0).write(to: &$1) }
  }
}

func fetchSubscriber(_ call: Call) throws -> Response {
  let member = try call.membership(of: call.subscription)
  return call.bareAnswer { MembershipBody(membership: member).write(to: &$0) }
}

func listSubscriberEvents(_ call: Call) throws -> Response {
  let query = try PageQuery(call.request.query, in: call.sandbox)
  let member = try call.membership(of: call.subscription)
  let events = try Membership.events(
    of: member.number, member.config, in: call.sandbox, from: .before(query.place ?? Int.max),
    limit: query.limit + 1)
  let page = Page(events.reversed(), query, in: call.sandbox)
  return call.bareAnswer {
    page.write("events", to: &$0) { MembershipEventBody(event: $0).write(to: &$1) }
  }
}

extension Call {
  /// The configuration that the path names.
  fileprivate var subscription: Subscription {
    get throws {
      let id = request[parameter: "config"]
      guard let found = try Subscription.find(id, in: sandbox) else {
        throw Problem(.notFound, "there is no subscription config \(id)")
      }
      return found
    }
  }

  /// The number that the path names, in a configuration that knows it.
  fileprivate func membership(of config: Subscription) throws -> Membership {
    let number = try number(request[parameter: "number"], of: "phone_number")
    guard let found = try Membership.find(number, of: config.id, in: sandbox) else {
      throw Problem(.notFound, "the subscription config \(config.id) does not know \(number)")
    }
    return found
  }
}
