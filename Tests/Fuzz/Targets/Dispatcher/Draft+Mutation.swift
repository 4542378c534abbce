import HTTP
import JSON

extension Draft {
  /// Names for new fields, and values for old ones.
  struct MutationContext {
    let bodyNames: [String]
    let queryNames: [String]
    let earlier: EarlierValues
  }

  mutating func apply(_ mutation: Mutation, _ context: MutationContext) {
    let extreme = extremes[mutation.value % extremes.count]
    switch mutation.operation {
    case .replaceByExtreme: change(mutation.place) { _ in [extreme] }
    case .replaceByEarlier:
      guard let text = context.earlier.newest(mutation.value) else { return }
      change(mutation.place) { _ in [.string(text)] }
    case .replaceNumbers: replaceNumbers(by: extremeNumbers[mutation.value % extremeNumbers.count])
    case .bumpLastCharacter: change(mutation.place) { [$0.bumped] }
    case .delete: change(mutation.place) { _ in [] }
    case .duplicate: change(mutation.place) { [$0, $0] }
    case .multiply: change(mutation.place) { Array(repeating: $0, count: 50) }
    case .appendToQuery:
      query.append(Pair(name: mutation.name(in: context.queryNames), value: extreme.formText))
    case .emptyArrays: if case .json(let json) = body { body = .json(json.emptyingArrays) }
    case .appendPage:
      let page = extremeNumbers[mutation.value % extremeNumbers.count]
      query += [Pair(name: "PageSize", value: "1"), Pair(name: "Page", value: page.formText)]
    case .insert: insert(extreme, named: mutation.name(in: context.bodyNames), at: mutation.place)
    }
  }

  /// Replaces all numbers of the query and the body.
  private mutating func replaceNumbers(by number: JSON) {
    query.replaceNumbers(by: number)
    switch body {
    case .json(let json): body = .json(json.replacingNumbers(by: number))
    case .form(var pairs):
      pairs.replaceNumbers(by: number)
      body = .form(pairs)
    case .text: break
    }
  }

  /// Replaces the value at this position by the values that `change` returns for it.
  private mutating func change(_ place: Int, _ change: (JSON) -> [JSON]) {
    let captures = segments.indices.filter { segments[$0].isCapture }
    let counts = [query.count, bodyCount, captures.count, headers.count]
    var place = place % max(1, counts.reduce(0, +))
    for (list, count) in counts.enumerated() {
      guard place >= count else {
        switch list {
        case 0: query.change(place, change)
        case 1: changeBody(place, change)
        case 2:
          segments.replaceSubrange(place...place, with: change(.string(segments[place])).map(\.formText))
        default: headers.change(place, change)
        }
        return
      }
      place -= count
    }
  }

  private var bodyCount: Int {
    switch body {
    case .json(let json): json.nodeCount
    case .form(let pairs): pairs.count
    case .text: 0
    }
  }

  private mutating func changeBody(_ place: Int, _ change: (JSON) -> [JSON]) {
    switch body {
    case .json(let json):
      var place = place
      body = .json(json.changing(&place, change).first ?? .null)
    case .form(var pairs):
      pairs.change(place, change)
      body = .form(pairs)
    case .text: break
    }
  }

  private mutating func insert(_ value: JSON, named name: String, at place: Int) {
    switch body {
    case .json(let json):
      var place = place % json.containerCount.nonZero
      body = .json(json.inserting(value, named: name, &place))
    case .form(let pairs): body = .form(pairs + [Pair(name: name, value: value.formText)])
    case .text(let text):
      if method == .get || !text.isEmpty {
        query.append(Pair(name: name, value: value.formText))
      } else {
        body = .json(.object([.init(name: name, value: value)]))
      }
    }
  }
}

extension [Draft.Pair] {
  fileprivate mutating func change(_ place: Int, _ change: (JSON) -> [JSON]) {
    let pair = self[place]
    let values = change(.string(pair.value))
    replaceSubrange(place...place, with: values.map { Draft.Pair(name: pair.name, value: $0.formText) })
  }
}

extension [Draft.Pair] {
  fileprivate mutating func replaceNumbers(by number: JSON) {
    for index in indices where Int(self[index].value) != nil { self[index].value = number.formText }
  }
}

extension String {
  /// True for a path segment that is probably an id or a number. Others belong to the route: changing them
  /// tests the answer to unknown paths only, which is slow.
  fileprivate var isCapture: Bool { utf8.count > 2 && utf8.contains { (48...57).contains($0) } }
}

extension Int {
  fileprivate var nonZero: Int { Swift.max(1, self) }
}

extension JSON {
  /// As the value of a field in a form: a string without quotes.
  fileprivate var formText: String {
    if case .string(let text) = self { text } else { String(decoding: encoded(), as: UTF8.self) }
  }

  /// The next number, or a text with another last character.
  fileprivate var bumped: JSON {
    switch self {
    case .integer(let number): .integer(number &+ 1)
    case .string(let text): .string(text.dropLast() + (text.hasSuffix("2") ? "3" : "2"))
    default: self
    }
  }

  fileprivate func replacingNumbers(by number: JSON) -> JSON {
    switch self {
    case .integer, .double: number
    case .array(let items): .array(items.map { $0.replacingNumbers(by: number) })
    case .object(let members):
      .object(members.map { Member(name: $0.name, value: $0.value.replacingNumbers(by: number)) })
    default: self
    }
  }

  fileprivate var emptyingArrays: JSON {
    switch self {
    case .array: .array([])
    case .object(let members):
      .object(members.map { Member(name: $0.name, value: $0.value.emptyingArrays) })
    default: self
    }
  }

  private var children: [JSON] {
    switch self {
    case .array(let items): items
    case .object(let members): members.map(\.value)
    default: []
    }
  }

  /// This value and all values in it.
  fileprivate var nodeCount: Int { children.reduce(1) { $0 + $1.nodeCount } }

  /// The objects and arrays among them.
  fileprivate var containerCount: Int {
    switch self {
    case .array, .object: children.reduce(1) { $0 + $1.containerCount }
    default: 0
    }
  }

  /// Changes the value with this number, counted depth first.
  fileprivate func changing(_ place: inout Int, _ change: (JSON) -> [JSON]) -> [JSON] {
    place -= 1
    if place == -1 { return change(self) }
    switch self {
    case .array(let items): return [.array(items.flatMap { $0.changing(&place, change) })]
    case .object(let members):
      return [
        .object(
          members.flatMap { member in
            member.value.changing(&place, change).map { Member(name: member.name, value: $0) }
          })
      ]
    default: return [self]
    }
  }

  /// Adds a member, or an item, to the container with this number, counted depth first. A member of this name
  /// is replaced.
  fileprivate func inserting(_ value: JSON, named name: String, _ place: inout Int) -> JSON {
    switch self {
    case .array(let items):
      place -= 1
      return .array(place == -1 ? items + [value] : items.map { $0.inserting(value, named: name, &place) })
    case .object(let members):
      place -= 1
      if place == -1 {
        return .object(members.filter { $0.name != name } + [Member(name: name, value: value)])
      }
      return .object(
        members.map { Member(name: $0.name, value: $0.value.inserting(value, named: name, &place)) })
    default: return self
    }
  }
}
