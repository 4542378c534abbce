import HTTP
import JSON
import Support
import Testing

@Suite("Carrier · choosing a handset", .contract("carrier.md 4.5"))
struct AttachTests {
  let world: TestSandbox

  init() throws { world = try TestSandbox() }

  func fetch(_ query: String = "", headers: Headers = [:]) throws -> Exchange {
    try world.send(.to("/handset/attach\(query)", headers: headers))
  }

  @Test("the page lists the handsets and shows the browser's one")
  func page() throws {
    let none = try fetch()
    let chosen = try fetch(headers: ["Cookie": "sbx_handset=%2B12025550100"])

    #expect(none.answer.contains("This browser is not a handset yet"))
    #expect(none.answer.contains(#"<a href="/handset/attach?number=%2B12025550100">"#))
    #expect(!none.answer.contains("+442079460001"), "a landline is no handset")
    #expect(chosen.answer.contains("This browser is <strong>+12025550100</strong>"))
    #expect(chosen.answer.contains(#"<li class="current">"#))
  }

  @Test("choosing a handset sets the cookie that the gateway reads")
  func attach() throws {
    _ = try world.send(.json(.post, "/control/sandboxes", #"{"name":"empty","seeds":[]}"#))

    let exchange = try world.send(.to("/s/empty/handset/attach?number=%2B12025550104"))

    exchange.matches(golden: "attached")
    #expect(
      exchange.headers["Set-Cookie"] == "sbx_handset=%2B12025550104; Path=/s/empty; HttpOnly; SameSite=Lax")
  }

  @Test("an empty number detaches")
  func detach() throws {
    let exchange = try fetch("?number=", headers: ["Cookie": "sbx_handset=%2B12025550100"])

    #expect(exchange.headers["Set-Cookie"] == "sbx_handset=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax")
    #expect(exchange.answer.contains("This browser is not a handset yet"))
  }

  @Test("an invalid number is rejected")
  func badNumber() throws {
    let exchange = try fetch("?number=12")

    exchange.matches(golden: "bad-number")
  }

  @Test("an unknown field is rejected by name")
  func unknownField() throws {
    #expect(try fetch("?nmber=12").answer == "400 nmber: unknown field; expected number.\n")
  }

  @Test("a record's texts are escaped on the page")
  func escaping() throws {
    let record = #"{"operator":"<script>alert(\"&\")</script>"}"#
    _ = try world.send(.json(.put, "/control/subscribers/+12025550100", record))

    let answer = try fetch().answer

    #expect(answer.contains("&lt;script&gt;alert(&quot;&amp;&quot;)&lt;/script&gt;"))
    #expect(!answer.contains("<script>"))
  }
}
