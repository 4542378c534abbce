import Catalog
import CatalogSupport
import Domain
import HTTP
import Support
import Testing

@testable import Console

@Suite("Console · stories")
struct StoryTests {
  private let world: TestSandbox
  private static let service = "/v2/Services/VA00000000000000000000000000000001"
  private static let twilio = Request.basic(
    "AC00000000000000000000000000000001", "0123456789abcdef0123456789abcdef")

  init() throws { world = try TestSandbox.withCatalog() }

  private func post(_ path: String, _ form: KeyValuePairs<String, String>) throws {
    _ = try world.answer(.post("\(Self.service)\(path)", form: form, headers: Self.twilio))
  }

  private func start(_ number: String) throws {
    try post("/Verifications", ["To": number, "Channel": "sms"])
  }

  private func stories(_ query: String = "") throws -> [VerificationStory] {
    let filter = try TimelineFilter(Form(parsing: Array(query.utf8)))
    return try StoryFeed(of: world.sandbox, filter, limit: 25, providers: catalog).stories
  }

  private func page(_ path: String) throws -> String {
    String(decoding: try world.answer(.to(path)).body, as: UTF8.self)
  }

  @Test("a story says how far a verification has come")
  func progress() throws {
    try start("+12025550100")
    #expect(try stories().map(\.progress) == [[.done, .done, .done, .waiting]])

    try post("/VerificationCheck", ["To": "+12025550100", "Code": "000000"])
    #expect(try stories().map(\.progress) == [[.done, .done, .done, .failed]])
    let label = #"aria-label="asked done, sent done, arrived done, checked failed""#
    #expect(try page("/console/timeline").contains(label))
    #expect(try stories().first?.reason == "Wrong code: check 1 of 5")

    let code = try #require(try world.sandbox.verifications.newest(1).first).code
    try post("/VerificationCheck", ["To": "+12025550100", "Code": code])
    #expect(try stories().map(\.progress) == [[.done, .done, .done, .done]])
    #expect(try stories().first?.reason == nil)
  }

  @Test("a message that did not arrive stops the story there")
  func lost() throws {
    _ = try world.answer(
      .json(.put, "/control/scenarios", #"{"scenarios":[{"outcome":"undeliverable"}]}"#))
    try start("+12025550100")
    try world.sandbox.advance(by: .seconds(5))

    let story = try #require(try stories().first)
    #expect(story.progress == [.done, .done, .failed, .ahead] && story.state == "not delivered")
    #expect(story.reason == "Not delivered: the phone cannot be reached")
  }

  @Test("a text of no verification is a story of its own: sent, arrived, code read")
  func ownText() throws {
    try start("+12025550100")
    let messages = "/2010-04-01/Accounts/AC00000000000000000000000000000001/Messages.json"
    for (number, text) in [("+12025550101", "Your code is 482913"), ("+12025550102", "Hello")] {
      try world.sandbox.advance(by: .seconds(60))
      let form: KeyValuePairs = ["To": number, "From": "Acme", "Body": text]
      _ = try world.answer(.post(messages, form: form, headers: Self.twilio))
    }
    _ = try world.answer(.json(.post, "/control/inbox/+12025550102/reply", #"{"text":"Hi"}"#))

    let stories = try stories()
    #expect(stories.map(\.state) == ["text", "code 482913", "pending"])
    #expect(stories.map { $0.parts[3] } == ["code read", "code read", "checked"])
    #expect(stories.map(\.progress.last) == [.ahead, .done, .waiting])
    #expect(stories[1].path.hasPrefix("/console/phones/%2B12025550101#msg_"))
    #expect(try self.stories("filter=482913").count == 1)
  }

  @Test("a request that started nothing is an entry of its own, newest first")
  func refused() throws {
    try start("+12025550100")
    try world.sandbox.advance(by: .seconds(60))
    try start("+1")

    let stories = try stories()
    #expect(stories.map(\.state) == ["400 refused", "pending"])
    #expect(stories.first?.reason == #"To: expected a phone number such as +12025550100; found "+1""#)
    #expect(stories.first?.path == "/console/requests/2")
  }

  @Test(
    "the filter selects stories",
    arguments: [
      ("filter=0101", ["+1 202 555 0101"]), ("filter=wrong+code", ["+1 202 555 0100"]),
      ("show=refusals", ["+1 202 555 0100"]), ("provider=prelude", []), ("filter=nope", []),
      ("", ["+1 202 555 0101", "+1 202 555 0100"]),
    ])
  func filters(query: String, expected: [String]) throws {
    try start("+12025550100")
    try post("/VerificationCheck", ["To": "+12025550100", "Code": "000000"])
    try start("+12025550101")

    #expect(try stories(query).map(\.destination) == expected)
  }

  @Test("phones and timeline show stories; the view is a part of the address")
  func pages() throws {
    try start("+12025550100")
    let ordinal = try #require(try world.sandbox.verifications.newest(1).first).ordinal
    let link = #"href="/console/verifications/\#(ordinal)""#

    #expect(try page("/").contains(#"<li id="story-\#(ordinal)""#))
    #expect(try page("/console/timeline").contains(link))
    #expect(try page("/console/timeline?view=requests").contains(#"<li id="request-1""#))
    // Stories have no such choice.
    #expect(try page("/console/timeline?show=events").contains("message sent"))
    #expect(
      try page("/console/timeline?filter=0100").contains(#"href="?view=requests&amp;filter=0100""#))
  }

  @Test("a push that belongs to a verification is no story of its own")
  func pushes() throws {
    let challenge = Challenge.Draft(
      provider: "hyphen", reference: "r-1", holder: "+12025550100", lifetime: .seconds(60))
    _ = try world.sandbox.challenges.create(challenge)

    let story = try #require(try stories().first)
    #expect(story.state == "waiting for approval" && story.progress == [.done, .done, .done, .waiting])
    #expect(story.provider == "hyphen")
  }
}
