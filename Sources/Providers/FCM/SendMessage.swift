import Domain
import HTTP
import JSON
import ProviderKit

// Sending. Source: contract 1.1 to 1.3, 4 and 5

/// `POST /v1/projects/{project}/messages:send`
func sendMessage(_ context: RequestContext, _ body: JSON, _ attempt: inout PushAttempt) throws -> Response {
  let message = try Message(body, context.settings.errorTexts)
  let id = messageID(of: message, attempt, in: context.sandbox)
  let warning = try context.checkBackgroundPriority(of: message)
  let delivery = Delivery(
    sandbox: context.sandbox, settings: context.settings, project: context.project, source: .external)
  _ = try delivery.deliver(message, id: id)
  let name = "projects/\(context.project)/messages/\(message.isDryRun ? "fake_message_id" : id)"
  (attempt.status, attempt.reference) = (200, name)
  var response = Response.google(200, JSONWriter.object { $0.member("name", name) })
  response.remark = warning
  return response
}

/// The handler of an operation whose requests are listed as push attempts, failed ones included.
func recordingAttempt(
  _ operation: @escaping (RequestContext, JSON, inout PushAttempt) throws -> Response
) -> (Request, Sandbox) throws -> Response {
  { request, sandbox in
    let body = Result { try parseBody(of: request) }
    var attempt = startAttempt(body, in: sandbox)
    do {
      let response = try RequestContext(request, in: sandbox).run { context in
        try operation(context, body.get(), &attempt)
      }
      try sandbox.pushAttempts.record(attempt)
      return response
    } catch let error as APIError {
      attempt.setError(error)
      try sandbox.pushAttempts.record(attempt)
      throw error
    }
  }
}

/// Records a request that got an error before its operation ran.
func recordFailedAttempt(_ error: APIError, of request: Request, in sandbox: Sandbox) {
  var attempt = startAttempt(Result { try parseBody(of: request) }, in: sandbox)
  attempt.setError(error)
  do {
    try sandbox.pushAttempts.record(attempt)
  } catch {
    sandbox.warn("a push attempt was not recorded: \(error)")
  }
}

private func parseBody(of request: Request) throws(APIError) -> JSON {
  do throws(SyntaxError) {
    return try JSON(parsing: request.body)
  } catch {
    throw APIError(400, MalformedJSON(body: request.body, error: error).message).because("body: \(error)")
  }
}

private func startAttempt(_ body: Result<JSON, any Error>, in sandbox: Sandbox) -> PushAttempt {
  var attempt = sandbox.pushAttempts.start(with: FCMProvider.name)
  if case .success(let json) = body {
    (attempt.target, attempt.isDryRun) = (Message.target(in: json), Message.isDryRun(json))
  }
  return attempt
}

extension PushAttempt {
  mutating func setError(_ error: APIError) {
    (status, code) = (error.status.code, error.code?.rawValue)
  }
}

/// To a token: `0:1767608430000003%9f2c31bd9f2c31bd`, microseconds with a counter, and the same eight hex
/// digits twice; a message of data only has fixed digits the second time. To topics: 19 decimal digits.
/// Source: contract 1.2 and additions.
func messageID(of message: Message, _ attempt: PushAttempt, in sandbox: Sandbox) -> String {
  let digits = sandbox.entropy.identifier("fcm", attempt.ordinal)
  guard message.target.isOneDevice else {
    let number = UInt64(digits.prefix(15), radix: 16) ?? 0
    return String(1_000_000_000_000_000_000 + number)
  }
  let microseconds = attempt.at.milliseconds * 1000 + Int64(attempt.ordinal % 1000)
  let isNotification = message.isVisible(on: .android) || message.isVisible(on: .ios)
  return "0:\(microseconds)%\(digits.prefix(8))\(isNotification ? digits.prefix(8) : "f9fd7ecd")"
}

extension PushAttempt.Target {
  fileprivate var isOneDevice: Bool { kind != "topic" && kind != "condition" }
}

extension RequestContext {
  /// Returns a warning for the journal, or fails if settings say so.
  fileprivate func checkBackgroundPriority(of message: Message) throws(APIError) -> String? {
    guard message.isBackgroundPushOfHighPriority else { return nil }
    guard settings.strictBackground else {
      return "Apple refuses a background push of priority 10: apns-priority must be 5"
    }
    throw APIError(
      [Violation(field: "message.apns.headers", description: "Invalid APNs priority: 10")],
      code: .invalidArgument)
  }
}

/// Hands accepted messages to the carrier.
struct Delivery {
  /// The origin of a push. Source: contract 5
  enum Source: String {
    /// A back end, over HTTP.
    case external
    /// A provider of the sandbox.
    case `internal`
  }

  let sandbox: Sandbox
  let settings: Settings
  let project: String
  let source: Source

  /// The messages that were sent, one for each device. A dry run has the same errors, and sends nothing.
  func deliver(_ message: Message, id: String) throws -> [Domain.Message] {
    let devices = try devices(for: message)
    guard !message.isDryRun else { return [] }
    let attempts = 1 + (try sandbox.pushAttempts.failuresInARow(naming: message.target))
    let now = sandbox.clock.now
    return try devices.compactMap { device in
      let platform = device.draft.platform
      let draft = MessageDraft(
        provider: FCMProvider.name, reference: id, channel: .push, destination: device.draft.holder,
        sender: project, text: message.text(on: platform), code: nil)
      let entry = PushEntry(
        message: message, messageID: id, project: project, source: source, platform: platform,
        expiry: message.expiry(on: platform, at: now), now: now, attempts: attempts,
        owner: sandbox.providerOwningPush(message.data(on: platform)))
      return try sandbox.pushes.send(
        draft, to: device, payload: entry.encoded, until: entry.expiry, slot: message.slot(on: device))
    }
  }

  private func devices(for message: Message) throws -> [Device] {
    let value = message.target.value
    switch message.target.kind {
    case "topic": return try Topic.devices(in: sandbox) { $0.contains(value) }
    case "condition":
      let condition = Condition(value)
      return try Topic.devices(in: sandbox) { condition?.matches($0) ?? false }
    default:
      let app = message["android", "restrictedPackageName"]?.text ?? message.header("apns-topic")
      let device = try registeredDevice(of: value, app: app, settings, in: sandbox)
      let state = try sandbox.devices.countPush(to: device)
      if let error = APIError(of: state, on: device.draft.platform, settings) { throw error }
      return [device]
    }
  }
}

/// A message to one device as the control API lists it. Source: contract 5
private struct PushEntry {
  let message: Message
  let messageID: String
  let project: String
  let source: Delivery.Source
  let platform: Device.Platform
  let expiry: Timestamp
  let now: Timestamp
  /// How many requests it took.
  let attempts: Int
  /// The provider whose SDK handles the data; nil for an app's own data.
  let owner: String?

  var encoded: String {
    let data = message.data(on: platform)
    let bytes = JSONWriter.object { json in
      json.object("target") {
        $0.member("kind", message.target.kind)
        $0.member("value", message.target.value)
      }
      json.member("project", project)
      json.member("via", "fcm-v1")
      json.member("source", source.rawValue)
      json.member("provider", owner ?? "custom")
      json.member("attempts", attempts)
      json.member("priority", message.priority(on: platform))
      json.member("ttlSeconds", Int((expiry - now).milliseconds / 1000))
      json.member("visible", message.isVisible(on: platform))
      json.object("data") { data.write(to: &$0) }
      json.object("decoded") { writeDecoded(data, to: &$0) }
      json.member("notification", message["notification"])
      json.member("apns", platform == .ios ? apns : nil)
      json.member("raw", message.body)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Data that hold JSON. Very deep values are left out, because readers of the entry would fail.
  private func writeDecoded(_ data: Texts, to json: inout JSONWriter) {
    for pair in data.pairs where pair.text.hasPrefix("{") || pair.text.hasPrefix("[") {
      if let value = try? JSON(parsing: Array(pair.text.utf8), limits: .init(depth: 32)) {
        json.member(named: pair.name, value)
      }
    }
  }

  private var apns: JSON {
    .object([
      .init(name: "headers", value: message["apns", "headers"] ?? .object([])),
      .init(name: "payload", value: message.apnsPayload(messageID: messageID)),
    ])
  }
}
