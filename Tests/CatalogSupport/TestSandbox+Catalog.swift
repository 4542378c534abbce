import Catalog
import Console
package import Control
package import Database
package import Domain
package import JSON
import MCP
package import ProviderKit
package import Support

extension TestSandbox {
  /// With all providers, the console and MCP, as the program has them.
  package static func withCatalog(
    and others: any Provider.Type..., tokens: AccessTokens? = nil,
    change: (inout Sandboxes.Settings) -> Void = { _ in }
  ) throws -> TestSandbox {
    var settings = Self.settings
    change(&settings)
    return try withConsole(
      in: Database(.memory), settings: settings, parts: Parts(providers: catalog + others), tokens: tokens)
  }

  /// The same in an open database. `seeds` are those that `POST /control/sandboxes` can name.
  package static func withConsole(
    in database: Database, settings: Sandboxes.Settings = settings, parts: Parts,
    seeds: [String: [SeedLibrary.File]] = [:], tokens: AccessTokens? = nil
  ) throws -> TestSandbox {
    let providers = parts.providers
    return try TestSandbox(
      in: database, settings: settings, parts: parts, seeds: seeds, tokens: tokens,
      report: { try Report(of: $0, providers: providers).pieces() },
      pages: { sandboxes, control, transport in
        [
          Console(sandboxes, providers: providers, tokens: tokens).owner,
          MCPServer(control, sandboxes, transport: transport, providers: providers, version: "test").owner,
        ]
      })
  }
}

extension TestSandbox {
  /// The names of all providers in `withAcme()`, as error messages list them.
  package static let providerNames = (catalog.map { $0.name } + [Acme.name]).joined(separator: ", ")

  /// The credentials of a sandbox in `withAcme()`, as the control API shows them.
  package func credentials(of sandbox: Sandbox) throws -> JSON {
    .object(
      try (catalog + [Acme.self]).map { provider in
        let own = try provider.credentials(of: sandbox).map { (name, value) in
          JSON.Member(name: name, value: .string(value))
        }
        return .init(name: provider.name, value: .object(own))
      })
  }

  /// A test sandbox with Acme in addition to the real providers.
  package static func withAcme(tokens: AccessTokens? = nil) throws -> TestSandbox {
    try withCatalog(and: Acme.self, tokens: tokens)
  }
}
