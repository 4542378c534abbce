import CatalogSupport
import HTTP
import Support
import Testing

@testable import Control

/// The code in doc comments of Control and of `Tests/Support`.
@Suite("Control · uses", .contract("/control/openapi.json"))
struct UsesTests {
  @Test("an operation has a route and an access rule")
  func operation() throws {
    let sandboxes = try TestSandbox.withCatalog().sandboxes
    let api = ControlAPI(sandboxes, metrics: Metrics(), transport: InProcessTransport()) { _ in
      throw CancellationError()
    }

    let operation =
      Operation(
        .get("/control/entropy", as: "fetchEntropy", api.fetchEntropy), access: .participant,
        "Get the random seed.", .json(RandomSeed.schema))

    #expect(operation.strictRoute.name == "fetchEntropy")
    #expect(operation.strictRoute.access == .participant)
  }

  @Test("an exchange is compared with a text or a golden")
  func exchange() throws {
    let world = try TestSandbox()
    let exchange = try world.send(.to("/control/clock"))
    #expect(exchange.answer == #"200 {"mode":"frozen","now":"2026-01-05T10:20:30Z"}"#)
    exchange.matches(golden: "frozen")
  }
}
