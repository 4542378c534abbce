import CatalogSupport
import Console
import Control
import Domain
import HTTP
import Support
import Testing

@Suite("Console · signing in")
struct SignInTests {
  private let world: TestSandbox

  init() throws {
    world = try TestSandbox.withCatalog(
      tokens: AccessTokens(admin: "secret", sandboxKey: Array(repeating: 7, count: 32)))
  }

  private func get(_ path: String, _ headers: Headers = [:]) throws -> Response {
    try world.answer(Request(.get, Target(path), headers: headers))
  }

  private func signIn(with token: String, next: String = "") throws -> Response {
    try world.submit(["token": token, "next": next], on: "/console/sign-in")
  }

  @Test("without a token, a page leads to the form, which needs none")
  func form() throws {
    let response = try get("/console/timeline")

    #expect(response.status == 303)
    #expect(response.headers["Location"] == "/console/sign-in?next=%2Fconsole%2Ftimeline")
    #expect(try get("/console/sign-in").status == 200)
    #expect(try get("/console/assets/console.css").status == 200)
  }

  @Test("after signing in comes the page that was asked for, also after a wrong token")
  func pageAskedFor() throws {
    let asked = "/console/timeline?filter=a%20b&show=refusals"
    let location = try #require(try get(asked).headers["Location"])
    let hidden =
      #"<input type="hidden" name="next" value="/console/timeline?filter=a%20b&amp;show=refusals">"#

    #expect(String(decoding: try get(location).body, as: UTF8.self).contains(hidden))
    #expect(try signIn(with: "secret", next: asked).headers["Location"] == asked)
    let wrong = try get(asked, ["Cookie": "ringfence-token=guess"])
    #expect(String(decoding: wrong.body, as: UTF8.self).contains(hidden))
  }

  @Test(
    "signing in leads to no other server",
    arguments: [
      "//evil.test", "/\\evil.test", "\\\\evil.test", "https://evil.test/", "javascript:alert(1)",
      "evil.test", "",
      "/\t/evil.test", "/\n/evil.test", "\t//evil.test", " //evil.test", "/é", "/console\\..\\", "/a b",
      "/" + String(repeating: "a", count: 2000),
    ])
  func foreignDestinations(next: String) throws {
    #expect(try signIn(with: "secret", next: next).headers["Location"] == "/")
    let form = try get("/console/sign-in?next=\(PercentCoding.encode(next))")
    #expect(!String(decoding: form.body, as: UTF8.self).contains(#"name="next""#))
  }

  @Test("the form makes the browser keep the token, out of reach of scripts and other sites")
  func cookie() throws {
    let response = try signIn(with: "secret")

    #expect(response.status == 303)
    #expect(response.headers["Location"] == "/")
    #expect(response.headers["Set-Cookie"] == "ringfence-token=secret; Path=/; HttpOnly; SameSite=Strict")
    #expect(try get("/", ["Cookie": "a=b; ringfence-token=secret"]).status == 200)
    #expect(try get("/control/clock", ["Cookie": "ringfence-token=secret"]).status == 200)
  }

  @Test(
    "the page of a link says what its token opens",
    arguments: [
      ("secret", "This token opens the whole server: every sandbox, and the workshops."),
      ("sandbox.team-a.0f", "This token opens the sandbox <strong>team-a</strong>."),
    ])
  func link(token: String, text: String) throws {
    let page = String(decoding: try get("/console/sign-in?token=\(token)").body, as: UTF8.self)

    #expect(page.contains(text))
    #expect(page.contains(#"<input type="hidden" name="token" value="\#(token)">"#))
    #expect(!page.contains("It replaces the token"))
    let again = try get("/console/sign-in?token=\(token)", ["Cookie": "ringfence-token=secret"])
    #expect(String(decoding: again.body, as: UTF8.self).contains("It replaces the token of this browser."))
  }

  private static let forgotten = "ringfence-token=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0"

  @Test(
    "a wrong token is forgotten; after ten wrong ones in a minute the next is 429, and the right one signs in"
  )
  func wrong() throws {
    let wrong: Headers = ["Cookie": "ringfence-token=guess"]
    let response = try get("/", wrong)

    #expect(response.status == 401)
    #expect(String(decoding: response.body, as: UTF8.self).contains("This token is wrong."))
    #expect(response.headers.values("Set-Cookie").contains(Self.forgotten))
    for _ in 2...10 { _ = try get("/", wrong) }
    let limited = try get("/", wrong)
    #expect(limited.status == 429)
    #expect(limited.headers.values("Set-Cookie").contains(Self.forgotten))
    #expect(try get("/", ["Cookie": "ringfence-token=secret"]).status == 200)
  }

  @Test("a page of another origin cannot use the cookie")
  func otherOrigins() throws {
    let headers: Headers = [
      "Host": "127.0.0.1", "Cookie": "ringfence-token=secret", "Sec-Fetch-Site": "cross-site",
    ]

    #expect(try get("/control/clock", headers).status == 403)
  }

  @Test("the token of a sandbox opens that sandbox only")
  func sandboxToken() throws {
    let created = try world.answer(
      Request(
        .post, Target("/control/sandboxes"),
        headers: ["Content-Type": "application/json", "Authorization": "Bearer secret"],
        body: Array(#"{"name":"team-a"}"#.utf8)))
    let text = String(decoding: created.body, as: UTF8.self)
    let token = try #require(text.firstMatch(of: #/"token":"([^"]+)"/#)?.1)
    let cookie: Headers = ["Cookie": "ringfence-token=\(token)"]

    #expect(String(decoding: try get("/", cookie).body, as: UTF8.self).contains("team-a"))
    #expect(try get("/s/default/", cookie).status == 404)
  }

  @Test("a token with other characters cannot add to the cookie")
  func injection() throws {
    let cookie = try #require(try signIn(with: "a; Path=/x\r\nSet-Cookie: b=c").headers["Set-Cookie"])

    #expect(cookie == "ringfence-token=aPath=/xSet-Cookie:b=c; Path=/; HttpOnly; SameSite=Strict")
  }

  @Test("signing out makes the browser forget the token")
  func signOut() throws {
    let response = try world.answer(Request(.post, Target("/console/sign-out")))

    #expect(response.headers["Set-Cookie"]?.contains("Max-Age=0") == true)
  }
}
