import Basics
import Domain
import Support
import Testing

@Suite("Twilio · apps that share a push token", .contract("twilio-verify.md Additions (2026-11-23), 70, 71"))
struct SharedTokenTests {
  let twilio: TwilioWorld
  var sandbox: Sandbox { twilio.sandbox }

  init() throws { twilio = try TwilioWorld() }

  /// The tokens that get pushes of a new challenge.
  private func pushes(of phone: TestPhone) throws -> [String] {
    let answer = try twilio.challenge(phone.factor, ["Details.Message": "Log in?"]).answer
    let sid = try TwilioWorld.text("sid", in: answer)
    return try sandbox.messages.submitted(.init()).filter { $0.reference == sid }.compactMap {
      try sandbox.pushes.find($0.ordinal)?.token
    }
  }

  private func change(_ phone: TestPhone, _ form: KeyValuePairs<String, String>) throws {
    let answer = try twilio.post("\(TwilioWorld.factors)/\(phone.factor)", form).answer
    try #require(answer.hasPrefix("200 "), "\(answer)")
  }

  private func delete(_ phone: TestPhone) throws {
    _ = try twilio.delete("\(TwilioWorld.factors)/\(phone.factor)")
  }

  @Test("a device goes with the last of its factors")
  func lastFactor() throws {
    let phones = try (1...3).map { try TestPhone.enrolled($0, twilio, token: "one") }
    #expect(try sandbox.devices.all.count == 1)

    try delete(phones[1])
    try delete(phones[0])
    #expect(try pushes(of: phones[2]) == ["one"])
    #expect(try sandbox.devices.all.map(\.draft.reference) == [phones[2].factor])

    try delete(phones[2])
    #expect(try sandbox.devices.all.isEmpty)
  }

  @Test("a factor that leaves a shared token gets a device of its own, else its device gets the new token")
  func moved() throws {
    let phones = try (1...2).map { try TestPhone.enrolled($0, twilio, token: "one") }

    try change(phones[0], ["Config.NotificationToken": "two"])
    #expect(try sandbox.devices.all.map(\.draft.pushToken) == ["one", "two"])
    #expect(try sandbox.devices.all.map(\.draft.reference) == [phones[1].factor, phones[0].factor])

    try change(phones[0], ["Config.NotificationToken": "three"])
    #expect(try sandbox.devices.all.map(\.draft.pushToken) == ["one", "three"])
    #expect(try sandbox.devices.owner(ofToken: "two") == .former(since: sandbox.clock.now))
  }

  @Test("two factors can swap their tokens")
  func swapped() throws {
    let phones = [
      try TestPhone.enrolled(1, twilio, token: "one"), try TestPhone.enrolled(2, twilio, token: "two"),
    ]

    try change(phones[0], ["Config.NotificationToken": "two"])
    try change(phones[1], ["Config.NotificationToken": "one"])

    #expect(try pushes(of: phones[0]) == ["two"])
    #expect(try pushes(of: phones[1]) == ["one"])
  }

  @Test("a handset keeps its number when its app names a new token")
  func handset() throws {
    var draft = Device.Draft(provider: "twilio", holder: "+12025550101", app: "com.example.app")
    draft.pushToken = "one"
    let handset = try sandbox.devices.register(draft)
    let phone = try TestPhone.enrolled(1, twilio, token: "one")

    try change(phone, ["Config.NotificationToken": "two"])

    #expect(try pushes(of: phone) == ["two"])
    #expect(try sandbox.devices.all.map(\.ordinal) == [handset.ordinal])
    try delete(phone)
    #expect(try sandbox.devices.all.map(\.ordinal) == [handset.ordinal])
  }

  @Test("an app that is installed anew with its old token gets the pushes of its factor")
  func reinstalled() throws {
    var draft = Device.Draft(provider: "twilio", holder: "+12025550101", app: "com.example.app")
    draft.pushToken = "one"
    let first = try sandbox.devices.register(draft)
    let phone = try TestPhone.enrolled(1, twilio, token: "one")
    try sandbox.devices.remove(first)
    #expect(try pushes(of: phone) == [])

    _ = try sandbox.devices.register(draft)

    #expect(try pushes(of: phone) == ["one"])
  }

  @Test("a device whose token was replaced by hand keeps it when only the factor's name changes")
  func renamed() throws {
    let phone = try TestPhone.enrolled(1, twilio, token: "one")
    _ = try sandbox.devices.rotate(#require(try sandbox.devices.latest), to: "two")

    try change(phone, ["FriendlyName": "Other"])

    #expect(try sandbox.devices.all.map(\.draft.pushToken) == ["two"])
    #expect(try pushes(of: phone).count == 1)
  }
}
