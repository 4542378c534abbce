import ProviderKit

/// What tests can change in a sandbox.
struct Settings: ProviderSettings {
  static let provider = DemoProvider.name
  static let defaults = Shared(Settings())
  static let schema = Schema<Settings>(
    "DemoSettings", "Settings of Demo Verify in a sandbox.",
    [
      .field("brand", \.brand, .string(1...11), default: "Demo", "The sender of messages."),
      .field("maxChecks", \.maxChecks, .integer(1...100), default: 5, "How often a code can be checked."),
    ])

  var brand = "Demo"
  var maxChecks = 5
}
