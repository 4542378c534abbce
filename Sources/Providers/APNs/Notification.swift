import ProviderKit

/// The id of a notification. Apple generates it in upper case. Source: contract 2
struct NotificationID: Equatable {
  /// As in the request.
  let text: String

  /// Nil for a text that is not a UUID.
  init?(_ text: String) {
    guard UUIDText.isValid(text) else { return nil }
    self.text = text
  }

  /// A new one.
  init(in sandbox: Sandbox) {
    text = UUIDText.version4(sandbox.requestIdentifier("apns-id")).uppercased()
  }

  /// That of a request, or a new one if it has no valid one.
  init(of request: Request, in sandbox: Sandbox) {
    self = request.headers["apns-id"].flatMap { NotificationID($0) } ?? NotificationID(in: sandbox)
  }
}

/// A valid notification. Source: contract 2
struct Notification {
  enum Priority: Int {
    case lowest = 1
    case considerate = 5
    case immediate = 10

    /// As the control API has it.
    var word: String {
      switch self {
      case .lowest: "low"
      case .considerate: "normal"
      case .immediate: "high"
      }
    }
  }

  let topic: Topic
  let type: PushType
  let priority: Priority
  let expiry: Timestamp
  let collapseID: String?
  /// An object.
  let payload: JSON
  /// What is suspicious, for the journal.
  let warning: String?
  /// The headers that describe it.
  let headers: [(name: String, value: String)]

  static let headerNames: [StaticString] = [
    "authorization", "apns-id", "apns-topic", "apns-push-type", "apns-priority", "apns-expiration",
    "apns-collapse-id",
  ]
  /// The longest and the default time for which it waits for its device. Source: contract 2
  static let maxLifetime = Duration.seconds(30 * 86_400)
  private static let maxCollapseID = 64

  init(_ context: RequestContext) throws {
    let (request, headers) = (context.request, context.request.headers)
    topic = try Self.topic(of: headers, default: context.sender.defaultTopic)
    expiry = try Self.expiry(of: headers, at: context.sandbox.clock.now)
    let priority = try Self.priority(of: headers)
    collapseID = try Self.collapseID(of: headers)
    let named = try Self.type(of: headers, topic)
    payload = try Self.payload(of: request, maxSize: (named ?? topic.suffixed ?? .alert).maxSize)
    let aps = payload["aps"]
    let isSilent = ["alert", "badge", "sound"].allSatisfy { aps?[$0] == nil }
    type = named ?? topic.suffixed ?? (isSilent ? .background : .alert)
    self.priority = priority ?? .immediate
    let isUrgentBackground = named == .background && priority == .immediate
    if isUrgentBackground, context.settings.strictBackground {
      throw APIError(.badPriority, because: "a background push must have apns-priority 5")
    }
    warning = Self.warning(named, aps, isUrgent: isUrgentBackground, isSilent: isSilent)
    self.headers = headers.pairs.filter { $0.name.lowercased().hasPrefix("apns-") }
      .map { ($0.name.lowercased(), $0.value) }
  }

  /// The rules that Apple documents for background pushes, and that only the phone enforces.
  private static func warning(_ type: PushType?, _ aps: JSON?, isUrgent: Bool, isSilent: Bool) -> String? {
    guard type == .background else { return nil }
    if isUrgent {
      return "Apple documents a background push of priority 10 as an error: apns-priority must be 5"
    }
    if aps?["content-available"] != .integer(1) {
      return "a background push without aps.content-available: 1 does not wake the app"
    }
    return isSilent ? nil : "a background push must not have alert, badge or sound"
  }

  private static func topic(of headers: Headers, default other: Topic?) throws -> Topic {
    guard let text = headers["apns-topic"], !text.isEmpty else {
      if let other { return other }
      throw APIError(.missingTopic, because: "apns-topic: missing; with a provider token it is required")
    }
    guard let topic = Topic(text) else {
      throw APIError(
        .badTopic, because: "apns-topic: expected a bundle id: letters, digits, dots and hyphens")
    }
    return topic
  }

  private static func expiry(of headers: Headers, at now: Timestamp) throws -> Timestamp {
    guard let text = headers["apns-expiration"] else { return now + maxLifetime }
    guard let seconds = Int64(text), seconds >= 0 else {
      throw APIError(.badExpirationDate, because: "apns-expiration: expected seconds since 1970, or 0")
    }
    let end = Timestamp(milliseconds: min(seconds, 1 << 40) * 1000)
    return min(max(now, end), now + maxLifetime)
  }

  private static func priority(of headers: Headers) throws -> Priority? {
    guard let text = headers["apns-priority"] else { return nil }
    guard let priority = Int(text).flatMap(Priority.init) else {
      throw APIError(.badPriority, because: "apns-priority: expected 10, 5 or 1; found \(text)")
    }
    return priority
  }

  private static func collapseID(of headers: Headers) throws -> String? {
    guard let text = headers["apns-collapse-id"], !text.isEmpty else { return nil }
    guard text.utf8.count <= maxCollapseID else {
      throw APIError(
        .badCollapseID,
        because: "apns-collapse-id: \(text.utf8.count) bytes; at most \(maxCollapseID) are allowed")
    }
    return text
  }

  /// The type that the request names; nil: none. It must belong to the topic.
  private static func type(of headers: Headers, _ topic: Topic) throws -> PushType? {
    guard let text = headers["apns-push-type"] else { return nil }
    guard let type = PushType(rawValue: text) else {
      throw APIError(
        .invalidPushType, because: "apns-push-type: expected one of \(PushType.words); found \(text)")
    }
    if let other = topic.suffixed, other != type {
      throw APIError(
        .invalidPushType,
        because: "apns-push-type: the topic \(topic.text) is one for \(other.rawValue), not for \(text)")
    }
    if topic.suffixed == nil, !type.topicSuffix.isEmpty {
      throw APIError(
        .badTopic, because: "apns-topic: expected \(topic.text)\(type.topicSuffix), since the type is \(text)"
      )
    }
    return type
  }

  private static func payload(of request: Request, maxSize: Int) throws -> JSON {
    guard !request.body.isEmpty else { throw APIError(.payloadEmpty, because: "the request has no body") }
    guard request.body.count <= maxSize else {
      throw APIError(
        .payloadTooLarge,
        because: "the payload has \(request.body.count) bytes; at most \(maxSize) are allowed")
    }
    guard let json = try? request.document(limits: .init(depth: 32)),
      case .object(let members) = json,
      !members.isEmpty
    else { throw APIError(.payloadEmpty, because: "expected a JSON object with members") }
    return json
  }
}

/// The notification on the phone.
extension Notification {
  /// True if the handset shows it without the app.
  var isVisible: Bool {
    switch type {
    case .alert, .liveactivity: payload["aps"]?["alert"].map { $0 != .null } ?? false
    default: false
    }
  }

  /// The alert's texts; nil without an alert.
  var alert: (title: String?, body: String?)? {
    switch payload["aps"]?["alert"] {
    case .string(let body): (nil, body)
    case .object(let members):
      (members.first { $0.name == "title" }?.value.text, members.first { $0.name == "body" }?.value.text)
    default: nil
    }
  }

  /// As one text; for notifications without an alert, the data.
  var text: String {
    let parts = [alert?.title, alert?.body].compactMap { $0 }
    if !parts.isEmpty { return parts.joined(separator: ": ") }
    return texts.pairs.map { "\($0.name)=\($0.text)" }.joined(separator: " ")
  }

  /// The members beside `aps`.
  var data: [JSON.Member] {
    guard case .object(let members) = payload else { return [] }
    return members.filter { $0.name != "aps" }
  }

  /// Those that are texts.
  var texts: Texts {
    Texts(data.compactMap { member in member.value.text.map { (member.name, $0) } })
  }
}

extension JSON {
  /// Nil for anything but a string.
  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
}
