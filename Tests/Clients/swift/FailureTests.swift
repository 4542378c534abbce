import RingfenceTesting
import Testing

@Suite("Client · failures", .sandbox)
struct FailureTests {
  @Test("a failure of the API, until it is repaired")
  func repairs() async throws {
    let sandbox = try Sandbox.current
    try await sandbox.fail("api-503")
    #expect(try await sandbox.sendCode().status == 503)
    try await sandbox.repair()
    #expect(try await sandbox.sendCode().status == 201)
  }

  @Test("a failure of one number, provider and time")
  func narrows() async throws {
    let sandbox = try Sandbox.current
    try await sandbox.fail("api-500", to: number, provider: "twilio", times: 1)
    #expect(try await sandbox.sendPrelude().status == 200)
    #expect(try await sandbox.sendCode(other).status == 201)
    #expect(try await sandbox.sendCode().status == 500)
    #expect(try await sandbox.sendCode().status == 201)
  }

  @Test("failures add up, and one that is over does not come back")
  func addsUp() async throws {
    let sandbox = try Sandbox.current
    try await sandbox.fail("api-once")
    #expect(try await sandbox.sendCode().status == 503)
    try await sandbox.fail("api-500", provider: "prelude")
    try await sandbox.fail("text-lost", to: number)
    #expect(try await sandbox.sendCode().status == 201)
    #expect(try await sandbox.sendPrelude(other).status == 500)
    #expect(try await sandbox.messages(number).isEmpty)
  }

  @Test("failures that begin at once do not lose each other")
  func begin() async throws {
    let sandbox = try Sandbox.current
    try await withThrowingTaskGroup { group in
      for to in [number, other] { group.addTask { try await sandbox.fail("text-lost", to: to) } }
      try await group.waitForAll()
    }
    #expect(try await sandbox.control.get("/control/scenarios")["scenarios"].array?.count == 2)
  }

  @Test("a failure of a phone needs its number, and is undone")
  func ofPhone() async throws {
    let sandbox = try Sandbox.current
    #expect(
      await refusal("text-landline")
        == "$.number: missing; expected the phone number of the line")
    try await sandbox.fail("text-landline", to: number)
    try await sandbox.sendCode()
    #expect(try await sandbox.messages(number).isEmpty)
    try await sandbox.repair()
    try await sandbox.sendCode()
    #expect(try await sandbox.code(number).count == 6)
  }

  @Test("a stolen key is refused by the provider, which is no error of the test")
  func stolenKey() async throws {
    let sandbox = try Sandbox.current
    try await sandbox.phone(number).register("twilio", ["identity": "user-ana-0001"])
    try await sandbox.askForApproval("user-ana-0001")
    try await sandbox.fail("push-wrong-key", to: number)
    #expect(try await sandbox.journal.latest(provider: "twilio")?.response.status == 401)
  }

  @Test("a misspelt failure is refused with the nearest")
  func misspelt() async throws {
    #expect(await refusal("text-lots") == "there is no failure text-lots; did you mean text-lost?")
    #expect(await refusal("tetx-lost") == "there is no failure tetx-lost; did you mean text-lost?")
    #expect(await refusal("nothing-like-it").hasSuffix("; GET /control/failures lists all"))
  }

  @Test("options without effect are refused, and a failure without a request says what to do")
  func withoutEffect() async throws {
    #expect(
      await refusal("code-expired", times: 2).contains(
        "times: expected none, because code-expired is no rule"))
    #expect(await refusal("text-lost", provider: "twillio").contains("twilio"))
    #expect(await refusal("code-wrong") == "code-wrong is a step of a person or an app: Enter another code.")
  }

  private func refusal(_ id: String, provider: String? = nil, times: Int? = nil) async -> String {
    let error = await #expect(throws: RingfenceError.self) {
      try await Sandbox.current.fail(id, provider: provider, times: times)
    }
    return error?.message ?? ""
  }
}
