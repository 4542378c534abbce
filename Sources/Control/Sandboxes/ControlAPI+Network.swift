/// The mobile network: subscribers and the gateway. Source: `carrier.md` 4.2 and 4.5.
extension ControlAPI {
  static let subscriberPage = PageSchema<Subscriber, String>(
    "subscribers", Subscriber.schema, "The subscribers with a record, ordered by number.")

  func listSubscribers(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    try list(Self.subscriberPage, request) { after, limit in
      try sandbox.subscribers.page(after: after, limit: limit).map { ($0.number.description, $0) }
    }
  }

  func fetchSubscriber(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    Subscriber.schema.response(try sandbox.subscribers[number(request)])
  }

  func putSubscriber(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let number = try number(request)
    let fields = try request.json
    if let repeated = try fields.optionalString("number"), repeated != number.description {
      throw fields.mismatch("number", expected: "the number of the path")
    }
    let former = try sandbox.subscribers[number]
    var subscriber = former
    try sandboxes.seeds.merge(fields, into: &subscriber, at: sandbox.clock.now)
    try fields.requireAllRead(of: Subscriber.schema.object)
    try sandbox.subscribers.keep(subscriber, insteadOf: former)
    try sandbox.checkLimits()
    if try fields.optionalObject("reach") != nil { try releaseMessages(to: subscriber, in: sandbox) }
    return Subscriber.schema.response(subscriber)
  }

  func applyEvent(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let number = try number(request)
    let fields = try request.json
    let change = try SubscriberChange(fields)
    try fields.requireAllRead(of: SubscriberChange.schema.object)
    return Subscriber.schema.response(try sandbox.subscribers.apply(change, to: number))
  }

  func createSIMToken(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let token = try sandbox.simTokens.issue(for: number(request))
    return SIMTokenView.schema.response(SIMTokenView(text: token.text, expiresAt: token.expiresAt))
  }

  func deleteSubscriber(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let number = try number(request)
    guard try sandbox.subscribers.forget(number) else {
      throw ControlProblem.notFound("record of \(number)")
    }
    return Response(204)
  }

  /// Delivers the messages that were held for a handset which can be reached again.
  private func releaseMessages(to subscriber: Subscriber, in sandbox: Sandbox) throws {
    if subscriber.reach.sms { try sandbox.messages.release(to: subscriber.number, over: [.sms]) }
    if subscriber.reach.data { try sandbox.messages.release(to: subscriber.number, over: .data) }
  }

  func number(_ request: Request) throws(FieldError) -> PhoneNumber {
    let text = request[parameter: "number"]
    guard let number = PhoneNumber(text) else {
      throw FieldError(path: "number", expected: PhoneNumber.expected, found: "\"\(text)\"")
    }
    return number
  }

  func fetchGateway(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    GatewayView.schema.response(try gateway(request, sandbox))
  }

  func putGateway(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    var gateway = try gateway(request, sandbox)
    let fields = try request.json
    try GatewayView.schema.merge(fields, into: &gateway)
    try fields.requireAllRead(of: GatewayView.schema.object)
    try sandbox.gateway.set(gateway.settings)
    return try fetchGateway(request, sandbox)
  }

  private func gateway(_ request: Request, _ sandbox: Sandbox) throws -> GatewayView {
    GatewayView(
      settings: try sandbox.gateway.settings, url: try? sandbox.gateway.baseURL(requestOrigin: request.origin)
    )
  }
}

struct GatewayView: Sendable {
  var settings: Gateway.Settings
  let url: String?

  static let schema = Schema<GatewayView>(
    "Gateway", "The operators' gateway to mobile data.",
    [
      .field(
        "mode", \.settings.mode, .word, default: .magic,
        "How requests without a handset are treated. magic: as from the claimed number. strict: as from no handset."
      ),
      .field(
        "hops", \.settings.hops, .integer(0...Gateway.Settings.hopLimit), default: 0,
        "The number of additional redirects from the gateway to itself."),
      .field(
        "tls", \.settings.tls, .boolean, default: false,
        "True if a chain stays on the listener on which it started."),
      .readOnly("url", .string, "The gateway's URL for handsets.") { $0.url },
    ])
}

struct SIMTokenView: Sendable {
  let text: String
  let expiresAt: Timestamp

  static let schema = Schema<SIMTokenView>(
    "SIMToken", "A temporary token of a SIM card (GSMA TS.43). It can be used once.",
    [
      .readOnly("token", .string, "What the app sends to its back end.") { $0.text },
      .readOnly(
        "expiresAt", .timestamp, "When it ends, if the number does not get another SIM card before."
      ) { $0.expiresAt },
    ])
}
