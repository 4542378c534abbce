import ProviderKit

/// A custom template: its fragments have the texts. Source: contract 8.
struct Template: StoredRecord, Equatable {
  /// A UUID.
  var id = ""
  var name = ""
  /// True if it is used by requests that name none.
  var isDefault = false

  /// An account may have so many.
  static let limit = 10

  var key: String { id }
  static let table = RecordTable("template", of: VonageProvider.name, schema) { Template() }
  private static let schema = Schema<Template>(
    nil, "",
    [
      .required("id", \.id, .string), .required("name", \.name, .string),
      .field("isDefault", \.isDefault, .boolean, default: false),
    ])

  static func `default`(in sandbox: Sandbox) throws -> Template? {
    try all(in: sandbox).first { $0.isDefault }
  }

  /// Saves it. There is at most one default template.
  func save(in sandbox: Sandbox) throws {
    if isDefault {
      for var other in try Self.all(in: sandbox) where other.isDefault && other.id != id {
        other.isDefault = false
        try Self.table.save(other, as: other.id, in: sandbox)
      }
    }
    try Self.table.save(self, as: id, in: sandbox)
  }

  static func requireManagement(_ context: RequestContext) throws(APIError) {
    guard context.settings.templates == .on else {
      throw APIError(.forbidden).because("the setting templates is forbidden")
    }
  }

  static func named(by context: RequestContext) throws -> Template {
    let id = context.request[parameter: "template_id"].lowercased()
    guard let template = try find(id, in: context.sandbox) else {
      throw APIError(.templateNotFound).because("no template \(id)")
    }
    return template
  }

  /// Oldest first.
  func fragments(in sandbox: Sandbox) throws -> [Fragment] { try Fragment.all(of: id, in: sandbox) }

  static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
  }
}

/// The text of a template for one channel in one language. Source: contract 8.
struct Fragment: StoredRecord, Equatable {
  enum Kind: String, CaseIterable {
    case sms
    case voice
  }

  /// A UUID.
  var id = ""
  var channel = Kind.sms
  /// In lower case.
  var locale = ""
  var text = ""
  var createdAt: Timestamp
  var updatedAt: Timestamp

  init(at time: Timestamp) {
    createdAt = time
    updatedAt = time
  }

  /// In characters, as long as ten texts. The provider names no limit.
  static let textLimit = 1600
  /// In one template.
  static let limit = 200

  var key: String { id }
  static let table = RecordTable("fragment", of: VonageProvider.name, schema) {
    Fragment(at: Timestamp(milliseconds: 0))
  }
  private static let schema = Schema<Fragment>(
    nil, "",
    [
      .required("id", \.id, .string), .required("channel", \.channel, .word),
      .required("locale", \.locale, .string), .required("text", \.text, .string),
      .required("createdAt", \.createdAt, .preciseTimestamp),
      .required("updatedAt", \.updatedAt, .preciseTimestamp),
    ])

  func save(in template: Template, _ sandbox: Sandbox) throws {
    try Self.table.save(self, as: id, group: template.id, in: sandbox)
  }

  func delete(in sandbox: Sandbox) throws { try Self.table.delete(id, in: sandbox) }

  /// The text with its variables replaced.
  func filled(code: String, brand: String, seconds: Int) -> String {
    let isMinutes = seconds >= 60 && seconds.isMultiple(of: 60)
    let values = [
      "code": code, "brand": brand, "time-limit": String(isMinutes ? seconds / 60 : seconds),
      "time-limit-unit": isMinutes ? "minutes" : "seconds",
    ]
    var filled = ""
    var rest = text[...]
    while let start = rest.firstRange(of: "${"), let end = rest[start.upperBound...].firstIndex(of: "}") {
      let name = String(rest[start.upperBound..<end])
      filled += rest[..<start.lowerBound] + (values[name] ?? "${\(name)}")
      rest = rest[rest.index(after: end)...]
    }
    return filled + rest
  }
}

struct SeedTemplate: Equatable {
  struct Text: Equatable {
    var channel = Fragment.Kind.sms
    var locale = ""
    var text = ""

    static let schema = Schema<Text>(
      "VonageTemplateFragment", "A text of a template.",
      [
        .required("channel", \.channel, .word, "The channel that uses it."),
        .required(
          "locale", \.locale,
          .text(.string(pattern: "^[a-z]{2,8}(-[a-z0-9]{1,8})*$"), expected: "a locale such as en-us") {
            VerificationForm.isLocale($0) && $0 == $0.lowercased()
          }, "The language, in lower case."),
        .required(
          "text", \.text,
          .text(
            .string(minLength: 1, maxLength: Fragment.textLimit),
            expected: "1 to \(Fragment.textLimit) characters"
          ) { (1...Fragment.textLimit).contains($0.unicodeScalars.count) },
          "The text, with ${code}, ${brand}, ${time-limit} and ${time-limit-unit}."),
      ])
  }

  var name = ""
  var isDefault = false
  var fragments: [Text] = []

  static let schema = Schema<SeedTemplate>(
    "VonageTemplate", "A custom template. Its id is in the provider's list of templates.",
    [
      .required(
        "name", \.name,
        .text(
          .string(pattern: "^[A-Za-z0-9_-]{1,64}$"), expected: "1 to 64 letters, digits, _ and -",
          Template.isName), "The name."),
      .field(
        "isDefault", \.isDefault, .boolean, default: false,
        "True if requests that name no template use it."),
      .field(
        "fragments", \.fragments, .objects(Text.schema, maxItems: Fragment.limit, from: { Text() }),
        default: [], "Its texts."),
    ])

  static func all(in sandbox: Sandbox) throws -> [SeedTemplate] {
    try Template.all(in: sandbox).map { template in
      SeedTemplate(
        name: template.name, isDefault: template.isDefault,
        fragments: try template.fragments(in: sandbox).map {
          Text(channel: $0.channel, locale: $0.locale, text: $0.text)
        })
    }
  }

  /// Replaces the template of this name.
  func save(in sandbox: Sandbox) throws {
    let known = try Template.all(in: sandbox)
    var template =
      known.first { $0.name == name }
      ?? Template(id: UUIDText.version4(sandbox.requestIdentifier("vonage template")), name: name)
    guard known.count < Template.limit || known.contains(where: { $0.name == name }) else {
      throw FieldError(
        path: "$.vonage.templates", expected: "at most \(Template.limit) templates", found: "another one")
    }
    template.isDefault = isDefault
    try template.save(in: sandbox)
    for fragment in try template.fragments(in: sandbox) { try fragment.delete(in: sandbox) }
    for text in fragments {
      var fragment = Fragment(at: sandbox.clock.now)
      fragment.id = UUIDText.version4(sandbox.requestIdentifier("vonage fragment"))
      (fragment.channel, fragment.locale, fragment.text) = (text.channel, text.locale, text.text)
      try fragment.save(in: template, sandbox)
    }
  }
}
