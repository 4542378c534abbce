import ProviderKit

/// The body of `POST /subscriptions`. Source: contract 11.
struct SubscriptionRequest {
  let kind: EventKind
  let sink: String
  private(set) var accessToken: String?
  /// From then on the token is not used: the notice that there is no more has to come before its expiry.
  private(set) var accessTokenEndsAt: Timestamp?
  /// `config.subscriptionDetail`
  let detail: Fields
  private(set) var expireTime: String?
  private(set) var expiresAt: Timestamp?
  private(set) var maxEvents: Int?
  private(set) var initialEvent: Bool?

  init(_ body: Fields, to api: EventAPI, _ context: RequestContext) throws {
    guard try body.required("protocol", word: Transport.self) == .http else {
      throw APIError(.invalidProtocol)
    }
    sink = try body.string("sink")
    try Self.requireSink(sink, api, context.settings)
    kind = try Self.kind(body, api)
    let config = try body.object("config")
    detail = try config.object("subscriptionDetail")
    if let credential = try body.optionalObject("sinkCredential") {
      try read(credential, context.now)
    } else {
      try body.requireAbsent("sinkCredential", expected: "an object")
    }
    expireTime = try config.optionalString("subscriptionExpireTime")
    expiresAt = try Self.future("subscriptionExpireTime", of: config, after: context.now)
    maxEvents = try config.optionalInteger("subscriptionMaxEvents", in: 1...1_000_000)
    guard api != .simSwap else { return }
    initialEvent = try config.optionalBool("initialEvent")
    if initialEvent == nil { try config.requireAbsent("initialEvent", expected: "true or false") }
  }

  private enum Transport: String, CaseIterable {
    case http = "HTTP"
    case mqtt3 = "MQTT3"
    case mqtt5 = "MQTT5"
    case amqp = "AMQP"
    case nats = "NATS"
    case kafka = "KAFKA"
  }

  private enum CredentialType: String, CaseIterable {
    case plain = "PLAIN"
    case accessToken = "ACCESSTOKEN"
    case refreshToken = "REFRESHTOKEN"
  }

  private static func kind(_ body: Fields, _ api: EventAPI) throws -> EventKind {
    let types = try body.optionalStrings("types") ?? []
    if types.count > 1, api != .simSwap { throw APIError(.multieventSubscriptionNotSupported) }
    guard types.count == 1, let kind = api.events.first(where: { $0.type == types[0] }) else {
      throw body.mismatch("types", expected: "one of \(api.events.map(\.type).joined(separator: ", "))")
    }
    return kind
  }

  private static func requireSink(_ sink: String, _ api: EventAPI, _ settings: Settings) throws {
    guard sink.utf8.count <= 2048, let url = AbsoluteURL(sink) else {
      throw api == .simSwap ? APIError.invalid("sink", expected: "an https URL") : APIError(.invalidSink)
    }
    let isPermitted =
      url.isSecure || settings.sinks == .any && Authority(host: url.host, port: nil).isLoopback
    guard isPermitted else {
      throw APIError(.invalidSink).because("expected https, or http to this computer with the setting sinks")
    }
  }

  private mutating func read(_ credential: Fields, _ now: Timestamp) throws {
    guard try credential.required("credentialType", word: CredentialType.self) == .accessToken else {
      throw APIError(.invalidCredential)
    }
    let token = try credential.string("accessToken")
    guard (1...8192).contains(token.utf8.count) else {
      throw credential.mismatch("accessToken", expected: "1 to 8192 bytes")
    }
    guard try credential.string("accessTokenType") == "bearer" else { throw APIError(.invalidToken) }
    accessToken = token
    let name = "accessTokenExpiresUtc"
    guard let end = try Self.future(name, of: credential, after: now) else {
      throw credential.mismatch(name, expected: Self.futureFormat)
    }
    accessTokenEndsAt = end - min(.seconds(60), (end - now) / 2)
  }

  private static let futureFormat = "a time of RFC 3339 in the future, such as 2030-01-05T10:20:30Z"

  private static func future(_ name: String, of fields: Fields, after now: Timestamp) throws -> Timestamp? {
    guard let text = try fields.optionalString(name) else {
      try fields.requireAbsent(name, expected: futureFormat)
      return nil
    }
    guard let time = Timestamp(rfc3339: text), time > now else {
      throw fields.mismatch(name, expected: futureFormat)
    }
    return time
  }

  /// When the subscription ends by itself, and why.
  var end: (time: Timestamp, reason: TerminationReason)? {
    let ends = [
      expiresAt.map { ($0, TerminationReason.subscriptionExpired) },
      accessTokenEndsAt.map { ($0, TerminationReason.accessTokenExpired) },
    ].compactMap(\.self)
    return ends.min { $0.0 < $1.0 }.map { (time: $0.0, reason: $0.1) }
  }
}

extension Fields {
  /// A word that must be there.
  fileprivate func required<Word: CaseIterable & RawRepresentable<String>>(
    _ name: String, word: Word.Type
  ) throws -> Word {
    guard let word = try optionalWord(name, of: word) else {
      throw mismatch(name, expected: "one of \(Word.words)")
    }
    return word
  }
}
