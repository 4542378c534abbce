import ProviderKit

/// What an SDK says of its device in `User-Agent`: `Prelude/0.5.1 Core/0.3.0 (iOS 18.0)`, or behind the core the
/// browser's own agent. Source: contract 13.1.
struct SDKAgent {
  /// As it came.
  let text: String
  /// What stands behind the core.
  private let rest: Substring

  /// The agent of an SDK; nil for any other.
  init?(_ text: String) {
    guard text.hasPrefix("Prelude/"), let core = text.firstRange(of: " Core/") else { return nil }
    self.text = text
    rest = text[core.upperBound...].drop { $0 != " " }.dropFirst()
  }

  /// The device's platform.
  var platform: SignalsForm.Platform? {
    if browser != nil { return .web }
    return (system?.prefix { $0 != " " }.lowercased()).flatMap(SignalsForm.Platform.init)
  }

  /// The platform that an SDK key can be for: all of Apple's are one.
  var keyPlatform: SignalsForm.Platform? { platform.map { $0 == .ipados || $0 == .tvos ? .ios : $0 } }

  /// The version of the device's system.
  var osVersion: String? {
    let version = system?.drop { $0 != " " }.dropFirst() ?? ""
    return version.isEmpty ? nil : String(version)
  }

  /// The browser's own agent.
  var browser: String? { rest.hasPrefix("Mozilla/") ? String(rest) : nil }

  private var system: Substring? {
    rest.first == "(" && rest.last == ")" ? rest.dropFirst().dropLast() : nil
  }
}
