import ProviderKit

/// A template of the account for plain messages, from a seed. Source: `senders.md` 10.
struct ContentTemplate: StoredRecord, Equatable {
  var sid = ""
  /// With variables such as `{{1}}`.
  var body = ""
  /// The only channel that it is for; nil: any.
  var channel: Channel?

  static let channels: [Channel] = [.sms, .whatsapp, .rcs]

  static let schema = Schema<ContentTemplate>(
    "TwilioContentTemplate", "A Content template of the account.",
    [
      .required("sid", \.sid, .sid(.content), "HX and 32 hex digits."),
      .required("body", \.body, .string(1...1600), "The text, with variables such as {{1}}."),
      .optional(
        "channel", \.channel, .word(of: channels), "The only channel that it is for. Default: any."),
    ])

  static let table = RecordTable("contentTemplate", of: TwilioProvider.name, schema) { ContentTemplate() }

  var key: String { sid }

  /// Replaces one with the same SID.
  static func load(_ seed: Fields, into sandbox: Sandbox) throws {
    var template = ContentTemplate()
    try schema.merge(seed, into: &template)
    if try find(template.sid, in: sandbox) == nil { try table.requireRoom(in: sandbox) }
    try template.save(in: sandbox)
  }
}

/// The template that a message names, with the values of its variables. Source: `senders.md` 10; errors 21655
/// and 21656 of the provider's dictionary, https://www.twilio.com/docs/api/errors, read 2026-11-29.
struct MessageContent {
  let sid: String
  let variables: [(name: String, value: String)]

  /// Nil without a `ContentSid`.
  init?(_ form: Form) throws(APIError) {
    guard let sid = form.text("ContentSid") else { return nil }
    guard SidKind.content.matches(sid) else {
      throw APIError(code: 21655).because("ContentSid: expected HX and 32 hex digits; found \(sid)")
    }
    self.sid = sid
    variables = try form.text("ContentVariables").map(Self.variables) ?? []
  }

  private static func variables(_ text: String) throws(APIError) -> [(name: String, value: String)] {
    let expected = "ContentVariables: expected a JSON object of texts that are not empty"
    guard case .object(let members)? = try? JSON(parsing: Array(text.utf8)) else {
      throw APIError(code: 21656).because("\(expected); found \(text.prefix(100))")
    }
    return try members.map { member throws(APIError) in
      guard case .string(let value) = member.value, !value.isEmpty else {
        throw APIError(code: 21656).because("\(expected), also for \(member.name.prefix(100))")
      }
      return (member.name, value)
    }
  }

  /// What the person reads. A template that no seed has shows its SID and its variables.
  func text(over channel: Channel, in sandbox: Sandbox) throws -> String {
    guard let template = try ContentTemplate.find(sid, in: sandbox) else {
      let values = variables.map { "\($0.name): \($0.value)" }.joined(separator: ", ")
      return values.isEmpty ? "[\(sid)]" : "[\(sid)] \(values)"
    }
    if let only = template.channel, only != channel {
      throw APIError(code: 21655).because(
        "the template \(sid) is for \(only.rawValue), not \(channel.rawValue)")
    }
    return Placeholders.doubleBraces.fill(template.body) { name in
      variables.last { $0.name == name }?.value
    }
  }
}
