import Foundation
import RingfenceTesting
import Testing

@Suite("Client · codes and messages", .sandbox)
struct CodeTests {
  @Test("a code signs in")
  func signsIn() async throws {
    let sandbox = try Sandbox.current
    #expect(try await sandbox.sendCode().body["status"] == "pending")
    let code = try await sandbox.code(number)
    #expect(code.wholeMatch(of: #/\d{6}/#) != nil)
    #expect(try await sandbox.checkCode(number, code) == "approved")
  }

  @Test("code waits for a code that is sent later")
  func waits() async throws {
    let sandbox = try Sandbox.current
    async let waiting = sandbox.code(number, within: 60)
    try await sandbox.sendCode()
    #expect(try await waiting.count == 6)
  }

  @Test("code asks for one provider and channel")
  func ofOneProvider() async throws {
    let sandbox = try Sandbox.current
    try await sandbox.sendCode()
    try await sandbox.sendPrelude()
    let prelude = try await sandbox.code(number, provider: "prelude")
    #expect(try await sandbox.code(number, provider: "twilio") != prelude)
    #expect(try await sandbox.code(number, channel: "sms") == prelude)
  }

  @Test("no code: the error says what was sent, refused and why")
  func explains() async throws {
    let sandbox = try Sandbox.current
    try await sandbox.sendCode(other)
    _ = try? await sandbox.verify("Verifications", ["To": number, "Channel": "sms"], token: "wrong")
    try await sandbox.verify("Verification", ["To": number, "Channel": "sms"])
    let error = await #expect(throws: RingfenceError.self) { try await sandbox.code(number, within: 0) }
    let message = error?.message ?? ""
    #expect(message.hasPrefix("no code for +12025550100 came within 0 s:\nsandbox "))
    #expect(message.contains(#/ 201 POST .*\n.*sent: .*\n.* sms to \+12025550101: .*\d{6}/#))
    #expect(message.contains(#/ 401 POST \S+/Verifications\n.*\n.*\n.*why: wrong secret/#))
    #expect(message.contains(#/ 404 POST \S+/Verification\n(.*\n)*.*nearest: .*Verifications/#))
  }

  @Test("no code: the error has no control characters")
  func explainsVisibly() async throws {
    let sandbox = try Sandbox.current
    try await sandbox.verify("Verifications", ["To": "12\u{1B}[2J\u{9B}", "Channel": "sms"])
    let error = await #expect(throws: RingfenceError.self) { try await sandbox.code(number, within: 0) }
    #expect(error?.message.contains("12<U+001B>[2J<U+009B>") == true)
  }

  @Test("no code: a text that has not arrived is named")
  func explainsLostText() async throws {
    let sandbox = try Sandbox.current
    try await sandbox.fail("text-lost")
    try await sandbox.sendCode()
    let error = await #expect(throws: RingfenceError.self) { try await sandbox.code(number, within: 0) }
    let expected = #/sms to \+12025550100: .*\n.*the text is lost, because of the failure text-lost/#
    #expect(error?.message.contains(expected) == true)
  }

  @Test("messages and message show texts")
  func messages() async throws {
    let sandbox = try Sandbox.current
    try await sandbox.sendCode()
    try await sandbox.sendTelesign(other)
    let message = try await sandbox.message(number)
    #expect(message.text.contains(message.code ?? "none"))
    #expect(message.channel == .sms)
    #expect(try await sandbox.messages(number).map(\.id) == [message.id])
    #expect(try await sandbox.messages().map(\.to) == [number, other])
    let none = await #expect(throws: RingfenceError.self) {
      try await sandbox.message("+12025550102", within: 0)
    }
    #expect(none?.message.hasPrefix("no message for +12025550102 came within 0 s:") == true)
    let soon = await #expect(throws: RingfenceError.self) { try await sandbox.code(number, within: -1) }
    #expect(soon?.message == "within: expected seconds, such as 5; found -1.0")
  }
}

@Suite("Client · time", .sandbox(clock: noon, seed: 7))
struct TimeTests {
  @Test("advance expires a code")
  func expires() async throws {
    let sandbox = try Sandbox.current
    try await sandbox.sendCode()
    let code = try await sandbox.code(number)
    #expect(try await sandbox.advance("10m1s") == Date("2026-01-05T12:10:01Z", strategy: .iso8601))
    #expect(try await sandbox.checkCode(number, code) != "approved")
  }

  @Test("freeze stops the clock, and release lets it run")
  func freezes() async throws {
    let sandbox = try Sandbox.current
    let frozen = try await sandbox.freeze()
    #expect(try await sandbox.now == frozen)
    try await sandbox.freeze(at: "2030-01-01T00:00:00.250Z")
    #expect(try await sandbox.now.timeIntervalSince1970 == 1_893_456_000.25)
    try await sandbox.release()
    #expect(try await sandbox.control.get("/control/clock")["mode"] == "real")
  }

  @Test("a duration that is none is refused, with the field")
  func refuses() async throws {
    let error = await #expect(throws: RingfenceError.self) { try await Sandbox.current.advance("soon") }
    #expect(error?.status == 400)
    #expect(error?.field == "$.advance")
  }

  @Test("the seed is that of the trait")
  func seed() async throws {
    #expect(try await Sandbox.current.control.get("/control/entropy")["entropySeed"] == 7)
  }
}

@Suite("Client · environment and records")
struct RecordTests {
  @Test("env has base URLs, credentials and files", .sandbox)
  func env() async throws {
    let sandbox = try Sandbox.current
    let env = try await sandbox.env
    #expect(env["PRELUDE_BASE_URL"] == sandbox.url)
    #expect(env["TWILIO_ACCOUNT_SID"] == sandbox.credentials["twilio"]?["accountSid"])
    let file = env["GOOGLE_APPLICATION_CREDENTIALS"] ?? ""
    let account = try Data(contentsOf: URL(fileURLWithPath: file))
    #expect(try JSONDecoder().decode(JSON.self, from: account)["type"] == "service_account")
    try await sandbox.keep()
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  @Test("the journal has requests with reasons, and waits", .sandbox)
  func journal() async throws {
    let sandbox = try Sandbox.current
    async let waiting = sandbox.journal.wait(provider: "twilio", route: "createVerification", within: 60)
    try await sandbox.sendCode()
    #expect(try await waiting.response.status == 201)
    try await sandbox.verify("Verifications", ["Channel": "sms"])
    let latest = try #require(try await sandbox.journal.latest())
    #expect(latest.response.status == 400)
    #expect(latest.why?.contains("To") == true)
    #expect(try await sandbox.journal.requests().map(\.response.status) == [201, 400])
    #expect(try await sandbox.journal.requests(status: 201).count == 1)
    #expect(try await sandbox.journal.latest(provider: "prelude") == nil)
    let error = await #expect(throws: RingfenceError.self) {
      try await sandbox.journal.wait(contains: "+4912", within: 0)
    }
    #expect(error?.message.hasPrefix("no request with contains +4912 came within 0 s:") == true)
    try await sandbox.journal.clear()
    #expect(try await sandbox.journal.requests().isEmpty)
  }

  @Test("long lists come page by page", .sandbox)
  func pages() async throws {
    let sandbox = try Sandbox.current
    for _ in 0..<3 { try await sandbox.sendTelesign() }
    let page = try await sandbox.control.get("/control/messages", ["limit": "2"])
    #expect(page["hasMore"] == true)
    let rest = try await sandbox.control.get("/control/messages", ["after": "\(page["cursor"].int ?? 0)"])
    #expect(rest["messages"].array?.count == 1)
    #expect(try await sandbox.messages().count == 3)
  }

  @Test("verifications are found by number and provider", .sandbox)
  func verifications() async throws {
    let sandbox = try Sandbox.current
    try await sandbox.sendCode()
    try await sandbox.sendPrelude(other)
    #expect(try await sandbox.verifications(to: number).map(\.state) == [.pending])
    #expect(try await sandbox.verifications(provider: "prelude").map(\.to) == [other])
  }

  @Test("a report has the test and its requests, and a reset removes them", .sandbox)
  func report() async throws {
    let sandbox = try Sandbox.current
    try await sandbox.sendCode()
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(sandbox.name)/report.html")
    defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
    try await sandbox.report(file.path)
    let page = try String(contentsOf: file, encoding: .utf8)
    #expect(page.contains("a report has the test and its requests"))
    #expect(page.contains("/Verifications"))
    try await sandbox.reset()
    #expect(try await sandbox.messages().isEmpty)
  }
}
