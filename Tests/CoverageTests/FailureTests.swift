import Catalog
import CatalogSupport
import Control
import Foundation
import HTTP
import ProviderKit
import Support
import Testing

@Suite("Failures of providers")
struct FailureTests {
  @Test("a provider shows each failure, or says why its flow is not there", arguments: Operation.providers)
  func everyFailureIsKnown(of name: String) throws {
    let record = try #require(catalog.first { $0.name == name.lowercased() }).failureRecord
    // A new provider has none yet.
    guard !record.isEmpty else { return }
    let shown = ShownFailures(record)
    for group in FailureGroup.all {
      for failure in group.failures {
        let places = shown.places(of: failure)
        #expect((places == nil) == (shown.reason(against: group.flow) != nil), "\(failure.id)")
        for place in places ?? [] {
          #expect(!place.source.isEmpty, "\(failure.id): Failures.json does not say where \(place.name) is")
        }
      }
    }
  }

  @Test("the control API and the console show what each provider shows")
  func shown() throws {
    let world = try TestSandbox.withCatalog()

    for target in ["/control/failures/text-lost", "/console/break?failure=text-lost"] {
      let text = String(decoding: try world.answer(.to(target)).body, as: UTF8.self)
      #expect(text.contains("undelivered 30005") && text.contains("GET /v2/Attempts"), "\(target)")
    }
  }

  @Test("the table in Docs/Failures.md is up to date; make docs writes it")
  func document() throws {
    let file = Checkout.root.appending(path: "Docs/Failures.md")
    let table = /(<!-- Written by `make docs`. -->\n).*(<!-- End -->)/.dotMatchesNewlines()
    let text = try String(contentsOf: file, encoding: .utf8).replacing(table) { match in
      "\(match.1)\(FailureGroup.all.map(Self.table).joined(separator: "\n"))\(match.2)"
    }
    try GeneratedFile.compare("Docs/Failures.md", with: text)
  }

  private static func table(of group: FailureGroup) -> String {
    let rows = group.failures.map { failure in
      let names = Operation.providers.filter { shows($0, failure) }
      let shown = names.count == catalog.count ? "all" : names.joined(separator: ", ")
      return "| `\(failure.id)` | \(failure.effect) | \(shown) |\n"
    }
    let head = "| \(group.name) | What happens | Shown by |\n| --- | --- | --- |\n"
    return head + rows.joined()
  }

  /// False, too, if the provider says why it shows nothing.
  private static func shows(_ name: String, _ failure: Failure) -> Bool {
    guard let provider = catalog.first(where: { $0.name == name.lowercased() }),
      let places = ShownFailures(provider.failureRecord).places(of: failure)
    else { return false }
    return !places.contains { ["no difference", "not applicable"].contains($0.name) }
  }
}
