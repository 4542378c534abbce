import Catalog
import ProviderKit

extension Journal.Exchange {
  /// True if a provider may have the operation, but the sandbox does not.
  var isNotEmulated: Bool {
    guard status >= 400, target.hasPrefix("/") else { return false }
    guard let route else { return true }
    return missingRoutes.contains("\(owner) \(route)")
  }
}

/// Routes that are known, but have no handler: `OWNER NAME`.
private let missingRoutes = Set(
  catalog.flatMap { provider in
    provider.owner.routes.filter { $0.handler == nil }.map { "\(provider.name) \($0.name)" }
  })
