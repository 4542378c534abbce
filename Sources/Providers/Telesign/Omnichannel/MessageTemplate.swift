import Domain
import HTTP
import JSON
import ProviderKit

/// A wording that a customer keeps with the vendor, for one channel. What one looks like is not published: any
/// object is kept as it came; its `text`, or its content's, with `{{parameter}}` in it, is what is sent.
/// Source: contract 9.2.
struct MessageTemplate {
  /// The channel.
  let channel: String
  /// Its name.
  let name: String
  /// The object.
  let record: [UInt8]

  /// Reads one from a request.
  init(_ call: Call) throws {
    let fields = try call.request.json
    guard let channel = try fields.optionalString("channel") else { throw Problem(3301, in: call.family) }
    guard OmnichannelChannel(rawValue: channel) != nil else { throw Problem(3113, in: call.family) }
    guard let name = try fields.optionalString("name"), Self.isName(name) else {
      throw Problem.invalidRequest(in: call.family).because("name: expected small letters, digits and _")
    }
    _ = try Self.text(of: fields)
    self.channel = channel
    self.name = name
    record = try JSON(parsing: call.request.body).encoded()
  }

  /// Keeps it for the caller, in place of the one there was.
  func keep(for call: Call) throws {
    let key = Self.key(channel, name, call.customer)
    let records = call.sandbox.records
    if try records.find(key, in: Self.section) == nil {
      guard try records.list(Self.section, of: call.customer).count < Self.limit else {
        throw Problem.invalidRequest(in: call.family).because("there are \(Self.limit) templates already")
      }
    }
    try records.save(record, under: key, of: call.customer, in: Self.section)
  }

  /// The objects of the caller, oldest first.
  static func all(for call: Call) throws -> [[UInt8]] {
    try call.sandbox.records.list(section, of: call.customer).map { Array($0.record.utf8) }
  }

  /// The customer's object of this channel and name.
  static func find(
    _ channel: String, _ name: String, of customer: String, in sandbox: Sandbox
  ) throws -> [UInt8]? {
    try sandbox.records.find(key(channel, name, customer), in: section).map { Array($0.record.utf8) }
  }

  /// Forgets it.
  static func forget(_ channel: String, _ name: String, for call: Call) throws {
    _ = try call.sandbox.records.delete(key(channel, name, call.customer), in: section)
  }

  /// What a message says over a channel: `{"template":…,"parameters":{…}}`. The template `text`, whose one
  /// parameter is the text, everybody has. Source: contract 9.2.
  static func words(_ wording: Fields, over channel: OmnichannelChannel, _ call: Call) throws -> String {
    let template = try wording.optionalString("template") ?? "text"
    let parameters = try wording.optionalObject("parameters")
    let text: String
    if let record = try find(channel.rawValue, template, of: call.customer, in: call.sandbox) {
      text = try fill(Self.text(of: Fields(record)), with: parameters, call)
    } else if template == "text" {
      text = try fill("{{text}}", with: parameters, call)
    } else {
      throw Problem(3112, in: call.family).because(
        "there is no template \(template) for \(channel.rawValue)")
    }
    guard text.count <= 4096 else {
      throw Problem(3108, in: call.family).because("expected up to 4096 characters")
    }
    return text
  }

  /// What a code is sent with over a channel: the customer's template of this name, where there is one for the
  /// channel, with the code as `{{code}}` and the usual sentence as `{{text}}`. Source: contract 4.2; the names of
  /// the parameters are the sandbox's own.
  static func words(
    _ name: String, for code: String, or sentence: String, over channel: Channel, of customer: String,
    in sandbox: Sandbox
  ) throws -> String {
    guard let record = try find(channel.rawValue, name, of: customer, in: sandbox) else { return sentence }
    let values = ["code": code, "text": sentence]
    return try fill(text(of: Fields(record))) { values[$0] ?? "{{\($0)}}" }
  }

  /// The object's `text`, or that of its `content`; without either the words are the parameter `text`.
  private static func text(of fields: Fields) throws -> String {
    let text = try fields.optionalString("text")
    guard text == nil, case .object? = try fields.optionalJSON("content") else { return text ?? "{{text}}" }
    return try fields.optionalObject("content")?.optionalString("text") ?? "{{text}}"
  }

  private static func fill(_ text: String, with parameters: Fields?, _ call: Call) throws -> String {
    try fill(text) { name in
      guard let value = try parameters?.optionalString(name), !value.isEmpty else {
        throw Problem(3305, in: call.family).because("parameters.\(name): expected a text")
      }
      return value
    }
  }

  private static func fill(_ text: String, with value: (String) throws -> String) rethrows -> String {
    var filled = ""
    var rest = text[...]
    while let start = rest.firstRange(of: "{{"), let end = rest[start.upperBound...].firstRange(of: "}}") {
      filled += try rest[..<start.lowerBound] + value(String(rest[start.upperBound..<end.lowerBound]))
      rest = rest[end.upperBound...]
    }
    return filled + rest
  }

  /// Whether a text can be a template's name. Source: contract 4.2.
  static func isName(_ text: String) -> Bool {
    (1...512).contains(text.utf8.count)
      && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
  }

  private static func key(_ channel: String, _ name: String, _ customer: String) -> String {
    "\(customer)/\(channel)/\(name)"
  }

  private static let section = RecordStore.Section(provider: TelesignProvider.name, kind: "message-template")
  private static let limit = 1000
}
