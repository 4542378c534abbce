import ProviderKit

/// What is called when a person answers a sender of a Messaging Service. Source: `senders.md` 4
struct MessagingService: Equatable, Sendable {
  var sid = ""
  var inbound = Address()
  var fallback = Address()

  /// One of `messagingServices` in seeds, named as in the provider's API.
  static let schema = Schema<MessagingService>(
    "TwilioMessagingService", "What a text to a sender of a Messaging Service calls.",
    [
      .required("sid", \.sid, .sid(.messagingService), "MG and 32 hex digits."),
      .field(
        "inboundRequestUrl", \.inbound.url, .webURL, default: "",
        "What is called, unless the number has an smsUrl; empty: nothing."),
      .field("inboundMethod", \.inbound.method, .word, default: .post, "How it is called."),
      .field(
        "fallbackUrl", \.fallback.url, .webURL, default: "",
        "What is called instead if inboundRequestUrl fails, or answers no TwiML."),
      .field("fallbackMethod", \.fallback.method, .word, default: .post, "How it is called."),
    ])

  private static let table = RecordTable("messagingService", of: TwilioProvider.name, schema) {
    MessagingService()
  }

  static func find(_ sid: String, in sandbox: Sandbox) throws -> MessagingService? {
    try table.find(sid, in: sandbox)
  }

  static func all(in sandbox: Sandbox) throws -> [MessagingService] { try table.all(in: sandbox) }

  /// Replaces one with the same SID.
  static func load(_ fields: Fields, into sandbox: Sandbox) throws {
    var service = MessagingService()
    try schema.merge(fields, into: &service)
    if try find(service.sid, in: sandbox) == nil { try table.requireRoom(in: sandbox) }
    try table.save(service, as: service.sid, in: sandbox)
  }
}
