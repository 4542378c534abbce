import Control
import Domain
import HTTP
import JSON
import Testing

@Suite("Control · chaos")
struct ChaosTests {
  @Test("the same seed chooses the same failures, and another seed others")
  func seeds() throws {
    let first = try failures(seed: 7)
    let again = try failures(seed: 7)
    let other = try failures(seed: 8)

    #expect(first == again)
    #expect(first != other)
    #expect(!first.isEmpty)
  }

  @Test("about the given share fails, and the list says what")
  func share() throws {
    let desk = try Desk()
    _ = try desk.ask("PUT /control/chaos", #"{"rate":0.25,"seed":1}"#)

    for _ in 1...100 { _ = try submit(desk) }

    let run = try #require(try desk.sandbox.chaos.run)
    #expect(run.chances == 100)
    #expect((10...40).contains(run.failures.values.reduce(0, +)))
    #expect(run.failures.keys.allSatisfy { $0.hasPrefix("text-") })
  }

  @Test("rules win over chaos, and nothing fails without it")
  func precedence() throws {
    let desk = try Desk()
    _ = try desk.ask("PUT /control/chaos", #"{"rate":1}"#)
    _ = try desk.ask("PUT /control/scenarios", #"{"scenarios":[{"outcome":"deliver"}]}"#)
    let ruled = try submit(desk)
    _ = try desk.ask("DELETE /control/scenarios")
    _ = try desk.ask("DELETE /control/chaos")
    let calm = try submit(desk)

    #expect(ruled.receipts == calm.receipts)
    #expect(ruled.receipts.last?.state == .delivered)
  }

  @Test("requests fail as the provider's do, and the journal says why")
  func requests() throws {
    let desk = try Desk()
    _ = try desk.ask("PUT /control/chaos", #"{"rate":1}"#)

    try desk.send()

    let why = try #require(desk.sandbox.journal.exchanges.last?.why)
    #expect(why.hasPrefix("broken on purpose by chaos: fault "))
    #expect(why.hasSuffix("(to end it: DELETE /control/chaos)"))
  }

  @Test("webhooks say that they fail by chaos, also when they are read from the database")
  func webhooks() throws {
    let desk = try Desk()
    _ = try desk.ask("PUT /control/chaos", #"{"rate":1}"#)
    // Else the request fails, and there is no webhook.
    _ = try desk.ask("PUT /control/faults", #"{"faults":[{"latencyMs":1}]}"#)

    _ = try desk.respond("POST /things/v1/things", "callback=http%3A%2F%2F127.0.0.1%3A9%2Fa")

    let webhook = try JSON(parsing: desk.respond("GET /control/webhooks/latest").body)
    let text = try #require(webhook["fault"]?.text)
    #expect(text.hasPrefix("broken on purpose by chaos: webhook fault "))
    #expect(text.hasSuffix("(to end it: DELETE /control/chaos)"))
  }

  @Test("a message that chaos loses names chaos and its end, not the list of scenarios")
  func messages() throws {
    let desk = try Desk()
    _ = try desk.ask("PUT /control/chaos", #"{"rate":1}"#)

    let notes = try (1...20).compactMap { _ in
      let message = try submit(desk)
      return desk.sandbox.deliveryNotes[message.ordinal]
    }

    #expect(!notes.isEmpty)
    #expect(notes.allSatisfy { $0.cause == "chaos says so (to end it: DELETE /control/chaos)" })
    #expect(notes.allSatisfy { $0.scenario?.hasPrefix("chaos (") ?? false })
  }

  @Test("what the last chaos did is shown until the next one, also if it is read from the database")
  func summary() throws {
    let desk = try Desk()
    _ = try desk.ask("PUT /control/chaos", #"{"rate":1,"seed":7}"#)
    _ = try submit(desk)
    let running = try JSON(parsing: desk.respond("GET /control/chaos").body)

    _ = try desk.ask("DELETE /control/chaos")
    let calm = try submit(desk)
    // It fails, and what is cached is read again.
    _ = try desk.ask("POST /control/seed", #"{"unknown":1}"#)
    let ended = try JSON(parsing: desk.respond("GET /control/chaos").body)
    let next = try desk.ask("PUT /control/chaos", #"{"rate":0.5}"#)

    #expect(running["on"] == .bool(true) && ended["on"] == .bool(false))
    #expect(calm.receipts.last?.state == .delivered)
    #expect(ended["seed"] == .integer(7) && ended["chances"] == .integer(1))
    guard case .array(let failures)? = ended["failures"], let failure = failures.first else {
      Issue.record("no failures")
      return
    }
    let known = FailureGroup.all.flatMap(\.failures).first { $0.id == failure["id"]?.text }
    #expect(known != nil && known?.name == failure["name"]?.text)
    #expect(ended["failures"] == running["failures"])
    #expect(next == #"200 {"on":true,"rate":0.5,"seed":1,"chances":0,"failures":[]}"#)
  }

  @Test("no network goes down, because no removed rule would bring it back")
  func outages() {
    let ids = Scenario.chaos(in: FailureGroup.chaosTable).map(\.id)

    #expect(ids.contains("text-lost"))
    #expect(!ids.contains("text-network-down"))
  }

  /// The ids of the failures of a hundred messages.
  private func failures(seed: Int) throws -> [String: Int] {
    let desk = try Desk()
    _ = try desk.ask("PUT /control/chaos", #"{"rate":0.3,"seed":\#(seed)}"#)
    for _ in 1...100 { _ = try submit(desk) }
    return try desk.sandbox.chaos.run?.failures ?? [:]
  }

  private func submit(_ desk: Desk) throws -> Message {
    let draft = MessageDraft(
      provider: "acme", reference: "thing", channel: .sms, destination: "+12025550100", sender: "Acme",
      text: "Your code is 123456", code: "123456")
    return try desk.sandbox.messages.submit(draft, to: nil)
  }
}
