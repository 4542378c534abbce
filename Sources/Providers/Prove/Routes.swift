package import ProviderKit

extension ProveProvider {
  /// The operations of the contract, in its order.
  package static var routes: [Route<Sandbox>] {
    tokenRoutes + unifyRoutes + keyRoutes + deviceRoutes + handsetPageRoutes + preFillRoutes + verifyRoutes
      + attributeRoutes + identityRoutes + domainRoutes + authRoutes
  }
}
