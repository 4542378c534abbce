package import ProviderKit

extension VonageProvider {
  /// The operations of the contract, in its order.
  package static var routes: [Route<Sandbox>] {
    verifyRoutes + SilentURL.routes + templateRoutes + legacyRoutes + insightRoutes
  }
}
