package import Domain
package import HTTP
import ProviderKit

extension CAMARAProvider {
  /// The operations of the contract, in its order.
  package static var routes: [Route<Sandbox>] {
    let standard =
      authorizationRoutes + numberVerificationRoutes + simSwapRoutes + deviceSwapRoutes
      + oneTimePasswordRoutes + numberRecyclingRoutes + callForwardingRoutes + subscriptionStatusRoutes
      + matchRoutes + tenureRoutes + ageRoutes + deviceStatusRoutes + deviceIdentifierRoutes
      + subscriptionRoutes + consentInfoRoutes
    return standard + Aliases.routes(of: standard)
  }
}
