package import ProviderKit

extension PreludeProvider {
  /// The operations of the contract, in its order.
  package static var routes: [Route<Sandbox>] {
    verifyRoutes + historyRoutes + managementRoutes + lookupRoutes + watchRoutes + kycRoutes + notifyRoutes
      + subscriptionRoutes + transactionalRoutes + signalsRoutes + SilentURL.routes
  }
}
