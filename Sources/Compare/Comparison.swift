import Basics
import HTTP
import JSON

/// Compares a recorded answer with the sandbox's.
///
/// The bodies of a success and an error are not compared: they have nothing in common.
///
/// Ids are equal if they have the same form and always stand for each other; times, if they have the same
/// format and are less than `tolerance` apart.
struct Comparison {
  private(set) var differences: [Difference] = []
  private(set) var ids: IdMap
  /// True if the recording lacks the body that the sandbox's answer has.
  private(set) var lacksBody = false
  private let now: Timestamp

  static let tolerance = Duration.seconds(5)
  /// Of one answer.
  private static let limit = 500
  /// The headers that clients act on. All others belong to servers on the way.
  private static let headers: [StaticString] = [
    "Content-Type", "Location", "WWW-Authenticate", "Retry-After", "Allow", "Link",
  ]

  /// `now`: the sandbox's clock.
  init(_ recorded: RecordedAnswer, _ own: RecordedAnswer, ids: IdMap, now: Timestamp) {
    (self.ids, self.now) = (ids, now)
    if recorded.status != own.status {
      add("status", .status, String(recorded.status), String(own.status))
    }
    if recorded.headers.count > 0 { compareHeaders(recorded.headers, own.headers) }
    guard recorded.status / 100 == own.status / 100 else { return }
    if let recorded = recorded.body {
      compareBodies(recorded, own.body ?? [])
    } else {
      lacksBody = own.body?.isEmpty == false
    }
  }

  /// How far apart the answers are.
  var distance: Int {
    differences.reduce(0) { $0 + ($1.kind == .status ? Self.limit : 1) }
  }

  private mutating func add(_ place: String, _ kind: Difference.Kind, _ recorded: String?, _ own: String?) {
    guard differences.count < Self.limit else { return }
    differences.append(Difference(place: place, kind: kind, recorded: recorded, own: own))
  }

  // MARK: Headers

  private mutating func compareHeaders(_ recorded: Headers, _ own: Headers) {
    for name in Self.headers {
      let place = "header \(name)"
      switch (recorded[name], own[name]) {
      case (nil, nil): break
      case (let value?, nil): add(place, .missing, value, nil)
      case (nil, let value?): add(place, .extra, nil, value)
      case (let one?, let two?): compareTexts(place, Self.plain(one), Self.plain(two))
      }
    }
  }

  /// Spaces around parameters mean nothing.
  private static func plain(_ value: String) -> String {
    value.split(separator: ";").map { $0.trimmingSpaces }.joined(separator: "; ")
  }

  // MARK: Bodies

  private mutating func compareBodies(_ recorded: [UInt8], _ own: [UInt8]) {
    guard recorded != own else { return }
    switch (Self.json(recorded), Self.json(own)) {
    case (let one?, let two?): compare("$", one, two)
    case (nil, nil): compareTexts("$", Self.text(recorded), Self.text(own))
    case (let one?, nil): add("$", .type, one.kind, Self.kind(of: own))
    case (nil, let two?): add("$", .type, Self.kind(of: recorded), two.kind)
    }
  }

  private static func json(_ body: [UInt8]) -> JSON? { try? JSON(parsing: body, repeatedNames: .lastCounts) }
  private static func text(_ body: [UInt8]) -> String { String(decoding: body, as: UTF8.self) }
  private static func kind(of body: [UInt8]) -> String { body.isEmpty ? "no body" : "no JSON" }

  private mutating func compare(_ place: String, _ recorded: JSON, _ own: JSON) {
    switch (recorded, own) {
    case (.object(let one), .object(let two)): compareMembers(place, one, two)
    case (.array(let one), .array(let two)):
      if one.count != two.count { add(place, .count, "\(one.count)", "\(two.count)") }
      for (index, pair) in zip(one, two).enumerated() { compare("\(place)[\(index)]", pair.0, pair.1) }
    case (.string(let one), .string(let two)): compareTexts(place, one, two)
    case (.integer(let one), .integer(let two)): compareNumbers(place, one, two)
    case _ where recorded == own: break
    case _ where recorded.kind == own.kind: add(place, .number, recorded.text, own.text)
    default: add(place, .type, recorded.typeText, own.typeText)
    }
  }

  private mutating func compareMembers(_ place: String, _ recorded: [JSON.Member], _ own: [JSON.Member]) {
    let ownValues = Dictionary(own.map { ($0.name, $0.value) }) { $1 }
    for member in recorded {
      if let value = ownValues[member.name] {
        compare("\(place).\(member.name)", member.value, value)
      } else {
        add("\(place).\(member.name)", .missing, member.value.text, nil)
      }
    }
    let names = Set(recorded.map(\.name))
    for member in own where !names.contains(member.name) {
      add("\(place).\(member.name)", .extra, nil, member.value.text)
    }
  }

  private mutating func compareNumbers(_ place: String, _ recorded: Int64, _ own: Int64) {
    guard recorded != own else { return }
    if let one = ValueShape.time(recorded, around: now), let two = ValueShape.time(own, around: now) {
      guard Self.areApart(one, two) else { return }
      return add(place, .time, String(recorded), String(own))
    }
    add(place, .number, String(recorded), String(own))
  }

  private static func areApart(_ one: Timestamp, _ two: Timestamp) -> Bool {
    abs((one - two).milliseconds) > tolerance.milliseconds
  }

  // MARK: Texts

  private mutating func compareTexts(_ place: String, _ recorded: String, _ own: String) {
    guard recorded != own else { return }
    switch (ValueShape.time(recorded), ValueShape.time(own)) {
    case (let one?, let two?):
      if one.format != two.format {
        add(place, .timeFormat, recorded, own)
      } else if Self.areApart(one.time, two.time) {
        add(place, .time, recorded, own)
      }
      return
    case (nil, nil): break
    default: return add(place, .timeFormat, recorded, own)
    }
    if let kind = compareWords(Token.split(recorded), Token.split(own)) {
      let shapes = kind == .idShape ? (ValueShape.id(recorded), ValueShape.id(own)) : (nil, nil)
      add(place, kind, shapes.0 ?? recorded, shapes.1 ?? own)
    }
  }

  /// Nil if the texts are the same but for ids.
  private mutating func compareWords(_ recorded: [Token], _ own: [Token]) -> Difference.Kind? {
    guard recorded.count == own.count else { return isEachID(recorded, own) ? .idShape : .text }
    var learnt = ids
    for (one, two) in zip(recorded, own) where one != two {
      guard one.isWord, two.isWord, let shape = ValueShape.id(one.text),
        let ownShape = ValueShape.id(two.text)
      else { return .text }
      guard shape == ownShape else { return .idShape }
      guard learnt.match(one.text, two.text) == .same else { return .id }
    }
    ids = learnt
    return nil
  }

  /// True if each of the texts is one id.
  private func isEachID(_ recorded: [Token], _ own: [Token]) -> Bool {
    [recorded, own].allSatisfy { ValueShape.id($0.map(\.text).joined()) != nil }
  }
}

extension JSON {
  fileprivate var kind: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .integer, .double: "a number"
    case .string: "a text"
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// A text without quotes, everything else as in the document.
  fileprivate var text: String {
    if case .string(let text) = self { text } else { String(decoding: encoded(), as: UTF8.self) }
  }

  fileprivate var typeText: String {
    switch self {
    case .array, .object, .null: kind
    default: "\(kind): \(text)"
    }
  }
}

extension Substring {
  fileprivate var trimmingSpaces: Substring {
    var text = drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return text
  }
}
