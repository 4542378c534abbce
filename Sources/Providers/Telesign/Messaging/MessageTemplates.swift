import ProviderKit

// The resource `/v1/omnichannel/templates`. Source: contract 9.2.

func listTemplates(_ context: RequestContext) throws -> Response {
  let templates = try MessageTemplate.all(for: context)
  return .json(200, JSONWriter.array(templates) { $0.value(encoded: $1) })
}

func createTemplate(_ context: RequestContext) throws -> Response {
  let template = try MessageTemplate(context)
  try template.save(for: context)
  return .json(200, template.record)
}

func fetchTemplate(_ context: RequestContext) throws -> Response {
  .json(200, try findTemplate(context))
}

func deleteTemplate(_ context: RequestContext) throws -> Response {
  let record = try findTemplate(context)
  try MessageTemplate.delete(
    context.request[parameter: "channel"], context.request[parameter: "name"], for: context)
  return .json(200, record)
}

private func findTemplate(_ context: RequestContext) throws -> [UInt8] {
  let (channel, name) = (context.request[parameter: "channel"], context.request[parameter: "name"])
  guard let record = try MessageTemplate.find(channel, name, of: context.customer, in: context.sandbox)
  else {
    throw APIError(3112, 404, StatusTexts[3112], in: context.format)
  }
  return record
}

/// A customer's message template for one channel.
///
/// The provider's format is not public, so any JSON object is stored as it is. Its `text`, or that of its
/// `content`, may contain placeholders like `{{parameter}}`. Source: contract 9.2.
struct MessageTemplate {
  private let channel: String
  private let name: String
  /// The JSON object.
  fileprivate let record: [UInt8]

  fileprivate init(_ context: RequestContext) throws {
    let fields = try RequestBody.json(context.request)
    guard let channel = try fields.optionalString("channel") else { throw APIError(3301, in: context.format) }
    guard OmnichannelChannel(rawValue: channel) != nil else { throw APIError(3113, in: context.format) }
    guard let name = try fields.optionalString("name"), Self.isName(name) else {
      throw APIError.invalidRequest(in: context.format)
        .because("name: expected lower-case letters, digits and underscores")
    }
    _ = try Self.text(of: fields)
    self.channel = channel
    self.name = name
    record = try JSON(parsing: context.request.body, repeatedNames: .lastCounts).encoded()
  }

  /// Stores the template for the caller; an older one with the same channel and name is replaced.
  fileprivate func save(for context: RequestContext) throws {
    let key = Self.key(channel, name, context.customer)
    let records = context.sandbox.records
    if try records.find(key, in: Self.section) == nil {
      guard try records.list(Self.section, of: context.customer).count < Self.limit else {
        throw APIError.invalidRequest(in: context.format)
          .because("the account has \(Self.limit) templates, which is the limit")
      }
    }
    try records.save(record, under: key, of: context.customer, in: Self.section)
  }

  /// The caller's templates, oldest first.
  fileprivate static func all(for context: RequestContext) throws -> [[UInt8]] {
    try context.sandbox.records.list(section, of: context.customer).map { Array($0.record.utf8) }
  }

  fileprivate static func find(
    _ channel: String, _ name: String, of customer: String, in sandbox: Sandbox
  ) throws -> [UInt8]? {
    try sandbox.records.find(key(channel, name, customer), in: section).map { Array($0.record.utf8) }
  }

  fileprivate static func delete(_ channel: String, _ name: String, for context: RequestContext) throws {
    _ = try context.sandbox.records.delete(key(channel, name, context.customer), in: section)
  }

  /// The text of a message's content, `{"template":…,"parameters":{…}}`. The template `text` is built in: it
  /// is just the parameter `text`. Customers can replace it. Source: contract 9.2.
  static func text(
    of content: Fields, over channel: OmnichannelChannel, _ context: RequestContext
  ) throws -> String {
    let template = try content.optionalString("template") ?? "text"
    let parameters = try content.optionalObject("parameters")
    let text: String
    if let record = try find(channel.rawValue, template, of: context.customer, in: context.sandbox) {
      text = try fill(Self.text(of: Fields(record)), with: parameters, context)
    } else if template == "text" {
      text = try fill("{{text}}", with: parameters, context)
    } else {
      throw APIError(3112, in: context.format).because(
        "the account has no template \(template) for \(channel.rawValue)")
    }
    guard text.count <= 4096 else {
      throw APIError(3108, in: context.format).because("expected up to 4096 characters")
    }
    return text
  }

  /// The text for a code of the Verify API: the customer's template with this name for the channel, else
  /// `default`. The placeholder `{{code}}` is the code, `{{text}}` is the default; the provider's names are
  /// not public. Source: contract 4.2.
  static func text(
    _ name: String, code: String, default: String, over channel: Channel, of customer: String,
    in sandbox: Sandbox
  ) throws -> String {
    guard let record = try find(channel.rawValue, name, of: customer, in: sandbox) else { return `default` }
    let values = ["code": code, "text": `default`]
    return try Placeholders.doubleBraces.fill(text(of: Fields(record))) { values[$0] }
  }

  /// The template's `text`, or that of its `content`; by default only the parameter `text`.
  private static func text(of fields: Fields) throws -> String {
    let text = try fields.optionalString("text")
    guard text == nil, case .object? = try fields.optionalJSON("content") else { return text ?? "{{text}}" }
    return try fields.optionalObject("content")?.optionalString("text") ?? "{{text}}"
  }

  private static func fill(
    _ text: String, with parameters: Fields?, _ context: RequestContext
  ) throws -> String {
    try Placeholders.doubleBraces.fill(text) { name in
      guard let value = try parameters?.optionalString(name), !value.isEmpty else {
        throw APIError(3305, in: context.format).because("parameters.\(name): missing")
      }
      return value
    }
  }

  /// Source: contract 4.2.
  static func isName(_ text: String) -> Bool {
    (1...512).contains(text.utf8.count)
      && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0.isDigit || $0 == 0x5F }
  }

  private static func key(_ channel: String, _ name: String, _ customer: String) -> String {
    "\(customer)/\(channel)/\(name)"
  }

  private static let section = RecordStore.Section(provider: TelesignProvider.name, kind: "message-template")
  private static let limit = 1000
}
