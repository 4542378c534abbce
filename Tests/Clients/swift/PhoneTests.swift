import RingfenceTesting
import Testing

@Suite("Client · phones", .sandbox)
struct PhoneTests {
  @Test("a person approves and denies")
  func approves() async throws {
    let sandbox = try Sandbox.current
    let phone = sandbox.phone(number)
    await #expect(throws: RingfenceError.self) { try await phone.approve() }
    try await phone.register("twilio", ["identity": "user-ana-0001"])
    try await sandbox.askForApproval("user-ana-0001")
    #expect(try await phone.approve().state == .approved)
    try await sandbox.askForApproval("user-ana-0001")
    #expect(try await phone.deny().state == .denied)
  }

  @Test("a silent URL is opened over mobile data")
  func opens() async throws {
    let sandbox = try Sandbox.current
    let url = try await sandbox.sendCode(channel: "sna").body["sna"]["url"].string ?? ""
    let opened = try await sandbox.phone(number).open(url)
    #expect(opened.ending == .text)
    #expect(opened.text?.hasPrefix("ErrorCode=0&") == true)
  }

  @Test("a SIM swap moves the messages to the previous holder")
  func swaps() async throws {
    let sandbox = try Sandbox.current
    let phone = sandbox.phone(number)
    try await sandbox.sendCode()
    #expect(try await phone.code().count == 6)
    try await phone.event("simSwap", ["at": "-2h"])
    try await phone.event("simSwap")
    #expect(try await phone.messages().isEmpty)
    let error = await #expect(throws: RingfenceError.self) { try await phone.event("simSwop") }
    #expect(error?.message.contains("simSwap") == true)
  }

  @Test("a reply arrives, and a landline gets no texts")
  func replies() async throws {
    let sandbox = try Sandbox.current
    let phone = sandbox.phone(number)
    try await sandbox.sendCode()
    #expect(try await phone.reply("STOP").text == "STOP")
    try await phone.set(["lineType": "landline"])
    try await sandbox.sendCode()
    #expect(try await phone.messages().count == 1)
  }
}
