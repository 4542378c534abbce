import CatalogSupport
import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Control · sandboxes")
struct SandboxRoutesTests {
  let desk: Desk

  init() throws { desk = try Desk() }

  /// The default sandbox, as the control API shows it.
  private func standard() throws -> String {
    let credentials = try desk.world.credentials(of: desk.sandbox).encoded()
    return #"{"name":"default","entropySeed":1,"clock":{"mode":"frozen","now":"2026-01-05T10:20:30Z"},"#
      + #""urls":{"base":"http://127.0.0.1:5550","prefixed":"http://127.0.0.1:5550/s/default"},"#
      + #""credentials":\#(String(decoding: credentials, as: UTF8.self))}"#
  }

  @Test("a sandbox shows its clock, its addresses and its credentials")
  func fetch() throws {
    #expect(try desk.ask("GET /control/sandboxes/default") == "200 \(try standard())")
  }

  @Test("all sandboxes are listed")
  func list() throws {
    #expect(
      try desk.ask("GET /control/sandboxes")
        == #"200 {"sandboxes":[\#(try standard())],"cursor":"default","hasMore":false}"#)
  }

  @Test("a sandbox is created with name, seed and frozen clock, and can be fetched")
  func create() throws {
    let made = try desk.ask(
      "POST /control/sandboxes",
      #"{"name":"ci-17","entropySeed":7,"clock":"2026-02-03T04:05:06Z","seeds":["default"]}"#)

    #expect(
      made.hasPrefix(
        #"201 {"name":"ci-17","entropySeed":7,"clock":{"mode":"frozen","now":"2026-02-03T04:05:06Z"},"#
          + #""urls":{"base":"http://127.0.0.1:5550","prefixed":"http://127.0.0.1:5550/s/ci-17"},"credentials":{"#
      ))
    #expect(made.hasSuffix(#""acme":{"key":"key-ci-17"}}}"#))
    #expect(
      try desk.ask("GET /control/sandboxes/ci-17") == made.replacing("201 ", with: "200 ", maxReplacements: 1)
    )
  }

  @Test("a sandbox without a name gets a new one each time")
  func createUnnamed() throws {
    _ = try desk.ask("POST /control/sandboxes")
    _ = try desk.ask("POST /control/sandboxes", "{}")

    let names = desk.world.sandboxes.all.map(\.name)
    #expect(names.count == 3)
    #expect(names.filter { $0.wholeMatch(of: /sandbox-[0-9a-f]{12}/) != nil }.count == 2)
  }

  @Test("a name that is taken is a conflict")
  func taken() throws {
    #expect(
      try desk.ask("POST /control/sandboxes", #"{"name":"default"}"#)
        == #"409 {"error":"sandbox default exists already"}"#)
  }

  @Test("a deleted sandbox is gone")
  func delete() throws {
    _ = try desk.ask("POST /control/sandboxes", #"{"name":"ci"}"#)

    let answers = try ["DELETE", "GET", "DELETE"].map { try desk.ask("\($0) /control/sandboxes/ci") }

    #expect(
      answers == [
        "204", #"404 {"error":"there is no sandbox ci"}"#, #"404 {"error":"there is no sandbox ci"}"#,
      ])
  }

  @Test("a request can delete its own sandbox")
  func deleteItself() throws {
    _ = try desk.ask("POST /control/sandboxes", #"{"name":"ci"}"#)

    #expect(try desk.ask("DELETE /s/ci/control/sandboxes/ci") == "204")
    #expect(desk.world.sandboxes["ci"] == nil)
  }

  @Test("the default sandbox cannot be deleted")
  func deleteDefault() throws {
    #expect(
      try desk.ask("DELETE /control/sandboxes/default")
        == #"409 {"error":"the default sandbox cannot be deleted; reset it instead"}"#)
  }

  @Test(
    "a reset brings a sandbox back to its seeds",
    arguments: ["/control/sandboxes/default/reset", "/control/reset"])
  func reset(path: String) throws {
    try desk.send()
    _ = try desk.ask("PUT /control/entropy", #"{"entropySeed":9}"#)
    _ = try desk.ask("POST /control/clock", #"{"advance":"1h"}"#)
    _ = try desk.ask("PUT /control/scenarios", #"{"scenarios":[{"outcome":"slow"}]}"#)
    _ = try desk.ask("DELETE /control/subscribers/+12025550100")

    #expect(try desk.ask("POST \(path)") == "200 \(try standard())")
    #expect(try desk.ask("GET /control/inbox") == #"200 {"messages":[],"cursor":0,"hasMore":false}"#)
    #expect(try desk.sandbox.scenarios.all.isEmpty)
    #expect(try desk.sandbox.subscribers.all.count == 13)
  }

  @Test("a reset without a name resets the request's sandbox")
  func resetThis() throws {
    _ = try desk.ask("POST /control/sandboxes", #"{"name":"ci","clock":"2026-02-03T04:05:06Z"}"#)
    _ = try desk.ask("POST /s/ci/control/clock", #"{"advance":"1h"}"#)
    _ = try desk.ask("POST /control/clock", #"{"advance":"1h"}"#)

    _ = try desk.ask("POST /s/ci/control/reset")

    #expect(desk.world.sandboxes["ci"]?.clock.now == Timestamp(iso8601: "2026-02-03T04:05:06Z"))
    #expect(desk.sandbox.clock.now == TestSandbox.start + .seconds(3600))
  }

  @Test("an export can be loaded as a seed, and exports the same again")
  func exportAndSeed() throws {
    _ = try desk.ask("PUT /control/subscribers/+12025550177", #"{"code":"4711"}"#)
    let export = try desk.ask("GET /control/sandboxes/default/export")
    _ = try desk.ask("POST /control/reset")

    let seeded = try desk.ask("POST /control/seed", String(export.dropFirst(4)))

    #expect(seeded == #"200 {"sandbox":"default"}"#)
    #expect(try desk.ask("GET /control/sandboxes/default/export") == export)
  }

  @Test("an export shows no secret")
  func exportMasksSecrets() throws {
    let export = try desk.ask("GET /control/sandboxes/default/export")

    #expect(!export.contains("0123456789abcdef0123456789abcdef"))
    #expect(!export.contains("SandboxKeySecret0000000000000001"))
  }

  @Test("a seed with an error loads nothing")
  func halfASeed() throws {
    let answer = try desk.ask(
      "POST /control/seed", #"{"subscribers":[{"number":"+12025550177"}],"faults":[{"status":1}]}"#)

    #expect(
      answer
        == #"400 {"error":"$.faults[0].status: expected an integer from 400 to 599; found 1","field":"$.faults[0].status"}"#
    )
    #expect(try desk.sandbox.subscribers.recorded(#require(PhoneNumber("+12025550177"))) == nil)
  }
}
