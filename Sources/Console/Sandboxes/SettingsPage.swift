import Control
import Markup

/// The settings of a sandbox's providers, one provider at a time, and the sandbox's token.
struct SettingsPage: Page {
  let title = "Settings"
  private let name: String
  private let providers: [String]
  private let form: SettingsForm
  /// Nil if the server requires none.
  private let token: String?
  private let mayRevoke: Bool

  init(
    _ request: Request, _ sandbox: Sandbox, _ sandboxes: Sandboxes, tokens: AccessTokens?
  ) throws {
    name = sandbox.name
    let sections = sandboxes.seeds.sections.filter { SettingsForm.settings(of: $0) != nil }
    providers = sections.map { $0.name }
    let chosen = try request.query["provider"] ?? sandbox.workshopPlace?.workshop.flavour
    let section = sections.first { $0.name == chosen } ?? sections.first
    guard let section, let form = try SettingsForm(section, of: sandbox) else {
      throw try NotFound("provider with settings", request, sandbox)
    }
    self.form = form
    token = tokens?.token(for: sandbox)
    mayRevoke = tokens?.isAdmin(request) ?? false
  }

  func content(_ layout: Layout) -> HTML {
    h1 {
      "Settings "
      span(.class("dim")) { name }
    }
    p(.class("help")) {
      "They hold for this sandbox until it is reset. "
      a(.href("/control/sandboxes/\(name)/export"), .init("download", "\(name).json")) { "Export it" }
      " to keep them as a seed."
    }
    links(.label("Providers"), .class("seg"), to: providers, title: { ProviderMark.title(of: $0) }) {
      layout.url("/console/settings?provider=\($0)")
    } isCurrent: {
      $0 == form.provider
    }
    form.html(layout)
    section(.id("token"), .class("panel settings")) {
      h2 { "Token of this sandbox" }
      if let token {
        p { "It opens this sandbox's pages and its control API, and nothing else." }
        CopyableCode(token).html
        if mayRevoke { revocation }
      } else {
        p { "This server requires no token. Start it with --admin-token to give each sandbox one." }
      }
      p(.id("token-status"), .class("status"), .init("role", "status"), .init(flag: "data-kept"))
    }
  }

  private var revocation: HTML {
    var button = ActionButton("Revoke", delete: ["/control/sandboxes/\(name)/tokens"])
    button.question =
      "Revoke the token of \(name)? Whoever uses it is signed out; the sandbox gets another one."
    button.status = ("token-status", "Revoked. The token above is the new one.")
    return button.html
  }
}

/// The form of one provider's settings: the members of its settings in a seed, with their meanings.
private struct SettingsForm {
  let provider: String
  private let summary: String
  private let settings: [ObjectSchema.Member]
  /// By the name of the setting.
  private let values: [String: JSON]

  /// Nil for a provider without settings.
  static func settings(of section: any Seeded.Type) -> ObjectSchema? {
    section.seed.schema.members.first { $0.name == "settings" }?.schema.object
  }

  init?(_ section: any Seeded.Type, of sandbox: Sandbox) throws {
    guard let settings = Self.settings(of: section) else { return nil }
    provider = section.name
    summary = settings.summary
    self.settings = settings.members
    let exported = try Fields(section.seed.export(from: sandbox)).optionalObject("settings")
    var values: [String: JSON] = [:]
    for setting in settings.members { values[setting.name] = try exported?.optionalJSON(setting.name) }
    self.values = values
  }

  func html(_ layout: Layout) -> HTML {
    let id = "settings-\(provider)"
    return section(.id(id), .class("panel settings")) {
      h2 { ProviderMark.title(of: provider) }
      p(.class("help")) { summary }
      form(
        .init("data-send", layout.url("/control/seed")), .init(flag: "data-changes"),
        .init("data-done", "Saved."), .label("Settings of \(ProviderMark.title(of: provider))")
      ) {
        for setting in settings { field(setting) }
        p(.class("why"), .init("data-problem", "form"), .init("role", "alert"), .init(flag: "data-kept"))
        div(.class("row")) {
          button(.type("submit"), .class("primary")) { "Save" }
          p(.class("status"), .init("role", "status"), .init(flag: "data-kept"))
        }
      }
    }
  }

  private func field(_ setting: ObjectSchema.Member) -> HTML {
    let id = "\(provider)-\(setting.name)"
    return div(.class("setting")) {
      label(.init("for", id)) { code { setting.name } }
      SettingInput(id: id, name: "\(provider)/settings/\(setting.name)", setting, values[setting.name]).html
      p(.id("\(id)-help"), .class("help")) {
        setting.summary
        if let usual = Self.usual(setting) { " Default: \(usual)." }
      }
    }
  }

  private static func usual(_ setting: ObjectSchema.Member) -> String? {
    guard case .defaulted(let value) = setting.presence else { return nil }
    let text = SettingInput.text(of: value)
    return text.isEmpty ? nil : text
  }
}

/// The control for a setting of one type.
private struct SettingInput {
  private let id: String
  private let name: String
  private let schema: JSONSchema
  private let value: JSON?

  init(id: String, name: String, _ setting: ObjectSchema.Member, _ value: JSON?) {
    self.id = id
    self.name = name
    var schema = setting.schema
    while case .nullable(let inner) = schema { schema = inner }
    self.schema = schema
    self.value = value
  }

  /// As people read it: texts without quotes.
  static func text(of value: JSON) -> String {
    switch value {
    case .string(let text): text
    case .null: ""
    default: String(decoding: value.encoded(), as: UTF8.self)
    }
  }

  var html: HTML {
    switch schema {
    case .boolean: choice([.bool(true), .bool(false)])
    case .enumeration(let values): choice(values)
    case .integer(let minimum, let maximum):
      field("number", type: "number", from: minimum.map(String.init), to: maximum.map(String.init))
    case .number(let minimum, let maximum):
      field("number", type: "number", from: minimum.map { "\($0)" }, to: maximum.map { "\($0)" })
    case .string: field("text", type: nil)
    default: field("text", type: "json")
    }
  }

  private func choice(_ values: [JSON]) -> HTML {
    select(.id(id), .name(name), .init("data-type", "json"), .init("aria-describedby", "\(id)-help")) {
      if value == nil || value == .null { option(.value(""), .init(flag: "selected")) { "not set" } }
      for one in values {
        option(
          .value(String(decoding: one.encoded(), as: UTF8.self)), .init(flag: "selected", one == value)
        ) { Self.text(of: one) }
      }
    }
  }

  private func field(_ input: String, type: String?, from: String? = nil, to: String? = nil) -> HTML {
    Markup.input(
      .id(id), .name(name), .type(input), .value(value.map(Self.text) ?? ""),
      .init("data-type", ifPresent: type), .init("min", ifPresent: from), .init("max", ifPresent: to),
      .init("step", ifPresent: input == "number" ? "any" : nil), .init("autocomplete", "off"),
      .init("spellcheck", "false"), .init("aria-describedby", "\(id)-help"))
  }
}
