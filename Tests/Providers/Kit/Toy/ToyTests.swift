import Catalog
import Domain
import HTTP
import ProviderKit
import Support
import Testing

@Suite(
  "A provider needs no change outside its folder, the manifest and the catalogue",
  .contract("Docs/Decisions/0002"))
struct ToyTests {
  let world: TestSandbox

  init() throws { world = try TestSandbox(providers: catalog + [Toy.self]) }

  @Test("it starts and checks a verification through the core, with its own responses")
  func verification() throws {
    let knock = try world.send(.to("/knock/+12025550100", .put))
    let wrong = try answer("0000")
    let right = try answer(try code())

    knock.matches(golden: "first")
    #expect(knock.answer == "202 Who is there?")
    #expect(wrong.answer == "403 I do not know you.")
    #expect(right.answer == "200 Come in.")
    #expect(try answer("0000").answer == "404 Nobody knocked.")
  }

  @Test("it sets its own limits")
  func limits() throws {
    _ = try world.send(.to("/knock/+12025550100", .put))
    for _ in 0..<2 { #expect(try answer("0000").answer == "403 I do not know you.") }

    #expect(try answer(try code()).answer == "429 I have heard enough.")
  }

  @Test(
    "requests without a handler get its own errors",
    arguments: [
      (HTTP.Method.get, "/toy/nothing", "404 Nobody knocked."),
      (.get, "/knock/+1202", "405 Not at this door."),
      (.delete, "/knock/+1202", "404 One day."), (.put, "/knock/1202", "400 I do not understand."),
      (.put, "/toy/knock/%ZZ", "400 I do not understand."),
    ])
  func refusals(method: HTTP.Method, path: String, answer: String) throws {
    let exchange = try world.send(.to(path, method))

    #expect(exchange.answer == answer)
    #expect(exchange.headers["X-Toy"] == "yes")
  }

  @Test("a body that is not JSON gets its own error")
  func brokenBody() throws {
    let exchange = try world.send(.json(.post, "/knock/+12025550100", "{"))

    #expect(exchange.answer == "400 I do not understand.")
  }

  @Test("its routes do not collide with others, and work under its name, in a sandbox and at its host")
  func routes() throws {
    #expect(world.collisions.isEmpty)
    for path in ["/knock/+12025550100", "/toy/knock/+12025550100", "/s/default/toy/knock/+12025550100"] {
      #expect(try world.send(.to(path, .put)).answer == "202 Who is there?")
    }
    let lost = try world.send(Request(.get, Target("/nothing"), headers: ["Host": "toy.test"]))
    #expect(lost.answer == "404 Nobody knocked.")
  }

  @Test("faults, journal and inbox support it without further code")
  func restOfTheSandbox() throws {
    _ = try world.send(.to("/knock/+12025550100", .put))
    let inbox = try world.send(.to("/control/inbox/+12025550100/latest/code"))
    _ = try world.send(
      .json(.put, "/control/faults", #"{"faults":[{"provider":"toy","route":"knock","status":500}]}"#))

    let struck = try world.send(.to("/knock/+12025550100", .put))

    #expect(inbox.answer == "200 \(try code())")
    #expect(struck.answer == "400 I do not understand.")
    #expect(struck.why?.hasPrefix("broken on purpose: fault 1 answers 500 ") == true)
    #expect(try answer("0000").unread == [])
  }

  @Test("it handles replies, whether it sent messages before or not")
  func notices() throws {
    _ = try world.send(.to("/knock/+12025550100", .put))

    let reply = try world.send(.json(.post, "/control/inbox/+12025550100/reply", #"{"text":"me"}"#))
    let other = try world.send(
      .json(.post, "/control/inbox/+12025550101/reply", #"{"text":"hello","to":"TOY"}"#))

    #expect(reply.answer.hasPrefix("201"))
    #expect(other.answer.hasPrefix("201"))
    #expect(
      try world.sandbox.messages.inbox(.init()).map { "\($0.destination) \($0.text)" }.suffix(2) == [
        "+12025550100 You said: me", "+12025550101 You said: hello",
      ])
  }

  private func answer(_ word: String) throws -> Exchange {
    try world.send(.json(.post, "/knock/+12025550100", #"{"word":"\#(word)"}"#))
  }

  private func code() throws -> String {
    try #require(try world.sandbox.messages.inbox(.init()).last?.code)
  }
}
