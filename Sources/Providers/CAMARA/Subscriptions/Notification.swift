package import ProviderKit

/// A notification of a subscription before it is sent: an event of CloudEvents 1.0. Source: contract 11.
struct Notification {
  private let type: String
  private let sink: String
  private let due: Timestamp
  private let detail: [UInt8]

  init(of kind: EventKind, about line: Subscriber, for subscription: Subscription, at time: Timestamp) {
    self.init(kind.type, for: subscription, at: time) { json in
      subscription.writeSubject(to: &json)
      // Before Fall25 every notification of a swap has the number.
      if subscription.isThreeLegged, kind == .swapped, subscription.release != .fall25 {
        json.member("phoneNumber", subscription.number)
      }
      kind.write(line, to: &json)
    }
  }

  init(ending subscription: Subscription, because reason: TerminationReason, at time: Timestamp) {
    let event: LifecycleEvent = subscription.release == .fall25 ? .ended : .ends
    self.init(subscription.kind.api.lifecycleType(event), for: subscription, at: time) { json in
      if subscription.device != nil { subscription.writeSubject(to: &json) }
      json.member("terminationReason", reason.rawValue)
    }
  }

  init(starting subscription: Subscription, at time: Timestamp) {
    self.init(subscription.kind.api.lifecycleType(.started), for: subscription, at: time) { json in
      if subscription.device != nil { subscription.writeSubject(to: &json) }
      json.member("initiationReason", "SUBSCRIPTION_CREATED")
    }
  }

  /// `write` writes the members of `data` besides the subscription's id.
  private init(
    _ type: String, for subscription: Subscription, at time: Timestamp, _ write: (inout JSONWriter) -> Void
  ) {
    self.type = type
    sink = subscription.sink
    due = time
    detail = JSONWriter.object { json in
      json.member("source", subscription.source)
      json.member("number", subscription.number)
      json.member("time", time.iso8601Milliseconds)
      json.member("accessToken", subscription.accessToken)
      json.object("data") { json in
        json.member("subscriptionId", subscription.id)
        write(&json)
      }
    }
  }

  @discardableResult
  func enqueue(in sandbox: Sandbox) throws -> Webhook {
    try sandbox.webhooks.enqueue(
      WebhookDraft(
        provider: CAMARAProvider.name, url: sink, kind: type, subject: 0,
        detail: String(decoding: detail, as: UTF8.self)),
      dueAt: due)
  }
}

extension CAMARAProvider: SendsWebhooks {
  package static func request(for webhook: Webhook, in sandbox: Sandbox) throws -> WebhookRequest? {
    let detail = try Fields(Array(webhook.draft.detail.utf8))
    let (source, time, data) = (
      try detail.string("source"), try detail.string("time"), try detail.json("data").encoded()
    )
    let body = JSONWriter.object { json in
      json.member("id", sandbox.entropy.uuid("event", webhook.ordinal, at: webhook.createdAt))
      json.member("source", source)
      json.member("type", webhook.draft.kind)
      json.member("specversion", "1.0")
      json.member("datacontenttype", "application/json")
      json.member("time", time)
      json.member("data", encoded: data)
    }
    return request(
      body, accessToken: try detail.optionalString("accessToken"),
      correlator: sandbox.entropy.uuid("notification", webhook.ordinal, at: webhook.createdAt))
  }

  package static func request(
    sending body: JSON, of kind: String, to url: String, in sandbox: Sandbox
  ) throws -> (url: String, request: WebhookRequest) {
    let correlator = UUIDText.version4(sandbox.requestIdentifier("notification"))
    let token = try Subscription.accessToken(forSink: url, in: sandbox)
    return (url, request(body.encoded(), accessToken: token, correlator: correlator))
  }

  private static func request(
    _ body: [UInt8], accessToken: String?, correlator: String
  ) -> WebhookRequest {
    var fields = [
      WebhookRequest.Field("Content-Type", "application/cloudevents+json"),
      WebhookRequest.Field("x-correlator", correlator),
    ]
    if let accessToken { fields.append(.init("Authorization", "Bearer \(accessToken)")) }
    return WebhookRequest(fields: fields, body: body)
  }

  package static func number(of webhook: Webhook, in sandbox: Sandbox) throws -> String? {
    try Fields(Array(webhook.draft.detail.utf8)).optionalString("number")
  }

  package static var webhookKinds: [String] { EventAPI.allCases.flatMap(\.types) }
  /// Nothing signs a notification: the receiver knows it by the token that it has given.
  package static let signatureFields = ["Authorization"]

  /// The specifications have no policy: after one minute, doubled each time up to an hour, for a day, unless
  /// the receiver is gone.
  package static let retries: RetrySchedule = {
    var schedule = RetrySchedule.doubling(from: .seconds(60), upTo: .seconds(3600), for: .seconds(86_400))
    schedule.refusals = Set(endings.keys)
    return schedule
  }()

  /// The statuses of a receiver that end its subscription: it does not accept its token any longer, or wants
  /// no more. Source: contract 11.
  static let endings = [401: TerminationReason.accessTokenExpired, 410: .networkTerminated]
}

extension Subscription {
  /// Tells receivers what has happened to a line, or that there is no more.
  static func handle(_ event: DomainEvent, in sandbox: Sandbox) throws {
    switch event {
    case .lineChanged(let former, let line):
      for var subscription in try Subscription.all(of: line.number.description, in: sandbox)
      where subscription.kind.happens(from: former, to: line) {
        guard try subscription.status(in: sandbox) == .active else { continue }
        try subscription.notify(about: line, in: sandbox)
      }
    case .abandoned(let number):
      for var subscription in try Subscription.all(of: number.description, in: sandbox) {
        try subscription.end(because: .networkTerminated, in: sandbox)
      }
    case .webhookEnded(let webhook, let answer):
      guard let reason = answer.flatMap({ CAMARAProvider.endings[$0.status] }) else { return }
      let id = try Fields(Array(webhook.draft.detail.utf8)).optionalObject("data")?.string("subscriptionId")
      if var subscription = try id.flatMap({ try Subscription.find($0, in: sandbox) }) {
        try subscription.end(because: reason, in: sandbox)
      }
    default: break
    }
  }
}
