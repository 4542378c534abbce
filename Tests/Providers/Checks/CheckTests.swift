import Catalog
import Domain
import Foundation
import ProviderKit
import Support
import Testing

/// Sends the requests of `Sources/Providers/*/Checks`, and compares the answers, the goldens that they name,
/// and the provider's OpenAPI documents. `Tests/Conformance/test_checks.py` does the same with the program.
///
/// The files are read from the checkout, so that a changed check needs no build:
/// `swift test --skip-build --filter CheckTests`.
@Suite("Checks")
struct CheckTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let provider: any Provider.Type
    let check: Check

    var testDescription: String { "\(provider.name) \(check.name)" }
  }

  private static let cases = Result {
    try catalog.flatMap { provider in
      try CheckFile(files(of: provider), of: provider.name).checks.map { Case(provider: provider, check: $0) }
    }
  }

  private static func files(of provider: any Provider.Type) throws -> [(name: String, text: [UInt8])] {
    let folder = String(describing: provider).dropLast("Provider".count)
    let path = Checkout.root.appending(path: "Sources/Providers/\(folder)/Checks")
    return try FileManager.default.contentsOfDirectory(at: path, includingPropertiesForKeys: nil)
      .sorted { $0.path < $1.path }
      .map { ($0.deletingPathExtension().lastPathComponent, Array(try Data(contentsOf: $0))) }
  }

  @Test("the answers are those of the contract", arguments: try cases.get())
  func check(_ tested: Case) throws {
    try CheckRunner.run(tested.check, of: tested.provider, beside: #filePath)
  }
}
