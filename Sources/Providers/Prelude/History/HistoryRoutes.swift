import ProviderKit

extension PreludeProvider {
  static var historyRoutes: [Route<Sandbox>] {
    [
      .get("/v2/verification/phone/history", as: "listHistory", authenticated(listHistory)),
      .get("/v2/verification/phone/history/{id}", as: "fetchHistory", authenticated(fetchHistory)),
    ]
  }
}
