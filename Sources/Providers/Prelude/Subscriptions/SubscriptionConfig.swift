import ProviderKit

/// A configuration of marketing subscriptions. The provider's staff create configurations; here seeds do.
/// People subscribe and unsubscribe by keywords. Source: contract 10.
struct SubscriptionConfig: Sendable {
  /// A number that people write to.
  struct Line: Equatable, Sendable {
    /// ISO 3166-1 alpha-2.
    var country = ""
    /// E.164, or a short code.
    var number = ""

    static let schema = Schema<Line>(
      nil, "A number that people write to.",
      [
        .required("country", \.country, .string, "ISO 3166-1 alpha-2."),
        .required("number", \.number, .string, "A number in E.164, or a short code."),
      ])
  }

  var id = ""
  /// For people.
  var title = ""
  /// Where events go.
  var callbackURL = ""
  /// Replies to keywords, by `help_message`, `start_message` and `stop_message`.
  var replies = Texts()
  var lines: [Line] = []
  var createdAt: Timestamp
  var updatedAt: Timestamp

  static let schema = Schema<SubscriptionConfig>(
    "PreludeSubscription", "A marketing subscription.",
    [
      .required(
        "id", \.id,
        .text(
          .string(pattern: #"^[^\u0000- /]{1,64}$"#),
          expected: "1 to 64 characters without spaces and slashes"
        ) { (1...64).contains($0.utf8.count) && !$0.utf8.contains { $0 <= 0x20 || $0 == 0x2F } },
        "The id in paths."),
      .required("name", \.title, .string, "The display name."),
      .required(
        "callbackUrl", \.callbackURL,
        .text(.string(pattern: "^https?://[^/]"), expected: "an http or https URL") {
          AbsoluteURL($0) != nil
        },
        "Where events go."),
      repliesField,
      .field(
        "lines", \.lines, .objects(Line.schema, maxItems: SandboxLimits.items) { Line() }, default: [],
        "Numbers that people write to."),
      .field("createdAt", \.createdAt, .rfc3339, "RFC 3339; without it: now."),
      .field("updatedAt", \.updatedAt, .rfc3339, "RFC 3339; without it: createdAt."),
    ])

  /// The member `subscriptions` of a seed: configurations with their phone numbers.
  static var seed: SeedMember {
    let object = ObjectSchema(
      schema.name, schema.summary,
      schema.object.members + [
        .init(
          "members", .array(.object(Membership.schema.object), maxItems: SandboxLimits.numbers),
          "Changes of phone numbers, oldest first; the last one is the number's state. They replace all earlier ones."
        )
      ])
    return SeedMember(
      "subscriptions", .array(.object(object), maxItems: SandboxLimits.records),
      "Configurations of marketing subscriptions, with their phone numbers."
    ) { part, sandbox, steps in
      for fields in try part.optionalObjects("subscriptions", atMost: SandboxLimits.records) ?? [] {
        try load(fields, into: sandbox, &steps)
      }
    } export: { sandbox in
      let configs = try list(in: sandbox).map { entry in
        (config: entry.record, events: try Membership.allEvents(of: entry.record.id, in: sandbox))
      }
      return .array(
        configs.map { config, events in
          JSON(
            written: JSONWriter.object { json in
              schema.write(config, to: &json)
              json.array("members", events) { json, event in
                json.value { Membership.schema.write(event, to: &$0) }
              }
            })
        })
    }
  }

  private static let repliesField = Field<SubscriptionConfig>(
    .init(
      "messages",
      .object(
        ObjectSchema(
          nil, "",
          SubscriptionKeyword.allCases.map {
            .init($0.replyName, .string(), "The reply to \($0.rawValue).")
          })), "Replies to keywords.", .optional)
  ) { input, config throws(FieldError) in
    guard let messages = try input.optionalObject("messages") else { return }
    var replies: [(name: String, text: String)] = []
    for name in SubscriptionKeyword.allCases.map(\.replyName) {
      if let text = try messages.optionalString(name) { replies.append((name, text)) }
    }
    config.replies = Texts(replies)
  } write: { config, json in
    json.object("messages") { config.replies.write(to: &$0) }
  } differs: {
    $0.replies != $1.replies
  }

  /// Adds the steps that load a configuration of a seed with its members, if the seed has any.
  private static func load(_ fields: Fields, into sandbox: Sandbox, _ steps: inout Steps) throws {
    let now = sandbox.clock.now
    var config = SubscriptionConfig(createdAt: now, updatedAt: now)
    try schema.merge(fields, into: &config)
    if try fields.optionalString("updatedAt") == nil { config.updatedAt = config.createdAt }
    var members: ArraySlice<Fields> = []
    steps.add { [config] in
      try table.save(config, as: config.id, in: sandbox)
      guard let seeded = try fields.optionalObjects("members", atMost: SandboxLimits.numbers) else { return }
      try Membership.deleteAll(of: config.id, in: sandbox)
      members = seeded[...]
    }
    steps.addRepeated { [config] in
      for fields in members.prefix(membersPerStep) {
        var member = Membership(config: config.id, at: now)
        try Membership.schema.merge(fields, into: &member)
        try member.save(in: sandbox)
      }
      members = members.dropFirst(membersPerStep)
      return !members.isEmpty
    }
  }

  private static let membersPerStep = 100

  /// True if this configuration handles texts to a sender: those to its lines. Without lines it handles
  /// replies to Notify's messages.
  func receives(textsTo sender: String, isReply: Bool) -> Bool {
    lines.isEmpty ? isReply : lines.contains { $0.number == sender }
  }

  /// The sender of marketing to a country, so that people can reply: the sandbox's own choice.
  static func line(for country: String?, in sandbox: Sandbox) throws -> String? {
    try list(in: sandbox).flatMap(\.record.lines).first { $0.country == country }?.number
  }

  /// The configuration of the path.
  static func named(by context: RequestContext) throws -> SubscriptionConfig {
    let id = context.request[parameter: "config"]
    guard let found = try find(id, in: context.sandbox) else {
      throw APIError(.notFound, "there is no subscription config \(id)")
    }
    return found
  }

  static func find(_ id: String, in sandbox: Sandbox) throws -> SubscriptionConfig? {
    try table.find(id, in: sandbox)
  }

  /// Oldest first.
  static func list(
    from border: PageBoundary = .after(0), limit: Int = Int.max, in sandbox: Sandbox
  ) throws -> [(position: Int, record: SubscriptionConfig)] {
    try table.list(from: border, limit: limit, in: sandbox)
  }

  /// True if the number has unsubscribed from any configuration.
  static func isUnsubscribed(_ number: PhoneNumber, in sandbox: Sandbox) throws -> Bool {
    try list(in: sandbox).contains { entry in
      try Membership.find(number, of: entry.record.id, in: sandbox)?.state == .unsubscribed
    }
  }

  private static let table = RecordTable("subscription", of: PreludeProvider.name, schema) {
    let epoch = Timestamp(milliseconds: 0)
    return SubscriptionConfig(createdAt: epoch, updatedAt: epoch)
  }
}
