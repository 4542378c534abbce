import ArgumentParser
import Domain
import JSON

/// The rules of one kind in a sandbox: those of `ringfence faults` and of `ringfence scenarios`.
struct RuleList {
  let client: ControlClient
  let path: String
  /// The member of the control API with the list.
  let name: String

  init<Content: Rule>(_ kind: Content.Type, at server: ServerOption) throws {
    self.init(try server.client, path: Content.controlPath, name: Content.listName)
  }

  init(_ client: ControlClient, path: String, name: String) {
    self.client = client
    self.path = path
    self.name = name
  }

  func document() throws -> JSON { try client.getJSON(path) }

  func rules() throws -> [JSON] { try Self.rules(name, in: document()) }

  /// Adds a rule before the others, because the first rule that matches wins.
  func add(_ rule: JSON) throws -> JSON { try replace(with: [rule] + rules()) }

  func replace(with rules: [JSON]) throws -> JSON {
    try client.put(path, JSON.object([.init(name: name, value: .array(rules))]).encoded())
  }

  /// Removes the rules at these positions, counted from 1.
  func remove(_ positions: [Int]) throws -> JSON {
    let present = try rules()
    for position in positions where !present.indices.contains(position - 1) {
      let expected = present.isEmpty ? "there are none" : "expected 1 to \(present.count)"
      throw CommandFailure("no rule \(position): \(expected)")
    }
    return try replace(
      with: present.enumerated().filter { !positions.contains($0.offset + 1) }.map(\.element))
  }

  static func rules(_ name: String, in document: JSON) throws -> [JSON] {
    guard case .array(let rules)? = document[name] else { return [] }
    return rules
  }

  func show(_ document: JSON, by server: ServerOption) throws {
    try server.show(document) { _ in try lines(of: document) }
  }

  private func lines(of document: JSON) throws -> [String] {
    let rules = try Self.rules(name, in: document)
    guard !rules.isEmpty else { return ["There are none."] }
    var table = Table(["NO", "HITS", "APPLIED", "RULE"])
    for (index, rule) in rules.enumerated() {
      let fields = try Fields(rule)
      table.add(
        [index + 1, try fields.int("hits"), try fields.int("applied")].map(String.init)
          + [Self.words(of: rule).joined(separator: " ")])
    }
    return table.lines()
  }

  /// `number=+12025550100 outcome=slow`
  private static func words(of rule: JSON) -> [String] {
    guard case .object(let members) = rule else { return [] }
    return members.flatMap { member -> [String] in
      switch member.value {
      case .null: []
      case _ where ["hits", "applied", "origin"].contains(member.name): []
      case .object where member.name == "match": words(of: member.value)
      case .string(let text): ["\(member.name)=\(text)"]
      case let value: ["\(member.name)=\(String(decoding: value.encoded(), as: UTF8.self))"]
      }
    }
  }
}

extension JSON {
  /// The rule in an argument.
  static func rule(_ text: String) throws -> JSON {
    do {
      let json = try JSON(parsing: Array(text.utf8))
      if case .object = json { return json }
    } catch {
      throw ValidationError("RULE: expected a JSON object: \(error); found \(text)")
    }
    throw ValidationError("RULE: expected a JSON object; found \(text)")
  }

  /// The members, and `more` after them. More of a name replaces an earlier one.
  func adding(_ more: [Member]) -> JSON {
    guard case .object(let members) = self else { return self }
    return .object(members.filter { old in !more.contains { $0.name == old.name } } + more)
  }
}

/// What `remove` takes.
struct RulePositions: ParsableArguments {
  @Argument(help: "Numbers of rules in the list.") var numbers: [Int] = []
  @Flag(help: "Remove all.") var all = false

  func validate() throws {
    guard numbers.isEmpty == all else {
      throw ValidationError("expected the numbers of rules, or --all")
    }
  }

  func remove(from list: RuleList) throws -> JSON {
    all ? try list.replace(with: []) : try list.remove(numbers)
  }
}
