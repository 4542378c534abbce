package import Domain
package import HTTP
import ProviderKit

extension CAMARAProvider {
  /// The operations of the contract, in its order.
  package static var routes: [Route<Sandbox>] {
    authorizationRoutes + simSwapRoutes
  }
}
