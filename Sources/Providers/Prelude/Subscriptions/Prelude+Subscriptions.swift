import Domain
import HTTP

/// The resource `/v2/notify/management/subscriptions`. Source: contract 10.
extension Prelude {
  static func listSubscriptionConfigs(_ call: Call) throws -> Response {
    let query = try PageQuery(call.request.query, in: call.sandbox)
    let entries = try Subscription.list(
      in: call.sandbox, from: .after(query.place ?? 0), limit: query.limit + 1)
    let page = Page(entries, query, in: call.sandbox)
    return call.bareAnswer {
      page.write("configs", to: &$0) { SubscriptionBody(subscription: $0).write(to: &$1) }
    }
  }

  static func fetchSubscriptionConfig(_ call: Call) throws -> Response {
    let config = try call.subscription
    return call.bareAnswer { SubscriptionBody(subscription: config).write(to: &$0) }
  }

  static func listSubscribers(_ call: Call) throws -> Response {
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

  static func fetchSubscriber(_ call: Call) throws -> Response {
    let member = try call.membership(of: call.subscription)
    return call.bareAnswer { MembershipBody(membership: member).write(to: &$0) }
  }

  static func listSubscriberEvents(_ call: Call) throws -> Response {
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
}

extension Prelude.Call {
  /// The configuration that the path names.
  fileprivate var subscription: Prelude.Subscription {
    get throws {
      let id = request[parameter: "config"]
      guard let found = try Prelude.Subscription.find(id, in: sandbox) else {
        throw Prelude.Problem(.notFound, "there is no subscription config \(id)")
      }
      return found
    }
  }

  /// The number that the path names, in a configuration that knows it.
  fileprivate func membership(of config: Prelude.Subscription) throws -> Prelude.Membership {
    let number = try number(request[parameter: "number"], of: "phone_number")
    guard let found = try Prelude.Membership.find(number, of: config.id, in: sandbox) else {
      throw Prelude.Problem(.notFound, "the subscription config \(config.id) does not know \(number)")
    }
    return found
  }
}
