import CatalogSupport
import Console
import Control
import Domain
import HTTP
import Support
import Testing

@Suite("Console · programs that repeat a request")
struct RequestProgramTests {
  private let world: TestSandbox

  init() throws { world = try TestSandbox.withCatalog() }

  /// The programs of a request, by language.
  private func programs(
    _ method: String = "POST", _ target: String = "/v2/x", head: String = "", body: [UInt8] = [],
    status: Int = 200, owner: String = "prelude"
  ) throws -> [String: String] {
    world.sandbox.journal.record(
      Journal.Exchange(
        at: TestSandbox.start, owner: owner, route: nil, method: method, target: target,
        requestHead: Array("Host: 127.0.0.1\r\n\(head)".utf8), requestBody: body, status: status,
        responseHead: [], responseBody: [], why: nil, unread: [], nearest: []))
    let path = "/console/requests/\(world.sandbox.journal.lastOrdinal)"
    let html = String(decoding: try world.answer(.to(path)).body, as: UTF8.self)
    let pairs = try ["curl", "Python", "Node"].map { language in
      let end = try #require(html.firstRange(of: "\" aria-label=\"Copy as \(language)\""))
      let start = try #require(html[..<end.lowerBound].ranges(of: "data-copy=\"").last)
      var text = String(html[start.upperBound..<end.lowerBound])
      for (entity, character) in ["&quot;": "\"", "&#39;": "'", "&lt;": "<", "&gt;": ">", "&amp;": "&"]
        .sorted(by: { $0.key > $1.key })
      {
        text = text.replacing(entity, with: character)
      }
      return (language, text)
    }
    return Dictionary(uniqueKeysWithValues: pairs)
  }

  @Test("a form with HTTP Basic, in each language")
  func form() throws {
    let head = "Authorization: Basic aW5lczpvcGVu\r\nContent-Type: application/x-www-form-urlencoded\r\n"

    let programs = try programs(head: head, body: Array("to=%2B1&a=b".utf8))

    #expect(
      programs["curl"] == #"""
        curl 'http://127.0.0.1:5550/v2/x' \
          -u 'ines:'"$PASSWORD" \
          -H 'Content-Type: application/x-www-form-urlencoded' \
          --data-raw 'to=%2B1&a=b'
        """#)
    #expect(
      programs["Python"] == #"""
        import os

        import requests

        answer = requests.request(
            "POST", "http://127.0.0.1:5550/v2/x",
            auth=("ines", os.environ["PASSWORD"]),
            headers={
                "Content-Type": "application/x-www-form-urlencoded",
            },
            data="to=%2B1&a=b",
        )
        print(answer.status_code, answer.text)

        """#)
    #expect(
      programs["Node"] == #"""
        const answer = await fetch("http://127.0.0.1:5550/v2/x", {
          method: "POST",
          headers: {
            "Authorization": "Basic " + Buffer.from("ines:" + process.env.PASSWORD).toString("base64"),
            "Content-Type": "application/x-www-form-urlencoded",
          },
          body: "to=%2B1&a=b",
        });
        console.log(answer.status, await answer.text());

        """#)
  }

  @Test("text from outside stays text, also a user name that looks like a command")
  func quoting() throws {
    // $(id)`id`"':
    let programs = try programs(
      head: "Authorization: Basic JChpZClgaWRgIic6eA==\r\nX-A: \"'\\\r\n",
      body: Array("\"\\\n\u{1}\u{2028}é${x}".utf8))

    #expect(try #require(programs["curl"]).contains(#"-u '$(id)`id`"'\'':'"$PASSWORD""#))
    #expect(try #require(programs["Python"]).contains(#"data=("\"\\\n\u0001\u2028é${x}").encode(),"#))
    #expect(try #require(programs["Node"]).contains(#"body: Buffer.from("\"\\\n\u0001\u2028é${x}"),"#))
    #expect(try #require(programs["Node"]).contains(#""X-A": "\"'\\","#))
  }

  @Test("C3: a mark that hides nothing is text")
  func marks() throws {
    let programs = try programs(body: Array("note=********".utf8))

    #expect(try #require(programs["curl"]).contains("--data-raw 'note=********'"))
  }

  @Test("a zero byte cannot begin a variable, and bytes that are no text stay bytes")
  func bytes() throws {
    for body: [UInt8] in [Array("\u{0}(id)\u{0}".utf8), [0xFF, 0x27]] {
      let programs = try programs(body: body)
      let curl = try #require(programs["curl"])

      #expect(curl.hasPrefix("printf %s '") && curl.hasSuffix("--data-binary @-") && !curl.contains("\"$"))
      #expect(try #require(programs["Python"]).contains("import base64\n"))
      #expect(try #require(programs["Node"]).contains(#"", "base64"),"#))
    }
  }

  @Test("a provider's host and a body of GET need more than fetch; redirects are not followed")
  func others() throws {
    let host = try programs(
      "GET", head: "Host: api.prelude.dev\r\n", body: Array("a".utf8), status: 302)

    #expect(try #require(host["Node"]).hasPrefix(#"import { request } from "node:http";"#))
    #expect(try #require(host["curl"]).contains("-X GET"))
    #expect(try #require(host["Python"]).contains("allow_redirects=False,"))
    #expect(try #require(programs(status: 302)["Node"]).contains(#"redirect: "manual","#))
  }

  @Test("a signed request signs in with HTTP Basic instead, and the page says so")
  func signed() throws {
    let own = try #require(try world.sandbox.accounts.all(of: "telesign").first?.name)
    let head = "Authorization: TSA \(own):c2lnbmF0dXJl\r\nx-ts-nonce: abcdefghijk\r\nDate: now\r\n"

    let programs = try programs(head: head, owner: "telesign")

    #expect(try #require(programs["curl"]).contains(#"-u "$TELESIGN_CUSTOMER_ID:$TELESIGN_API_KEY""#))
    #expect(try #require(programs["Python"]).hasPrefix("# HTTP Basic instead of the signature"))
    #expect(!(programs["Node"]?.contains("nonce") ?? true))
    let html = String(decoding: try world.answer(.to("/console/requests/1")).body, as: UTF8.self)
    #expect(html.contains("Copies have HTTP Basic instead of the signature"))
  }

  @Test("what is no request to a provider has no form to send it again")
  func unsendable() throws {
    world.dispatcher.recordTLSFailure(serverName: "a.example", from: .direct, why: "unknown ca")

    let html = String(decoding: try world.answer(.to("/console/requests/1")).body, as: UTF8.self)

    #expect(!html.contains("Send again"))
  }
}
