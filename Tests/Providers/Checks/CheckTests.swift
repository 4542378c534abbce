import Catalog
import Domain
import Foundation
import ProviderKit
import Support
import Testing

/// Sends the requests of `Sources/Providers/*/Checks` and of `Sources/Control/Checks`, and compares the
/// answers, the goldens that they name, and the provider's OpenAPI documents.
/// `Tests/Conformance/test_checks.py` does the same with the program.
///
/// The files are read from the checkout, so that a changed check needs no build:
/// `swift test --skip-build --filter CheckTests`.
@Suite("Checks")
struct CheckTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let check: Check
    let providers: [any Provider.Type]

    var testDescription: String { "\(name) \(check.name)" }
  }

  private static let cases = Result {
    let ofProviders = try catalog.flatMap { provider in
      let folder = String(describing: provider).dropLast("Provider".count)
      // Hyphen's devices are asked by pushes, which FCM brings.
      let others = provider.name == "hyphen" ? catalog.filter { $0.name == "fcm" } : []
      return try cases(in: "Providers/\(folder)", of: [provider] + others, named: provider.name)
    }
    return try ofProviders + cases(in: "Control", of: catalog, named: "control")
  }

  /// Those of a folder of `Sources`, each in a sandbox with some providers.
  private static func cases(
    in folder: String, of providers: [any Provider.Type], named name: String
  ) throws -> [Case] {
    let path = Checkout.root.appending(path: "Sources/\(folder)/Checks")
    let files = try FileManager.default.contentsOfDirectory(at: path, includingPropertiesForKeys: nil)
      .sorted { $0.path < $1.path }
      .map { ($0.deletingPathExtension().lastPathComponent, Array(try Data(contentsOf: $0))) }
    return try CheckFile(files, of: name).checks.map { Case(name: name, check: $0, providers: providers) }
  }

  @Test("the answers are those of the contract", arguments: try cases.get())
  func check(_ tested: Case) throws {
    try CheckRunner.run(tested.check, named: tested.name, of: tested.providers, beside: #filePath)
  }
}
