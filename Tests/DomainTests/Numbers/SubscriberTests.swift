import Domain
import JSON
import Testing

@Suite("Domain · subscribers")
struct SubscriberTests {
  let world: World
  let number: PhoneNumber

  init() throws {
    world = try World()
    number = try #require(PhoneNumber("+12025550100"))
  }

  @Test("a number of which nothing was said is a happy mobile line")
  func happy() throws {
    #expect(
      written(try world.sandbox.subscribers[number])
        == #"{"number":"+12025550100","code":null,"lineType":"mobile","operator":"Sandpiper Mobile","#
        + #""country":"US","mcc":"001","mnc":"01","reach":{"sms":true}}"#)
  }

  @Test("every member changes what it names")
  func everyMember() throws {
    var subscriber = Subscriber(happyLineOf: number)

    try subscriber.merge(
      Fields(
        #"{"code":"4711","lineType":"landline","operator":"Fixed","country":"CA","mcc":"302","mnc":"720","reach":{"sms":false}}"#
      ))

    #expect(
      written(subscriber)
        == #"{"number":"+12025550100","code":"4711","lineType":"landline","operator":"Fixed","#
        + #""country":"CA","mcc":"302","mnc":"720","reach":{"sms":false}}"#)
  }

  @Test(
    "members that are not named stay",
    arguments: [
      "{}", #"{"lineType":null,"operator":null,"country":null,"mcc":null,"mnc":null,"reach":null}"#,
      #"{"reach":{}}"#,
    ])
  func rest(document: String) throws {
    var subscriber = Subscriber(happyLineOf: number)
    try subscriber.merge(Fields(#"{"code":"4711","lineType":"pager","operator":"X","reach":{"sms":false}}"#))
    let before = subscriber

    try subscriber.merge(Fields(document))

    #expect(subscriber == before)
  }

  @Test("a code of null lets codes follow from the entropy again")
  func noCode() throws {
    var subscriber = Subscriber(happyLineOf: number)
    subscriber.code = "4711"

    try subscriber.merge(Fields(#"{"code":null}"#))

    #expect(subscriber.code == nil)
  }

  @Test(
    "a bad member is named with what was expected and found",
    arguments: [
      (#"{"code":"123"}"#, #"$.code: expected 4 to 10 characters; found "123""#),
      (#"{"code":"12345678901"}"#, #"$.code: expected 4 to 10 characters; found "12345678901""#),
      (#"{"code":1234}"#, "$.code: expected a string; found 1234"),
      (#"{"mcc":1}"#, "$.mcc: expected a string; found 1"),
      (#"{"operator":[]}"#, "$.operator: expected a string; found an array"),
      (#"{"reach":true}"#, "$.reach: expected an object; found true"),
      (#"{"reach":{"sms":"yes"}}"#, #"$.reach.sms: expected true or false; found "yes""#),
      (
        #"{"lineType":"moble"}"#,
        "$.lineType: expected one of mobile, landline, fixed_voip, non_fixed_voip, toll_free, premium, shared_cost, "
          + #"personal, pager, voicemail, uan, unknown; found "moble""#
      ),
    ])
  func mistakes(document: String, sentence: String) {
    var subscriber = Subscriber(happyLineOf: number)

    let error = #expect(throws: FieldError.self) { try subscriber.merge(Fields(document)) }

    #expect(error?.description == sentence)
  }

  @Test("every kind of line is read and written by its word", arguments: Subscriber.LineType.allCases)
  func lineTypes(type: Subscriber.LineType) throws {
    var subscriber = Subscriber(happyLineOf: number)

    try subscriber.merge(Fields(#"{"lineType":"\#(type.rawValue)"}"#))

    #expect(subscriber.lineType == type)
  }

  @Test("a record is kept and found again whole")
  func keeping() throws {
    var subscriber = Subscriber(happyLineOf: number)
    try subscriber.merge(
      Fields(
        #"{"code":"4711","lineType":"pager","operator":"Fünf \"5\"","country":"CA","reach":{"sms":false}}"#))

    try world.sandbox.subscribers.keep(subscriber)

    #expect(try world.sandbox.subscribers.recorded(number) == subscriber)
  }

  @Test("a record gives way to a newer one")
  func replacing() throws {
    var subscriber = Subscriber(happyLineOf: number)
    try world.sandbox.subscribers.keep(subscriber)

    subscriber.code = "4711"
    try world.sandbox.subscribers.keep(subscriber)

    #expect(try world.sandbox.subscribers.all == [subscriber])
  }

  @Test("records are listed by number")
  func list() throws {
    for text in ["+447700900123", "+12025550101", "+12025550100"] {
      try world.sandbox.subscribers.keep(Subscriber(happyLineOf: #require(PhoneNumber(text))))
    }

    #expect(
      try world.sandbox.subscribers.all.map(\.number.description) == [
        "+12025550100", "+12025550101", "+447700900123",
      ])
  }

  @Test("a forgotten record is a happy line again")
  func forgetting() throws {
    var subscriber = Subscriber(happyLineOf: number)
    subscriber.lineType = .pager
    try world.sandbox.subscribers.keep(subscriber)

    let had = [try world.sandbox.subscribers.forget(number), try world.sandbox.subscribers.forget(number)]

    #expect(had == [true, false])
    #expect(try world.sandbox.subscribers[number] == Subscriber(happyLineOf: number))
  }

  private func written(_ subscriber: Subscriber) -> String {
    String(decoding: JSONWriter.object { subscriber.write(to: &$0) }, as: UTF8.self)
  }
}
