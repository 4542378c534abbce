import Domain
import JSON
import ProviderKit

// What `Seeds/<story>/prelude.json` may say beside `account` and `settings`: what the live service keeps in its
// dashboard, or has from operations that answer later. Source: contract 6, 10 and 15.

/// Loads lists, test numbers, senders, templates, inbound messages and subscriptions.
func loadProducts(_ seed: Fields, into sandbox: Sandbox) throws {
  for list in NumberList.allCases {
    for number in try seed.numbers(list.seedName) { try list.add(number, in: sandbox) }
  }
  for fields in try seed.optionalObjects("testNumbers") ?? [] {
    let code = try TestNumber.code("attemptCode", in: fields)
    try TestNumber.keep(fields.phoneNumber("number"), code: code, in: sandbox)
  }
  for fields in try seed.optionalObjects("senderIds") ?? [] { try SenderID(seed: fields).keep(in: sandbox) }
  for fields in try seed.optionalObjects("templates") ?? [] { try Template(fields).keep(in: sandbox) }
  for fields in try seed.optionalObjects("inboundMessages") ?? [] {
    try InboundMessage(fields, at: sandbox.clock.now).keep(in: sandbox)
  }
  for fields in try seed.optionalObjects("subscriptions") ?? [] {
    try loadSubscription(fields, into: sandbox)
  }
}

/// The same for an export.
func exportProducts(from sandbox: Sandbox) throws -> [JSON.Member] {
  var members = try NumberList.allCases.map { list in
    let numbers = try list.entries(in: sandbox).map { JSON.string($0.number.description) }
    return JSON.Member(name: list.seedName, value: .array(numbers))
  }
  func add<T>(_ name: String, _ records: [T], _ write: (T, inout JSONWriter) -> Void) throws {
    let bytes = JSONWriter.array(records) { json, record in json.value { write(record, &$0) } }
    members.append(.init(name: name, value: try JSON(parsing: bytes)))
  }
  try add("testNumbers", TestNumber.all(in: sandbox)) {
    $1.member("number", $0.number.description)
    $1.member("attemptCode", $0.attemptCode)
  }
  try add("senderIds", SenderID.all(in: sandbox)) {
    $1.member("name", $0.name)
    $1.member("status", $0.status.rawValue)
  }
  try add("templates", Template.all(in: sandbox)) { $0.write(to: &$1) }
  try add("inboundMessages", InboundMessage.all(in: sandbox)) { $0.write(to: &$1) }
  let subscriptions = try Subscription.list(in: sandbox).map { entry in
    (entry.record, try Membership.history(of: entry.record.id, in: sandbox))
  }
  try add("subscriptions", subscriptions) { subscription, json in
    subscription.0.write(to: &json)
    json.array("members", subscription.1) { json, event in json.value { event.write(to: &$0) } }
  }
  return members
}

/// A subscription is what its last seed says; a seed that names members names all of them, and of one number
/// the last is its state, and all are its events.
private func loadSubscription(_ fields: Fields, into sandbox: Sandbox) throws {
  let subscription = try Subscription(fields, at: sandbox.clock.now)
  try subscription.keep(in: sandbox)
  guard let members = try fields.optionalObjects("members") else { return }
  try Membership.forgetAll(of: subscription.id, in: sandbox)
  for member in members {
    try Membership(member, of: subscription.id, at: sandbox.clock.now).keep(in: sandbox)
  }
}

extension NumberList {
  /// Its name in seeds.
  fileprivate var seedName: String { "\(rawValue)List" }
}

extension SenderID {
  fileprivate init(seed fields: Fields) throws(FieldError) {
    let name = try fields.string("name")
    guard Self.isWellFormed(name) else {
      throw fields.mismatch("name", expected: "1 to 11 letters, digits and separators, or a number")
    }
    self.init(name, try fields.optionalWord("status", of: Status.self) ?? .approved)
  }
}

extension Fields {
  /// Numbers in E.164; none where there is no such member.
  fileprivate func numbers(_ name: String) throws(FieldError) -> [PhoneNumber] {
    var numbers: [PhoneNumber] = []
    for text in try optionalStrings(name) ?? [] {
      guard let number = PhoneNumber(text) else {
        throw mismatch(name, expected: "numbers in E.164, not \(text)")
      }
      numbers.append(number)
    }
    return numbers
  }
}
