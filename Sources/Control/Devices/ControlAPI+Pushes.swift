/// Notifications to apps. Source: `push-gateway.md` 5.
extension ControlAPI {
  func listPushes(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let query = try request.query
    var filter = Messages.Filter()
    filter.channel = .push
    filter.destination = try destination(query, sandbox)
    let (messages, pushes) = (filter, try PushFilter(query, provider: pushProvider(query), in: sandbox))
    guard let token = pushes.token, filter.destination == nil else {
      return try waitingList(PushView.page, request, sandbox) { sandbox, after, limit in
        try SearchWindow(of: sandbox).after(after, limit: limit) {
          try sandbox.messages.page(messages.between($0, $1), onHandsets: false, limit: limit).map {
            message in
            (message.ordinal, try PushView(message, in: sandbox).flatMap { pushes.matches($0) ? $0 : nil })
          }
        }
      }
    }
    // The state of a challenge changes without a push.
    let signal: (Sandbox) -> Int =
      pushes.state == nil ? { $0.pushes.changes(of: token) } : { $0.changeCount }
    return try waitingList(PushView.page, request, sandbox, signal: signal) { sandbox, after, limit in
      try self.pushes(to: token, after: after, limit: limit, in: sandbox) { pushes.matches($0) }
    }
  }

  /// An app can name a provider of its own in a push's data. So only a name that looks misspelt is refused.
  private func pushProvider(_ query: Form) throws -> String? {
    guard let name = try Parameter.provider.value(in: query) else { return nil }
    let looksKnown = sandboxes.seeds.names.map(\.provider).nearest(to: name) != nil
    return looksKnown ? try provider(query) : name
  }

  /// For phones, without a token of the control API: the pushes that have arrived at the device with a push
  /// token.
  func listPhonePushes(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    guard let token = try Parameter.token.value(in: request.query), !token.isEmpty else {
      throw FormError(field: Parameter.token.name, expected: "the app's push token")
    }
    return try waitingList(
      PushView.page, request, sandbox, signal: { $0.pushes.changes(of: token) }
    ) { sandbox, after, limit in
      try arrivals(to: token, after: after, limit: limit, in: sandbox)
    }
  }

  /// In the order of arrival: a push that was held comes after those that the phone has already.
  private func arrivals(
    to token: String, after: Int, limit: Int, in sandbox: Sandbox
  ) throws -> [(cursor: Int, entry: PushView?)] {
    guard let owner = try sandbox.devices.find(anyToken: token) else { return [] }
    var filter = Messages.Filter()
    (filter.channel, filter.destination, filter.after) = (.push, owner.draft.holder, after)
    return try sandbox.messages.page(filter, onHandsets: true, limit: limit).map { message in
      let view = try PushView(message, in: sandbox).flatMap { view in
        let isOwn = view.push.token == token || owner.end == nil && view.push.device == owner.ordinal
        return isOwn && view.hasArrived ? view : nil
      }
      return (message.place, view)
    }
  }

  /// Pushes to a token, also those to the other token of its device.
  private func pushes(
    to token: String, after: Int, limit: Int, in sandbox: Sandbox, where isSelected: (PushView) -> Bool
  ) throws -> [(cursor: Int, entry: PushView?)] {
    let owner = try sandbox.devices.find(anyToken: token)
    let device = owner?.end == nil ? owner?.ordinal : nil
    let pushes = try sandbox.pushes.page(token: token, device: device, after: after, limit: limit)
    return try pushes.map { push in
      let view = try sandbox.messages.find(push.ordinal).flatMap { try PushView($0, in: sandbox) }
      return (push.ordinal, view.flatMap { isSelected($0) ? $0 : nil })
    }
  }

  /// One push by its id; `latest` is the newest, to a token where the query names one.
  func fetchPush(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let token = try Parameter.token.value(in: request.query)
    let path = request[parameter: "id"]
    let isExport = path.hasSuffix(Self.simulatorSuffix)
    let id = isExport ? String(path.dropLast(Self.simulatorSuffix.count)) : path
    let message =
      id == "latest"
      ? try sandbox.pushes.latest(token: token).flatMap { try sandbox.messages.find($0.ordinal) }
      : try message(id, in: sandbox)
    guard let found = try message.flatMap({ try PushView($0, in: sandbox) }) else {
      throw ControlProblem.notFound("push \(id)")
    }
    return isExport ? try simulatorFile(of: found) : PushView.schema.response(found)
  }

  func clearPushes(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    try sandbox.pushes.clear(token: Parameter.token.value(in: request.query))
    return Response(204)
  }

  func listPushAttempts(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let token = try Parameter.token.value(in: request.query)
    return try list(Self.pushAttemptPage, request) { after, limit in
      try sandbox.pushAttempts.page(naming: token, after: after, limit: limit).map { ($0.ordinal, $0) }
    }
  }

  /// The payload for an iOS simulator, with the app's bundle. `simctl push` needs `aps`, takes at most 4096
  /// bytes, and delivers alerts and background pushes only. Source: `xcrun simctl help push`
  private func simulatorFile(of push: PushView) throws -> Response {
    guard let payload = push.content["apns"]?["payload"], case .object(let members) = payload else {
      throw ControlProblem(409, "the push goes to no iOS device")
    }
    if case .string(let type)? = push.content["apns"]?["headers"]?["apns-push-type"],
      !["alert", "background"].contains(type)
    {
      throw ControlProblem(409, "simulators get alert and background pushes only, not \(type)")
    }
    guard case .object? = payload["aps"] else {
      throw ControlProblem(409, "simulators get only payloads with an object aps")
    }
    guard payload.encoded().count <= Self.simulatorLimit else {
      throw ControlProblem(409, "simulators get payloads of at most \(Self.simulatorLimit) bytes")
    }
    let app = push.device?.device.draft.app.prefix { $0 != ":" } ?? ""
    let target = JSON.Member(name: "Simulator Target Bundle", value: .string(String(app)))
    return .json(200, JSON.object([target] + members).encoded())
  }

  private static let simulatorSuffix = ".apns"
  private static let simulatorLimit = 4096

  static let pushAttemptPage = PageSchema<PushAttempt, Int>(
    "attempts", pushAttemptSchema, "The requests, oldest first.")

  private static let pushAttemptSchema = Schema<PushAttempt>(
    "PushAttempt", "A request for a push, accepted or rejected.",
    [
      .readOnly("at", .preciseTimestamp, "When the request arrived.") { $0.at },
      .readOnly("provider", .string, "The provider.") { $0.provider },
      .readOnly(
        "target",
        .object(
          Schema<PushAttempt>(
            nil, "",
            [
              .readOnly("kind", .string, "The kind of target, by the provider's name.") { $0.target?.kind },
              .readOnly("value", .string, "The token or topic.") { $0.target?.value },
            ])), "The target; its members are null if the request has no valid target."
      ) { $0 },
      .readOnly("status", .integer, "The HTTP status of the answer.") { $0.status },
      .readOnly("error", .string, "The provider's error code.") { $0.code },
      .readOnly("dryRun", .boolean, "True if the request only asked for validation.") { $0.isDryRun },
      .readOnly("reference", .string, "The provider's id of the push.") { $0.reference },
    ])
}

/// Selects pushes; nil matches all.
struct PushFilter {
  /// Of either kind.
  var token: String?
  /// The device with that token, which has another one too.
  private var device: Int?
  var provider: String?
  var type: String?
  var state: Challenge.State?

  init(_ query: Form, provider: String?, in sandbox: Sandbox) throws {
    self.provider = provider
    token = try Parameter.token.value(in: query)
    device = try token.flatMap { try sandbox.devices.find(anyToken: $0) }?.ordinal
    type = try Parameter.pushType.value(in: query)
    state = try Parameter.challengeState.value(in: query)
  }

  func matches(_ view: PushView) -> Bool {
    (token == nil || view.push.token == token || view.push.device == device)
      && (provider == nil || provider == view.provider || provider == view.message.provider)
      && (type == nil || view.type == type)
      && (state == nil || view.challenge?.state(at: view.now) == state)
  }
}

/// A push with its message, device and challenge.
struct PushView: Sendable {
  let message: Message
  let push: Push
  let device: DeviceView?
  let challenge: Challenge?
  /// The newer push that took its place.
  let replacement: Message?
  /// The payload, with what a gateway has added.
  let content: JSON
  let now: Timestamp

  /// Nil for a message of another channel.
  init?(_ message: Message, in sandbox: Sandbox) throws {
    guard message.channel == .push, let push = try sandbox.pushes.find(message.ordinal) else { return nil }
    self.message = message
    self.push = push
    device = try sandbox.devices.find(ordinal: push.device).map { DeviceView($0, in: sandbox) }
    challenge = try sandbox.challenges.find(push: push.ordinal)
    replacement = try push.replacedBy.flatMap { try sandbox.messages.find($0) }
    content = try push.content
    now = sandbox.clock.now
  }

  /// The provider whose SDK reads the data, where a gateway has found it out; otherwise the sender.
  var provider: String {
    if case .string(let name)? = content["provider"] { name } else { message.provider }
  }

  /// The text in the data that says what the push is: `type`, or a name that ends in `:type`.
  var type: String? {
    guard case .object(let data)? = content["data"] else { return nil }
    let member = data.first { $0.name == "type" } ?? data.first { $0.name.hasSuffix(":type") }
    if case .string(let text)? = member?.value { return text }
    return nil
  }

  /// When the app confirmed the delivery; for a push through a gateway, when the gateway delivered it.
  private var deliveredAt: Timestamp? {
    let arrival = content["via"] == nil ? nil : message.arrivesAt
    return push.deliveredAt ?? arrival.flatMap { $0 <= now ? $0 : nil }
  }

  /// True if the handset has it.
  var hasArrived: Bool { message.arrivesAt.map { $0 <= now } ?? false && push.replacedBy == nil }

  private enum Status: String, CaseIterable { case sent, delivered, replaced, expired, failed }

  private var status: Status {
    if let replacement, message.arrivesAt == nil, message.state(at: replacement.submittedAt) != .expired {
      return .replaced
    }
    return switch message.state(at: now) {
    case .accepted, .enroute: .sent
    case .delivered, .read: .delivered
    case .expired: .expired
    case .undeliverable, .rejected, .refused: .failed
    }
  }

  static let page = PageSchema<PushView, Int>("pushes", schema, "The pushes, oldest first.")

  static let schema = Schema<PushView>(
    "Push", "A notification to an app.",
    [
      .readOnly("id", .string, "The id of the push and of its message.") { $0.message.id },
      .readOnly("number", .phoneNumber, "The phone number; null for other holders.") {
        PhoneNumber($0.message.destination)
      },
      .readOnly("provider", .string, "The provider whose SDK reads the data, else the sender.") {
        $0.provider
      },
      .readOnly("reference", .string, "The provider's id.") { $0.message.reference },
      .readOnly("text", .string, "The text of the notification.") { $0.message.text },
      .readOnly("acceptedAt", .preciseTimestamp, "When the push was accepted.") { $0.message.submittedAt },
      .readOnly("status", .word, "The status of the delivery.") { $0.status },
    ] + contentFields)

  /// A push as a part of its message.
  static let messagePart = Schema<PushView>(
    "MessagePush", "The notification of a message of the channel push.", contentFields)

  private static let contentFields: [Field<PushView>] =
    [.readOnly("to", .string, "The push token.") { $0.push.token }]
    + payloadMembers.map { name, schema, summary in
      .readOnlyIfPresent(name, .json(schema), summary) { $0.content[name] }
    } + [
      .readOnly("device", .string, "The device's id.") { $0.device?.id },
      .readOnly("app", .string, "The app's name.") { $0.device?.device.draft.app },
      .readOnly("platform", .word, "The handset's operating system.") { $0.device?.device.draft.platform },
      .readOnly("deliveredAt", .preciseTimestamp, "When the push was delivered.") { $0.deliveredAt },
      .readOnly("readAt", .preciseTimestamp, "When the person opened the notification.") { $0.push.readAt },
      .readOnlyIfPresent("replacedBy", .string, "The id of the newer push that took its place.") {
        $0.replacement?.id
      },
      .readOnlyIfPresent("state", .word, "The state of the challenge in the push.") { view in
        view.challenge.map { $0.state(at: view.now) }
      },
      .readOnlyIfPresent("askedAt", .preciseTimestamp, "When the challenge was created.") {
        $0.challenge?.createdAt
      },
      .readOnlyIfPresent("expiresAt", .preciseTimestamp, "When the challenge expires.") {
        $0.challenge?.expiresAt
      },
      .readOnlyIfPresent(
        "answeredAt", .json(.nullable(FieldType<Timestamp>.preciseTimestamp.schema)),
        "When the person answered the challenge."
      ) { view in
        view.challenge.map { $0.answeredAt.map { .string($0.iso8601Milliseconds) } ?? .null }
      },
    ]

  /// Members of a payload. Gateways add all except data.
  private static let payloadMembers: [(String, JSONSchema, String)] = [
    ("target", .map(.string()), "The target that the sender named: kind and value."),
    ("project", .string(), "The sender's project at the gateway."),
    ("via", .string(), "The gateway's API."),
    ("source", .string(), "The origin of the push."),
    ("attempts", .integer(), "The number of requests until the push was accepted."),
    ("priority", .string(), "The priority."),
    ("ttlSeconds", .integer(), "The lifetime."),
    ("visible", .boolean, "True if the handset shows a notification."),
    ("data", .map(.any), "The data for the app."),
    ("decoded", .map(.any), "Data values that contain JSON, decoded."),
    ("notification", .nullable(.map(.any)), "The title and text of the notification."),
    ("apns", .nullable(.map(.any)), "The headers and payload for iOS."),
    ("raw", .map(.any), "The sender's message."),
  ]
}
