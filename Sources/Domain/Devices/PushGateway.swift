package import JSON

// Pushes that providers of the sandbox send through an emulated gateway, so that its rules, the states of its
// tokens and injected faults apply to them as to those of an app's own back end. Source: `push-gateway.md` 5.

extension ProviderHooks {
  /// Sends a message in the gateway's own format, for a project at the gateway. Nil if the gateway refuses
  /// it; the list of attempts has the error.
  package typealias SendPush = (_ message: JSON, _ project: String, Sandbox) throws -> Message?
}

extension Sandbox {
  /// Sends a push through the gateway; nil if it refuses the push, or if the sandbox has no gateway.
  package func sendPush(_ message: JSON, project: String) throws -> Message? {
    try shared.hooks.lazy.compactMap(\.sendPush).first.flatMap { try $0(message, project, self) }
  }
}
