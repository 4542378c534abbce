import Basics
import Domain
import JSON
import Numbers
import Support
import Testing

@Suite("Domain · delivery by a subscriber's record")
struct CarrierTests {
  let world: World
  let number: PhoneNumber

  init() throws {
    world = try World()
    number = try #require(PhoneNumber("+447700900123"))
  }

  @Test(
    "without a scenario the record decides",
    arguments: [
      ("{}", Channel.sms, "ENROUTE@50/0 DELIVRD@200/0"),
      (#"{"lineType":"landline"}"#, .sms, "REJECTD@0/11"), (#"{"lineType":"uan"}"#, .sms, "REJECTD@0/11"),
      (#"{"lineType":"non_fixed_voip"}"#, .sms, "ENROUTE@50/0 DELIVRD@200/0"),
      (#"{"lineType":"landline"}"#, .call, "ENROUTE@0/0 DELIVRD@300/0"),
      (#"{"lineType":"landline"}"#, .whatsapp, "REJECTD@300/21"),
      (#"{"reach":{"sms":false}}"#, .sms, "ENROUTE@50/0 EXPIRED@300000/60"),
      (#"{"reach":{"sms":false}}"#, .call, "ENROUTE@0/0 DELIVRD@300/0"),
      (#"{"reach":{"sms":false,"data":false}}"#, .call, "ENROUTE@0/0 UNDELIV@300/0"),
      (#"{"reach":{"data":false}}"#, .whatsapp, "ENROUTE@50/0 EXPIRED@300000/60"),
      (#"{"whatsapp":false}"#, .whatsapp, "REJECTD@300/21"), (#"{"rcs":false}"#, .rcs, "REJECTD@300/21"),
      (#"{"rcs":false}"#, .whatsapp, "ENROUTE@50/0 DELIVRD@200/0"),
      (#"{"barring":["smsIn"]}"#, .sms, "REJECTD@0/13"),
      (#"{"barring":["smsOut"]}"#, .sms, "ENROUTE@50/0 DELIVRD@200/0"),
      (#"{"barring":["voiceIn"]}"#, .call, "REJECTD@0/13"),
      (#"{"suspended":true}"#, .sms, "REJECTD@0/13"), (#"{"suspended":true}"#, .call, "REJECTD@0/13"),
      (#"{"optOut":["Acme"]}"#, .sms, "REJECTD@0/13"), (#"{"optOut":["*"]}"#, .whatsapp, "REJECTD@0/13"),
      (#"{"optOut":["acme"]}"#, .sms, "ENROUTE@50/0 DELIVRD@200/0"),
      (#"{"optOut":["*"]}"#, .call, "ENROUTE@0/0 DELIVRD@300/0"),
      (#"{"deactivatedAt":"-5d"}"#, .sms, "UNDELIV@500/1"),
      (#"{"deactivatedAt":"-5d"}"#, .call, "UNDELIV@500/1"),
      (#"{"deactivatedAt":"2026-01-06"}"#, .sms, "ENROUTE@50/0 DELIVRD@200/0"),
      (#"{"deactivatedAt":"-5d"}"#, .email, "ENROUTE@50/0 DELIVRD@200/0"),
    ])
  func record(document: String, channel: Channel, receipts: String) throws {
    try change(document)

    let message = try submit(over: channel)

    #expect(word(message) == receipts)
    #expect((message.arrivesAt == nil) == !receipts.contains("DELIVRD"))
  }

  @Test("the request's outcome wins over the sandbox's scenarios, and those over the number's")
  func precedence() throws {
    #expect(try word(submit()) == "ENROUTE@50/0 DELIVRD@200/0")
    try change(#"{"scenarios":[{"outcome":"memoryFull"}]}"#)
    #expect(try word(submit()) == "UNDELIV@500/40")
    try world.sandbox.scenarios.replace(with: [Scenario(Fields(#"{"outcome":"reject"}"#))])
    #expect(try word(submit()) == "REJECTD@0/13")

    var draft = draft()
    draft.scenario = Scenario(requested: "undeliverable")
    #expect(try word(submit(draft)) == "UNDELIV@500/1")
    draft.scenario = Scenario(requested: "busy")
    #expect(try word(submit(draft)) == "REJECTD@0/13")
    #expect(Scenario(requested: "explode") == nil)
  }

  @Test("the scenario of an ending applies to the matches that it names")
  func ending() throws {
    let throttled = try #require(PhoneNumber("+12025550133"))
    let busy = try #require(PhoneNumber("+12025550135"))

    let texts = try (1...3).map { _ in
      word(try world.sandbox.messages.submit(draft(to: throttled), to: world.sandbox.subscribers[throttled]))
    }
    let calls = try (1...2).map { _ in
      let message = try world.sandbox.messages.submit(
        draft(to: busy, over: .call), to: world.sandbox.subscribers[busy])
      return try world.sandbox.calls.find(message.ordinal)?.result
    }

    #expect(texts == ["REFUSED@0/88", "ENROUTE@50/0 DELIVRD@200/0", "ENROUTE@50/0 DELIVRD@200/0"])
    #expect(calls == [.busy, .answered])
  }

  @Test("a duplicate is in the inbox twice, and only one of the two has receipts")
  func duplicate() throws {
    try world.sandbox.scenarios.replace(with: [Scenario(Fields(#"{"outcome":"duplicate"}"#))])

    try submit()
    let inbox = try world.sandbox.messages.inbox(.init())

    #expect(inbox.map(\.text) == ["Your code is 1234", "Your code is 1234"])
    #expect(inbox.map(word) == ["ENROUTE@50/0 DELIVRD@200/0", ""])
  }

  @Test("a held message arrives and is acknowledged when the handset can be reached")
  func release() throws {
    try change(#"{"reach":{"sms":false,"data":false}}"#)
    let text = try submit()
    try submit(over: .whatsapp)
    try world.sandbox.advance(by: .seconds(100))
    #expect(try world.sandbox.texts(number.description) == [])

    try world.sandbox.messages.release(to: number, over: [.sms])

    #expect(try world.sandbox.texts(number.description) == ["Your code is 1234"])
    #expect(try word(world.sandbox.messages.find(text.ordinal)) == "ENROUTE@50/0 DELIVRD@100000/0")
    try world.sandbox.advance(by: .seconds(300))
    #expect(try world.sandbox.messages.find(text.ordinal)?.state(at: world.sandbox.clock.now) == .delivered)
    #expect(try world.sandbox.story.last == "10:22:10.000 message.arrived +447700900123")
  }

  @Test("an expired, failed or lost message is not held")
  func tooLate() throws {
    try change(#"{"reach":{"sms":false}}"#)
    try submit()
    try world.sandbox.advance(by: .seconds(301))
    try world.sandbox.scenarios.replace(
      with: ["undeliverable", "lostButDelivrd"].map {
        try Scenario(Fields(#"{"outcome":"\#($0)","times":1}"#))
      })
    try submit()
    try submit()

    try world.sandbox.messages.release(to: number, over: Set(Channel.allCases))

    #expect(try world.sandbox.texts(number.description) == [])
  }

  @Test("a cleared handset stays empty, and the log keeps its messages")
  func clearing() throws {
    try submit()
    let before = try world.sandbox.events.after(0)

    try world.sandbox.messages.clear(destination: number.description)

    #expect(try world.sandbox.texts(number.description) == [])
    #expect(try world.sandbox.events.after(0) == before)
    #expect(try world.sandbox.messages.submitted(.init()).count == 1)
  }

  @Test("clearing a handset drops its held messages")
  func clearingHeld() throws {
    try change(#"{"reach":{"sms":false}}"#)
    try submit()

    try world.sandbox.messages.clear(destination: nil)
    try world.sandbox.messages.release(to: number, over: [.sms])

    #expect(try world.sandbox.texts(number.description) == [])
  }

  @Test("messages that never arrive are listed as submitted", arguments: [nil, "+447700900123"])
  func submitted(destination: String?) throws {
    try submit()
    try world.sandbox.scenarios.replace(with: [Scenario(Fields(#"{"outcome":"undeliverable"}"#))])
    try submit(over: .whatsapp)
    try submit()
    var filter = Messages.Filter()
    filter.destination = destination

    #expect(try world.sandbox.messages.submitted(filter).map(\.channel) == [.sms, .whatsapp, .sms])
    filter.channel = .sms
    #expect(try world.sandbox.messages.submitted(filter).count == 2)
    filter.provider = "other"
    #expect(try world.sandbox.messages.submitted(filter) == [])
  }

  private func change(_ document: String) throws {
    var subscriber = try world.sandbox.subscribers[number]
    try subscriber.merge(Fields(document))
    try world.sandbox.subscribers.keep(subscriber)
  }

  private func draft(to number: PhoneNumber? = nil, over channel: Channel = .sms) -> MessageDraft {
    .text("1234", to: (number ?? self.number).description, over: channel)
  }

  @discardableResult
  private func submit(over channel: Channel = .sms) throws -> Message { try submit(draft(over: channel)) }

  private func submit(_ draft: MessageDraft) throws -> Message {
    try world.sandbox.messages.submit(draft, to: world.sandbox.subscribers[number])
  }

  private func word(_ message: Message?) -> String {
    (message?.receipts.all ?? []).map { "\($0.state.rawValue)@\($0.after.milliseconds)/\($0.error)" }
      .joined(separator: " ")
  }
}
