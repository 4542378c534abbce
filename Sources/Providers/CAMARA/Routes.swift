package import ProviderKit

extension CAMARAProvider {
  /// The operations of the contract, those of older versions, and all again under the paths of dialects.
  package static var routes: [Route<Sandbox>] {
    let newest = standardRoutes
    let standard = newest + APIVersion.routes(of: newest)
    return standard + Aliases.routes(of: standard)
  }

  /// In the order of the contract.
  static var standardRoutes: [Route<Sandbox>] {
    authorizationRoutes + numberVerificationRoutes + simSwapRoutes + deviceSwapRoutes
      + oneTimePasswordRoutes + numberRecyclingRoutes + callForwardingRoutes + subscriptionStatusRoutes
      + matchRoutes + tenureRoutes + ageRoutes + deviceStatusRoutes + deviceIdentifierRoutes
      + subscriptionRoutes + consentInfoRoutes
  }
}
