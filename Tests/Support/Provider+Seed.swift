package import Domain
package import JSON
package import ProviderKit

extension Provider {
  /// Loads a section of a seed at once.
  package static func loadAll(of part: Fields, into sandbox: Sandbox) throws {
    var steps = Steps()
    try seed.load(part, into: sandbox, &steps)
    try steps.runAll()
  }
}
