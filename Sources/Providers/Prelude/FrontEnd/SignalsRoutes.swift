import ProviderKit

extension PreludeProvider {
  static var signalsRoutes: [Route<Sandbox>] {
    [
      .post("/v1/signals", as: "dispatchSignals", dispatchSignals),
      .on(.options, "/v1/signals", as: "announceSignals", announceSignals),
    ]
  }
}
