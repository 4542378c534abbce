import Markup

/// The dialog in which a person adds a phone with any facts. The script turns the fields into a record of the
/// control API: the name of a field is the path of a member, with `[]` at the end of a list's.
struct AddPhoneForm {
  static let id = "add-phone"

  private let layout: Layout
  /// The providers with an app that can be on a phone.
  private let providers: [String]

  init(_ layout: Layout, providers: [String]) {
    self.layout = layout
    self.providers = providers
  }

  var html: HTML {
    dialog(.id(Self.id), .init("aria-labelledby", "add-phone-title"), .init(flag: "data-kept")) {
      form(
        .init("data-phone", layout.url("/control/subscribers")),
        .init("data-devices", layout.url("/control/devices")),
        .init("data-page", layout.url("/console/phones"))
      ) {
        h2(.id("add-phone-title")) { "Add a phone" }
        field("Number") {
          input(
            .name("number"), .type("tel"), .init(flag: "required"), .init("placeholder", "+12025550123"),
            .init("autocomplete", "off"))
        }
        field("Operator") { input(.name("operator"), .init("placeholder", "Sandpiper Mobile")) }
        field("Line") { choice("lineType", Self.lines) }
        field("SIM card") { choice("simSwaps[]", Self.swaps) }
        field("Roaming") { choice("roaming.on", [("", "at home"), ("true", "in another country")]) }
        field("Mobile data") { choice("reach.data", [("", "on"), ("false", "off")]) }
        field("Silent verification") {
          choice("coversSilent", [("", "not supported"), ("true", "supported")])
        }
        field("App of") {
          choice(
            "device.provider", [("", "no app")] + providers.map { ($0, ProviderMark.title(of: $0)) })
        }
        field("The app's user") { input(.name("device.identity"), .init("placeholder", "user-0001")) }
        p(.class("why"), .init("role", "alert"))
        p(.class("actions")) {
          button(.type("button"), .init("data-close", Self.id)) { "Cancel" }
          button(.type("submit"), .class("primary")) { "Add" }
        }
      }
    }
  }

  private static let lines = [
    ("", "mobile"), ("landline", "landline"), ("fixed_voip", "VoIP, fixed"), ("non_fixed_voip", "VoIP"),
    ("toll_free", "toll-free"), ("premium", "premium rate"),
  ]
  private static let swaps = [
    ("", "never swapped"), ("-1h", "swapped an hour ago"), ("-3d", "swapped 3 days ago"),
    ("-60d", "swapped 60 days ago"),
  ]

  private func choice(_ name: String, _ options: [(value: String, text: String)]) -> HTML {
    select(.name(name)) { for (value, text) in options { option(.value(value)) { text } } }
  }
}
