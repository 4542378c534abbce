import Basics
import Domain
import JSON
import Numbers
import Support
import Testing

@Suite("Domain · subscriber events")
struct SubscriberChangeTests {
  let world: World
  let number: PhoneNumber

  init() throws {
    world = try World()
    number = try #require(PhoneNumber("+12025550100"))
  }

  @Test("a SIM swap sets a new card and ends the data session")
  func simSwap() throws {
    try world.sandbox.advance(by: .seconds(60))

    let changed = try apply(#"{"event":"simSwap"}"#)
    let again = try apply(#"{"event":"simSwap","at":"-1h"}"#)

    let minuteLater = TestSandbox.start + .seconds(60)
    #expect(changed.simSwaps == [minuteLater])
    #expect(!changed.session.isOn)
    #expect(Set([changed.imsi, again.imsi, "001012025550100"]).count == 3)
    #expect(changed.imsi.hasPrefix("00101") && changed.imsi.count == 15)
    #expect(changed.iccid.hasPrefix("8900101") && changed.iccid != again.iccid)
    #expect(again.simSwaps == [minuteLater, minuteLater - .seconds(3600)])
    #expect(try world.sandbox.subscribers[number] == again)
    #expect(
      try world.sandbox.story == [
        "10:21:30.000 subscriber.simSwapped +12025550100", "10:21:30.000 subscriber.simSwapped +12025550100",
      ])
  }

  @Test("a SIM swap can name its card")
  func card() throws {
    let changed = try apply(#"{"event":"simSwap","imsi":"001019999999999","iccid":"8900101999999999999"}"#)

    #expect([changed.imsi, changed.iccid] == ["001019999999999", "8900101999999999999"])
  }

  @Test("46 C6: nothing reaches a number without a connected card, until it gets one")
  func cardless() throws {
    func load(_ card: String) throws -> Subscriber {
      var subscriber = try world.sandbox.subscribers[number]
      try subscriber.merge(Fields(#"{"simCard":"\#(card)"}"#))
      try world.sandbox.subscribers.keep(subscriber)
      return try world.sandbox.subscribers[number]
    }
    let cardless = try load("none")
    #expect(!cardless.reach.sms && !cardless.reach.data && !cardless.session.isOn)
    #expect(throws: FieldError.self) { try world.sandbox.simTokens.issue(for: number) }
    let back = try load("connected")
    #expect(back.reach == Reach() && back.session.isOn)
    for event in ["simSwap", "port", "recycle", "attach"] {
      #expect(try load("neverConnected").reach != Reach())
      let changed = try apply(#"{"event":"\#(event)"}"#)
      #expect(changed.simCard == .connected && changed.reach == Reach(), "\(event)")
    }
  }

  @Test("a device swap changes the handset and keeps the card")
  func deviceSwap() throws {
    let before = try world.sandbox.subscribers[number]

    let changed = try apply(#"{"event":"deviceSwap","at":"-1h"}"#)
    let told = try apply(#"{"event":"deviceSwap","imei":"490154203237518","handset":{"model":"Plover 3"}}"#)
    let again = try apply(#"{"event":"deviceSwap"}"#)

    #expect(Set([before.imei, changed.imei, told.imei, again.imei]).count == 4)
    #expect(changed.imei.hasPrefix("00101301") && changed.imei.count == 15)
    #expect(told.imei == "490154203237518" && told.handset.model == "Plover 3" && again.handset == Handset())
    #expect(changed.deviceSwaps == [TestSandbox.start - .seconds(3600)])
    #expect(again.imsi == before.imsi && again.iccid == before.iccid && again.session.isOn)
    #expect(try world.sandbox.story.last == "10:20:30.000 subscriber.deviceSwapped +12025550100")
  }

  @Test("a ported number has a new network and keeps its original one")
  func port() throws {
    let changed = try apply(#"{"event":"port"}"#)
    let told = try apply(
      #"{"event":"port","operator":"Plover","mcc":"310","mnc":"410","coversSilent":false}"#)

    #expect(changed.ported && changed.portedAt == TestSandbox.start)
    #expect([changed.operatorName, changed.mnc, changed.originalMNC] == ["Wren Mobile", "99", "01"])
    #expect([told.operatorName, told.mcc, told.mnc] == ["Plover", "310", "410"])
    #expect([told.originalMCC, told.originalMNC] == ["001", "01"])
    #expect(told.imsi.hasPrefix("310410") && !told.coversSilent)
  }

  @Test("a recycled number has a new holder and none of the old data")
  func recycle() throws {
    var subscriber = try world.sandbox.subscribers[number]
    try subscriber.merge(
      Fields(
        #"{"code":"4711","email":"a@b.test","kyc":{"givenName":"Ada"},"optOut":["Acme"],"risk":{"score":9},"#
          + #""deactivatedAt":"-90d","consent":{"*":"denied"}}"#))
    try world.sandbox.subscribers.keep(subscriber)

    let changed = try apply(#"{"event":"recycle","endedAt":"-90d","kyc":{"givenName":"Bea"}}"#)

    #expect(
      changed.subscriberPeriods == [
        SubscriberPeriod(
          from: subscriber.activatedAt, to: TestSandbox.start - .seconds(90 * 86_400)),
        SubscriberPeriod(from: TestSandbox.start),
      ])
    #expect(changed.activatedAt == TestSandbox.start)
    #expect(changed.code == nil && changed.email == nil && changed.risk == nil && changed.optOut.isEmpty)
    #expect(changed.deactivatedAt == nil && changed.consent["any"] == .granted)
    #expect(changed.kyc[.givenName] == "Bea")
    #expect(try world.sandbox.subscribers[number] == changed)
  }

  @Test("a number out of service gets no messages")
  func deactivate() throws {
    let changed = try apply(#"{"event":"deactivate"}"#)

    #expect(changed.isDeactivated(at: TestSandbox.start) && !changed.session.isOn)
    #expect(try world.sandbox.scenarios.silentOutcome(for: number, provider: "acme") == .noCoverage)
  }

  @Test("a handset can roam and return")
  func roam() throws {
    let abroad = try apply(#"{"event":"roam","roaming":{"mcc":"208","countries":["FR"]}}"#)
    let home = try apply(#"{"event":"roam","roaming":{"on":false}}"#)

    #expect(abroad.roaming.isOn && abroad.roaming.mcc == "208" && abroad.roaming.countries == ["FR"])
    #expect(home.roaming == Roaming())
  }

  @Test("a detached handset gets held messages when it attaches")
  func attach() throws {
    let off = try apply(#"{"event":"detach"}"#)
    _ = try world.sandbox.messages.submit(.text("1234"), to: world.sandbox.subscribers[number])
    try world.sandbox.advance(by: .seconds(100))
    #expect(try world.sandbox.texts() == [])

    let on = try apply(#"{"event":"attach","session":{"ip":"127.10.7.7","port":4711}}"#)

    #expect(!off.reach.sms && !off.reach.data && !off.session.isOn)
    #expect(on.reach == Reach() && on.session.isOn)
    #expect(on.session.address == "127.10.7.7" && on.session.port == 4711)
    #expect(try world.sandbox.texts() == ["Your code is 1234"])
  }

  @Test("a member of another event stays unread")
  func unread() throws {
    let fields = try Fields(#"{"event":"detach","imsi":"001019999999999"}"#)

    _ = try SubscriberChange(fields)

    #expect(fields.unread == ["imsi"])
  }

  private func apply(_ document: String) throws -> Subscriber {
    let change = try SubscriberChange(Fields(document))
    return try world.sandbox.subscribers.apply(change, to: number)
  }
}
