import ArgumentParser
import HTTP
import JSON

/// A kind of failure as the server describes it.
struct ProducibleFailure {
  let id: String
  let effect: String
  private let name: String
  private let cause: Request?
  private let repair: Request?
  private let manual: String?
  private let number: String?

  /// A request of the control API.
  fileprivate struct Request {
    let method: String
    let path: String
    let body: JSON

    init?(_ fields: Fields?) throws {
      guard let fields else { return nil }
      method = try fields.string("method")
      path = try fields.string("path")
      body = try fields.json("body")
    }

    /// The name of the list and the rule, if it adds a rule.
    var rule: (list: String, json: JSON)? {
      guard method == "PUT", !needsNumber, case .object(let members) = body, members.count == 1,
        case .array(let rules) = members[0].value, let rule = rules.first
      else { return nil }
      return (members[0].name, rule)
    }

    var needsNumber: Bool { path.contains("{number}") }

    func send(to number: String?, at client: ControlClient) throws -> JSON {
      guard let number else {
        guard !needsNumber else { throw ValidationError("--to: missing; expected the phone number") }
        return try client.send(method, path, body)
      }
      return try client.send(method, path.replacing("{number}", with: PercentCoding.encode(number)), body)
    }
  }

  init(_ id: String, at client: ControlClient) throws {
    let all = try client.get("/control/failures").objects("groups").flatMap { group -> [JSON] in
      if case .array(let failures) = try group.json("failures") { failures } else { [] }
    }
    let ids = all.compactMap { if case .string(let id)? = $0["id"] { id } else { nil } }
    guard let index = ids.firstIndex(of: id) else {
      let hint = ids.nearest(to: id).map { "did you mean \($0)?" } ?? "ringfence failures lists all"
      throw CommandFailure("unknown failure \(id); \(hint)")
    }
    let fields = try Fields(all[index])
    self.id = id
    name = try fields.string("name")
    effect = try fields.string("effect")
    cause = try Request(fields.optionalObject("request"))
    repair = try Request(fields.optionalObject("repair"))
    manual = try fields.optionalString("manual")
    number = try fields.optionalString("number")
  }

  var isUndoable: Bool { repair != nil || cause?.rule != nil }

  /// `limits` are members that narrow a rule down: `number`, `provider`.
  func produce(_ limits: [JSON.Member], times: Int?, at client: ControlClient) throws -> JSON {
    guard let cause else {
      throw CommandFailure("\(id) needs a person or an app. \(manual ?? "")")
    }
    if let rule = cause.rule {
      let content =
        rule.list == "scenarios"
        ? rule.json.adding([.init(name: "match", value: (rule.json["match"] ?? .object([])).adding(limits))])
        : rule.json.adding(limits)
      return try RuleList(client, path: cause.path, name: rule.list)
        .add(content.adding(JSON.Member.given([:], ["times": times])))
    }
    guard times == nil, !limits.contains(where: { $0.name == "provider" }) else {
      throw ValidationError("--provider and --times have no effect on \(id), which changes the phone")
    }
    if !cause.needsNumber, !limits.isEmpty {
      throw ValidationError("--to has no effect on \(id), which changes the whole sandbox")
    }
    return try cause.send(to: limits.number, at: client)
  }

  func undo(to number: String?, at client: ControlClient) throws -> JSON {
    guard let rule = cause?.rule else {
      guard let repair else {
        throw CommandFailure("nothing undoes \(id) but: ringfence sandbox reset")
      }
      return try repair.send(to: number, at: client)
    }
    let list = RuleList(client, path: cause?.path ?? "", name: rule.list)
    let present = try list.rules()
    let kept = present.filter { candidate in
      let own = candidate["number"] ?? candidate["match"]?["number"]
      return !candidate.contains(rule.json) || (number != nil && own != number.map(JSON.string))
    }
    guard kept.count < present.count else {
      throw CommandFailure("\(id) is not active\(number.map { " for \($0)" } ?? "")")
    }
    return try list.replace(with: kept)
  }

  var lines: [String] {
    var facts = [("id", id), ("name", name), ("effect", effect)]
    if let cause { facts.append(("request", cause.text)) }
    if let repair { facts.append(("undone by", repair.text)) }
    if let manual { facts.append(("steps", manual)) }
    if let number { facts.append(("number", "\(number) behaves so without any request")) }
    let margin = 11
    return facts.flatMap { name, text in
      text.wrapped(to: Terminal.width - margin).enumerated().map { index, line in
        (index == 0 ? name : "").padded(to: margin) + line
      }
    }
  }
}

extension ProducibleFailure.Request {
  fileprivate var text: String { "\(method) \(path) \(String(decoding: body.encoded(), as: UTF8.self))" }
}

extension [JSON.Member] {
  fileprivate var number: String? {
    guard case .string(let text)? = first(where: { $0.name == "number" })?.value else { return nil }
    return text
  }
}

extension JSON {
  /// True if all members of `part` are in it, too, with equal values.
  fileprivate func contains(_ part: JSON) -> Bool {
    guard case .object(let members) = part else { return self == part }
    return members.allSatisfy { member in self[member.name]?.contains(member.value) ?? false }
  }
}
