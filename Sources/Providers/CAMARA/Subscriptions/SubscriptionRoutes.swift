import ProviderKit

// SIM Swap Subscriptions 0.3.0, Device Roaming Status Subscriptions 0.8.0, Device Reachability Status
// Subscriptions 0.8.0. Source: contract 11.

extension CAMARAProvider {
  static var subscriptionRoutes: [Route<Sandbox>] {
    routes(
      of: .simSwap, "createSimSwapSubscription", "retrieveSubscriptionList", "retrieveSubscription",
      "deleteSubscription")
      + routes(
        of: .roaming, "createDeviceRoamingStatusSubscription", "retrieveDeviceRoamingStatusSubscriptionList",
        "retrieveDeviceRoamingStatusSubscription", "deleteDeviceRoamingStatusSubscription")
      + routes(
        of: .reachability, "createDeviceReachabilityStatusSubscription",
        "retrieveDeviceReachabilityStatusSubscriptionList", "retrieveDeviceReachabilityStatusSubscription",
        "deleteDeviceReachabilityStatusSubscription")
  }

  private static func routes(
    of api: EventAPI, _ create: String, _ list: String, _ fetch: String, _ delete: String
  ) -> [Route<Sandbox>] {
    let all = Pattern(stringLiteral: "\(api.path)/subscriptions")
    let one = Pattern(stringLiteral: "\(api.path)/subscriptions/{subscriptionId}")
    return [
      .post(all, as: create, operation(anyOf: api.events.map(\.scope)) { try createSubscription($0, api) }),
      .deferred(.get, all, as: list, operation(api.readScope) { try listSubscriptions($0, api) }),
      .get(one, as: fetch, operation(api.readScope) { try fetchSubscription($0, api) }),
      .delete(one, as: delete, operation(api.deleteScope) { try deleteSubscription($0, api) }),
    ]
  }
}

private func createSubscription(_ context: RequestContext, _ api: EventAPI) throws -> Response {
  let request = try SubscriptionRequest(context.body, to: api, context)
  guard context.token.scope.covers(request.kind.scope) else {
    throw APIError(.subscriptionMismatch, lacking: [request.kind.scope])
  }
  let target =
    api == .simSwap
    ? Target(
      subscriber: try Subject.subscriber(numbered: request.detail.optionalPhoneNumber(), context),
      identifier: nil)
    : try Target(of: request.detail, context)
  var subscription = Subscription()
  subscription.kind = request.kind
  subscription.clientID = context.client.id
  subscription.number = target.subscriber.number.description
  (subscription.isThreeLegged, subscription.purpose) = (context.token.isThreeLegged, context.token.purpose)
  subscription.release = context.version.release
  subscription.device = try target.identifier?.json
  (subscription.sink, subscription.accessToken) = (request.sink, request.accessToken)
  (subscription.expireTime, subscription.maxEvents) = (request.expireTime, request.maxEvents)
  subscription.initialEvent = request.initialEvent
  subscription.source = url(of: api, context.request)
  (subscription.endsAt, subscription.endReason) = (request.end?.time, request.end?.reason)
  guard try !subscription.exists(in: context.sandbox) else {
    throw APIError(.alreadyExists)
      .because("an active subscription has the same client, type, line and sink")
  }
  try subscription.start(in: context.sandbox)
  if context.settings.subscriptionLifecycleEvents == .all, subscription.release == .fall25 {
    try Notification(starting: subscription, at: context.now).enqueue(in: context.sandbox)
  }
  if subscription.initialEvent == true, subscription.kind.holds(for: target.subscriber) {
    try subscription.notify(about: target.subscriber, in: context.sandbox)
  }
  return context.settings.subscriptions == .later
    ? context.response(202) { $0.member("id", subscription.id) }
    : try response(about: subscription, 201, context)
}

/// One at a time, because the status of each is in the record of another line.
private func listSubscriptions(_ context: RequestContext, _ api: EventAPI) throws -> Reply {
  let sandbox = context.sandbox
  let all = try Subscription.all(of: context.client.id, api, in: sandbox).filter(context.token.sees)
  var place = 0
  return .streamed(
    context.response([]),
    BodyPieces {
      defer { place += 1 }
      guard place < all.count else {
        return place > all.count ? nil : Array((all.isEmpty ? "[]" : "]").utf8)
      }
      let status = try sandbox.atomically { try all[place].status(in: sandbox) }
      return Array((place == 0 ? "[" : ",").utf8)
        + JSONWriter.object { all[place].write(status, to: &$0, for: context.token) }
    })
}

private func fetchSubscription(_ context: RequestContext, _ api: EventAPI) throws -> Response {
  try response(about: find(api, context), 200, context)
}

private func response(
  about subscription: Subscription, _ status: Status, _ context: RequestContext
) throws -> Response {
  let state = try subscription.status(in: context.sandbox)
  return context.response(status) { subscription.write(state, to: &$0, for: context.token) }
}

private func deleteSubscription(_ context: RequestContext, _ api: EventAPI) throws -> Response {
  var subscription = try find(api, context)
  try subscription.end(because: .subscriptionDeleted, in: context.sandbox)
  try subscription.delete(in: context.sandbox)
  return context.settings.subscriptions == .later
    ? context.response(202) { $0.member("id", subscription.id) } : Response(204)
}

/// That of the path. One of another client, of another line or of another API does not exist.
private func find(_ api: EventAPI, _ context: RequestContext) throws -> Subscription {
  let id = context.request[parameter: "subscriptionId"]
  guard let subscription = try Subscription.find(id, in: context.sandbox),
    subscription.clientID == context.client.id,
    subscription.kind.api == api, context.token.sees(subscription)
  else { throw APIError(.notFound).because("the client has no such subscription") }
  return subscription
}

/// `http://127.0.0.1:5550/sim-swap-subscriptions/v0.3`
private func url(of api: EventAPI, _ request: Request) -> String {
  let path = request.target.path
  return "\(request.origin)\(path.hasSuffix("/subscriptions") ? String(path.dropLast(14)) : api.path)"
}

extension Device.Identifier {
  fileprivate var json: JSON {
    get throws { try JSON(parsing: JSONWriter.object { write(to: &$0) }) }
  }
}

extension AccessToken {
  /// A token of a line sees its subscriptions only.
  fileprivate func sees(_ subscription: Subscription) -> Bool {
    number.map { $0.description == subscription.number } ?? true
  }
}
