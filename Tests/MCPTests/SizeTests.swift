import Basics
import CatalogSupport
import Domain
import HTTP
import JSON
import Support
import Testing

/// Each reading is a second later. `@unchecked Sendable`: only used on the test's thread.
private final class QuickClock: @unchecked Sendable {
  private var time = TestSandbox.start

  var now: Timestamp {
    time = time + .seconds(1)
    return time
  }
}

/// Issue 45, B3: a batch is answered one message at a time, and the size of an answer is bounded.
@Suite("MCP · sizes")
struct SizeTests {
  private let agent: Agent

  init() throws { agent = try Agent() }

  private func record(_ count: Int, target: String = "/things", body: [UInt8] = []) {
    for _ in 1...count {
      agent.world.sandbox.journal.record(
        Journal.Exchange(
          at: agent.world.sandbox.clock.now, owner: "acme", route: "fetchThing", method: "GET",
          target: target, requestHead: [], requestBody: body, status: 200, responseHead: [],
          responseBody: body, why: nil, unread: [], nearest: []))
    }
  }

  @Test("each message of a batch is a step of a job, between which others are answered")
  func batch() throws {
    let clock = QuickClock()
    // So each turn of the event loop is over after one step.
    let agent = Agent(
      try TestSandbox.withCatalog { $0 = .init(makeKey: TestSandbox.makeKey) { clock.now } })
    let message = { (id: Int) in
      let arguments = #"{"number":"+120255501\#(id)","event":"simSwap"}"#
      let params = #"{"name":"phone_event","arguments":\#(arguments)}"#
      return #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":\#(params)}"#
    }
    let body = "[\((10...20).map(message).joined(separator: ","))]"
    guard case .pending(let pending) = agent.reply(to: body) else {
      Issue.record("it is answered at once")
      return
    }
    let swaps = {
      try agent.world.sandbox.subscribers.page(after: "", limit: 1_000).count { !$0.simSwaps.isEmpty }
    }
    let before = try swaps()
    var turns = 0
    while try pending.reply() == nil, turns < 100 {
      #expect(try swaps() <= before + turns)
      try agent.world.sandboxes.catchUp()
      turns += 1
    }

    #expect(turns == 11)
    let answers = try JSON(parsing: #require(try pending.answer()).body).items ?? []
    #expect(answers.map { $0["id"] } == (10...20).map { .integer($0) })
  }

  @Test("a list that is too large for an answer goes on after its cursor, and nothing is left out")
  func pages() throws {
    record(150, target: "/things?\(String(repeating: "x", count: 3_000))")
    var (ids, cursor, pages): ([String], String, Int) = ([], "", 0)
    repeat {
      let text = try agent.call("list_requests", "{\(cursor)\"limit\":100}")
      #expect(text.utf8.count < 70_000)
      let page = try JSON(parsing: Array(text.utf8))
      ids += (page["requests"]?.items ?? []).compactMap { $0["id"]?.text }
      guard page["hasMore"] == .bool(true), case .integer(let last)? = page["cursor"] else { break }
      cursor = "\"after\":\(last),"
      pages += 1
    } while pages < 100

    #expect(pages > 2)
    #expect(ids == (1...150).reversed().map { "req_\($0)" })
  }

  @Test(
    "a list has at most 100 entries", arguments: ["list_requests", "list_messages", "list_verifications"])
  func limits(tool: String) throws {
    #expect(try agent.call(tool, #"{"limit":101}"#).contains("limit: expected an integer from 1 to 100"))
  }

  @Test("of a long text an answer has the beginning, and says how much is missing")
  func texts() throws {
    record(1, body: [UInt8](repeating: 0x61, count: 500_000))

    let text = try agent.call("explain_request")
    #expect(text.utf8.count < 20_000 && text.contains("aaa… and 496000 bytes more"))
    let resource = try agent.ask("resources/read", #"{"uri":"ringfence://journal"}"#)
    #expect(resource.encoded().count < 20_000)
  }
}
