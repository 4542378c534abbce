package import Domain
package import HTTP
import ProviderKit

extension ProveProvider {
  /// The operations of the contract, in its order.
  package static var routes: [Route<Sandbox>] { tokenRoutes }
}

/// SDKs ask for a token at the root of the origin, whatever the path of their base URL. So this route is not bound to
/// the vendor's hosts. Another provider's `/token` is bound to its own. Source: contract 1.3 and 2.1.
private var tokenRoutes: [Route<Sandbox>] {
  [.post("/token", as: "createToken", createToken)]
}
