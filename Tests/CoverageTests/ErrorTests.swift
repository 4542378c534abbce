import Catalog
import CatalogSupport
import Domain
import Foundation
import JSON
import Support
import Testing

@Suite("Error catalogue")
struct ErrorTests {
  private let world: TestSandbox
  private let routes: [RouteEntry]

  init() throws {
    world = try TestSandbox.withCatalog()
    routes = world.routes
  }

  private func pages(of provider: String, code: String? = nil) throws -> [ErrorPage] {
    let next = try world.sandboxes.seeds.documentedErrors(
      of: provider.lowercased(), code: code, in: world.sandbox, at: "http://127.0.0.1:5550")
    var pages: [ErrorPage] = []
    while let found = try next() { pages += found }
    return pages
  }

  @Test("every error is shown by a check, or says why none shows it", arguments: Operation.providers)
  func everyErrorIsDocumented(of provider: String) throws {
    for error in try pages(of: provider).map(\.error) {
      let row = error.row
      #expect(!error.explanation.isEmpty, "\(provider) \(row.code) \(row.status): no check ends with it")
      guard case .device(_, let test) = error.way else { continue }
      #expect(
        Checks.text(of: test)?.contains(row.code) == true, "\(provider) \(row.code): not in the test \(test)")
    }
  }

  @Test("the routes of the catalogue exist", arguments: Operation.providers)
  func namesAreKnown(of provider: String) throws {
    let known = Set(routes.filter { $0.owner == provider.lowercased() }.map(\.name))
    for error in try pages(of: provider).map(\.error) {
      let unknown = Set(error.routes).subtracting(known).subtracting([DocumentedError.everyRoute])
      #expect(unknown == [], "\(provider) \(error.row.code): unknown routes")
    }
  }

  @Test("the catalogue has every route whose golden file shows the error", arguments: Operation.providers)
  func routesOfGoldens(of provider: String) throws {
    let errors = try pages(of: provider).map(\.error)
    for golden in GoldenFile.all where golden.owner.lowercased() == provider.lowercased() {
      guard golden.status >= 400, golden.route != "noRoute", let answer = golden.answer else { continue }
      let values = answer.scalars
      let shown = errors.filter { $0.row.status == golden.status && values.contains($0.row.code) }
      guard let first = shown.first else { continue }
      let isListed = shown.contains {
        $0.routes.contains(golden.route) || $0.routes.contains(DocumentedError.everyRoute)
      }
      #expect(isListed, "MISSING \(provider) \(first.row.code) \(first.row.status) \(golden.route)")
    }
  }

  @Test("commands quote texts, keep answers, and repeat requests")
  func commands() throws {
    let commands = try #require(pages(of: "Twilio", code: "60210").first?.commands)

    #expect(
      commands == """
        limit=$(curl -s http://127.0.0.1:5550/twilio/v2/Services/VA00000000000000000000000000000001/RateLimits \\
          -u AC00000000000000000000000000000001:0123456789abcdef0123456789abcdef \\
          -d UniqueName=user)
        for n in {1..5}; do curl "http://127.0.0.1:5550/twilio/v2/Services/VA00000000000000000000000000000001/RateLimits/$(jq -r .sid <<< "$limit")/Buckets" \\
          -u AC00000000000000000000000000000001:0123456789abcdef0123456789abcdef \\
          -d Max=1 \\
          --data-urlencode "Interval=$n"; done
        curl -i "http://127.0.0.1:5550/twilio/v2/Services/VA00000000000000000000000000000001/RateLimits/$(jq -r .sid <<< "$limit")/Buckets" \\
          -u AC00000000000000000000000000000001:0123456789abcdef0123456789abcdef \\
          -d Max=1 \\
          -d Interval=6
        """)
  }

  @Test("an error that only a fault gives has the command of the fault")
  func faultCommand() throws {
    let page = try #require(pages(of: "Twilio", code: "20500").first)

    #expect(page.error.isOnlyByFault)
    #expect(
      page.commands == """
        curl http://127.0.0.1:5550/control/faults \\
          -X PUT \\
          -H "Content-Type: application/json" \\
          -d '{"faults":[{"provider":"twilio","code":"20500","times":1}]}'
        """)
  }

  @Test("unknown names are errors with the nearest one")
  func unknownNames() {
    #expect(throws: FieldError.unknownName("provider", #"unknown provider "twili"; did you mean "twilio"?"#))
    {
      try pages(of: "twili")
    }
    #expect(throws: FieldError.unknownName("code", #"unknown code "60220x"; did you mean "60220"?"#)) {
      try pages(of: "twilio", code: "60220x")
    }
  }
}

extension GoldenFile {
  /// The body of the response, if it is JSON.
  fileprivate var answer: JSON? {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let status = text.range(of: "HTTP/1.1 \(self.status)"),
      let body = text.range(of: "\r\n\r\n", range: status.upperBound..<text.endIndex)
    else { return nil }
    return try? JSON(parsing: Array(text[body.upperBound...].utf8))
  }
}

extension JSON {
  /// All texts and numbers in it, as texts.
  fileprivate var scalars: Set<String> {
    switch self {
    case .string(let text): [text]
    case .integer(let number): [String(number)]
    case .array(let items): items.reduce(into: []) { $0.formUnion($1.scalars) }
    case .object(let members): members.reduce(into: []) { $0.formUnion($1.value.scalars) }
    default: []
    }
  }
}
