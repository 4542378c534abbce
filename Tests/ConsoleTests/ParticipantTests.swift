import Catalog
import CatalogSupport
import Control
import Domain
import HTTP
import JSON
import Markup
import Numbers
import ProviderKit
import Support
import Testing

@testable import Console

@Suite("Console · participants")
struct ParticipantTests {
  private let world: TestSandbox

  init() throws {
    world = try TestSandbox.withCatalog()
    let body = #"{"name":"tuesday","story":"first-sign-in","flavour":"twilio","participants":["Ana","Ben"]}"#
    let created = try world.answer(.json(.post, "/control/workshops", body))
    #expect(created.status == 201)
  }

  private func page(_ path: String) throws -> String {
    let response = try world.answer(.to("/s/tuesday-1\(path)"))
    #expect(response.status == 200)
    return String(decoding: response.body, as: UTF8.self)
  }

  private var own: Sandbox { get throws { try #require(world.sandboxes["tuesday-1"]) } }

  private func text(_ code: String, to number: String = "+12025550100") throws {
    let draft = MessageDraft(
      provider: "twilio", reference: "r-1", channel: .sms, destination: number, sender: "ACME",
      text: "Your code is \(code)", code: code)
    try own.messages.submit(draft, to: PhoneNumber(number).map { try own.subscribers[$0] })
  }

  @Test("a test code is of the workshop's provider, and the title of a story has one mark at its end")
  func testCode() throws {
    let made = Request.json(
      .post, "/control/workshops",
      #"{"name":"monday","story":"first-sign-in","flavour":"prelude","participants":1}"#)
    #expect(try world.answer(made).status == 201)
    let html = String(decoding: try world.answer(.to("/s/monday-1/")).body, as: UTF8.self)
    #expect(html.contains(#"<select name="provider"><option value="prelude">"#))
    let workshops = String(decoding: try world.answer(.to("/console/workshops")).body, as: UTF8.self)
    #expect(workshops.contains("same person? ") && !workshops.contains("?."))
  }

  @Test("head and title name workshop and participant")
  func head() throws {
    let html = try page("/console/timeline")

    #expect(html.contains("<title>Timeline · tuesday · Ana · Ringfence</title>"))
    #expect(html.contains(#"<span class="sandbox" title="Sandbox tuesday-1">tuesday · Ana</span>"#))
  }

  @Test("without tokens, a browser that joined finds the way back from other sandboxes")
  func wayBackWithoutTokens() throws {
    let workshop = try #require(try own.workshopPlace).workshop
    let phrase = try world.sandboxes.workshops.participants(of: workshop)[0].phrase
    let joined = try world.submit(["phrase": phrase], on: "/join")
    #expect(joined.headers["Set-Cookie"] == "ringfence-sandbox=tuesday-1; Path=/; HttpOnly; SameSite=Strict")
    func html(_ path: String, _ sandbox: String = "tuesday-1") throws -> String {
      let headers: Headers = ["Cookie": "ringfence-sandbox=\(sandbox)"]
      return String(decoding: try world.answer(.to(path, headers: headers)).body, as: UTF8.self)
    }
    let link = #"href="/s/tuesday-1/#tasks">Back to your tasks<"#

    for path in ["/", "/console/connect", "/s/tuesday-2/"] {
      #expect(try html(path).contains(link), "\(path)")
    }
    #expect(try !html("/s/tuesday-1/").contains("Back to your tasks"))
    #expect(try html("/s/none/").contains("this one has joined tuesday-1"))
    #expect(try !html("/s/tuesday-9/", "tuesday-9").contains("Back to your sandbox"))
    for gone in ["tuesday-9", "default"] { #expect(try !html("/", gone).contains("Back to your tasks")) }
  }

  @Test("on a projector, a participant is called by name")
  func follow() throws {
    #expect(try page("/console/follow").contains("Follows the newest verification of Ana,"))
  }

  @Test("commands of tasks are for the chosen shell, with links to the others")
  func shells() throws {
    let html = try page("/?shell=powershell")

    #expect(html.contains("curl.exe -sS"))
    #expect(html.contains("&#39;{&quot;advance&quot;:&quot;10m&quot;}&#39; |"))
    #expect(html.contains(#"<a href="?shell=cmd#commands">cmd</a>"#))
    #expect(try page("/").contains("curl -sS &quot;"))
  }

  @Test("commands of a task are for one shell: if one of them needs a POSIX shell, all do")
  func oneShell() {
    let commands = ShellCommands(["A=$(curl x)", "curl x | sed y"], for: .powershell)
      .html(titles: ["1", "2"]).description

    #expect(commands.contains("For a POSIX shell: on Windows, WSL or Git Bash."))
    #expect(commands.contains("A=$(curl") && !commands.contains("curl.exe"))
  }

  @Test("values that a command needs come from the answer to one before it, in other shells too")
  func answers() throws {
    let body = #"{"name":"friday","story":"without-a-code","flavour":"prove","participants":["Ana"]}"#
    _ = try world.answer(.json(.post, "/control/workshops", body))
    let answer = try world.answer(.to("/s/friday-1/?shell=powershell"))
    let html = String(decoding: answer.body, as: UTF8.self)

    let commands = try #require(html.firstMatch(of: #/(?s)<details id="commands".*?<\/details>/#)?.0)
    #expect(commands.contains("$TOKEN = [regex]::Match($TOKENS, ") && !commands.contains("POSIX"))
  }

  @Test("tasks that are done unfold with text and hint, later ones with the text only")
  func tasks() throws {
    #expect(try world.sendCode(1) == 201)

    let tasks = try page("/").split(separator: "<li class=\"").map(String.init)
    let done = try #require(tasks.first { $0.hasPrefix("done") })
    let current = try #require(tasks.first { $0.contains("aria-current=\"step\"") })
    let later = try #require(tasks.first { $0.hasPrefix("untouched") && $0.contains("Check the code") })

    #expect(done.contains("<details><summary><strong>Send a code</strong>"))
    #expect(done.contains("done after 0 min") && done.contains("Hint: client.verify"))
    #expect(current.contains("Read the code") && !current.contains("<summary><strong>"))
    #expect(later.contains("<details>") && later.contains("Let your program check the code."))
    #expect(!later.contains("verification_checks.create"))
  }

  @Test("the commands of the current task are on the page, with the participant's values")
  func commandsOnPage() throws {
    let account = try world.twilio("accountSid", of: "tuesday-1")
    let service = try world.twilio("serviceSid", of: "tuesday-1")

    let html = try page("/")

    let commands = try #require(html.firstMatch(of: #/(?s)<details id="commands".*?<\/details>/#)?.0)
    for value in ["http://127.0.0.1:5550/s/tuesday-1/v2/Services/\(service)/", account, "+12025550100"] {
      #expect(commands.contains(value))
    }
    #expect(commands.contains("data-copy=") && !commands.contains("{{"))
    #expect(html.contains("or use the command “If a limit is reached: ten minutes later”; then send a new"))
  }

  @Test("every name in a command of the shipped stories has a value", arguments: [true, false])
  func commandValues(withTokens: Bool) throws {
    let tokens = withTokens ? AccessTokens(admin: "admin", sandboxKey: Array(repeating: 7, count: 32)) : nil
    for story in try world.sandboxes.seeds.stories.values {
      for flavour in story.flavours {
        let values = try CommandValues(catalog, tokens).all(
          in: try own, for: .to("/s/tuesday-1/"))
        for task in flavour.tasks {
          #expect(!task.commands.isEmpty, "\(task.title)")
          for command in task.commands {
            let code = command.code(with: values)
            #expect(
              !code.contains("{{") && code.contains("Bearer sandbox.") == (withTokens && command.needsToken))
          }
        }
      }
    }
  }

  @Test("a link leads to the current task from every page, also from one that does not exist")
  func taskLink() throws {
    for path in ["/", "/console/timeline", "/console/break", "/console/connect", "/console/settings"] {
      #expect(try page(path).contains(##"href="#tasks">Task 1 of 5: Send a code</a>"##), "\(path)")
    }
    let missing = String(decoding: try world.answer(.to("/s/tuesday-1/console/none")).body, as: UTF8.self)
    #expect(missing.contains(##"href="#tasks">Task 1 of 5: Send a code</a>"##))
  }

  @Test("the page of a sandbox that is not theirs leads a participant back")
  func wayBack() throws {
    let tokens = AccessTokens(admin: "admin", sandboxKey: Array(repeating: 7, count: 32))
    let world = try TestSandbox.withCatalog(tokens: tokens)
    let own = try #require(try world.sandboxes.create("alpha", Sandbox.Configuration()))
    let cookie: Headers = ["Cookie": "ringfence-token=\(tokens.token(for: own))"]

    for path in ["/s/none/", "/console/workshops"] {
      let html = String(decoding: try world.answer(.to(path, headers: cookie)).body, as: UTF8.self)
      #expect(html.contains(##"href="/s/alpha/#tasks""##), "\(path)")
    }
  }

  @Test("phones with messages come first, then those of the tasks; the others are folded")
  func phones() throws {
    try text("111111", to: "+447700900123")

    let halves = try page("/").split(separator: "<details id=\"other-phones\"", maxSplits: 1).map(String.init)
    let ids = halves.map { $0.matches(of: #/id="phone-([^"]+)"/#).map { String($0.1) } }

    #expect(ids.first == ["+447700900123", "+12025550100"])
    #expect(ids.last?.isEmpty == false)
    #expect(halves.last?.contains("Other phones (\(ids.last?.count ?? 0))") == true)
    #expect(try page("/?filter=%2B1").contains("other-phones") == false)
  }

  @Test("the newest of several codes is marked, and a single one is not")
  func newestCode() throws {
    try text("111111")
    try own.advance(by: .seconds(10))
    #expect(try !page("/").contains("newest code"))
    try text("222222")
    try own.advance(by: .seconds(10))

    for path in ["/", "/console/phones/%2B12025550100"] {
      let marks = try page(path).split(separator: "newest code", omittingEmptySubsequences: false)
      #expect(marks.count == 2 && marks[0].contains("111111") && marks[1].contains("222222"), "\(path)")
    }
  }
}

extension StoryCommand {
  fileprivate var needsToken: Bool { code(with: [:]).contains("/control/") }
}

@Suite("Console · an empty timeline")
struct EmptyTimelineTests {
  @Test("it says what will be there, or that nothing matches", arguments: ["stories", "requests"])
  func empty(view: String) throws {
    let sandbox = try TestSandbox.withCatalog()
    func page(_ filter: String) throws -> String {
      let answer = try sandbox.answer(.to("/console/timeline?view=\(view)\(filter)"))
      return String(decoding: answer.body, as: UTF8.self)
    }

    #expect(try page("").contains("Waiting for the first request…"))
    #expect(try page("&filter=never").contains(#"<li class="empty">Nothing matches.</li>"#))
  }
}
