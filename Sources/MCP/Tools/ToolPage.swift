import HTTP
import JSON

/// The part of a list that fits into an answer of a tool: agents read all of it.
struct ToolPage {
  private static let byteLimit = 1 << 16
  private static let entryLimit = 1...100

  private let name: String
  private let cursor: (JSON) -> JSON
  private let entry: (JSON) -> JSON
  private let note: String?

  /// `cursor` returns the position of an entry in the list, `entry` what agents read of one, `note` what they
  /// have to know of all.
  init(
    _ name: String, cursor: @escaping (JSON) -> JSON, note: String? = nil,
    entry: @escaping (JSON) -> JSON = { $0 }
  ) {
    self.note = note
    self.name = name
    self.cursor = cursor
    self.entry = entry
  }

  /// How many entries a list has, if not as many as usual.
  static func limit(_ usual: Int) -> ObjectSchema.Member {
    .init(
      "limit", FieldType<Int>.integer(entryLimit).schema,
      "The most entries of the answer; \(usual) by default.")
  }

  /// For lists with the newest entry first. `things`: what they list, such as `requests`.
  static func after(_ things: String) -> ObjectSchema.Member {
    .init("after", .integer(minimum: 0), "The cursor of an answer, for the \(things) before it.")
  }

  /// The limit in the arguments of a tool; nil without one.
  static func limit(_ arguments: Fields) throws(FieldError) -> Int? {
    arguments.has("limit") ? try arguments.value("limit", .integer(entryLimit)) : nil
  }

  func present(_ answer: Response) -> Response { answer.with(shortened) }

  private func shortened(_ page: JSON) -> JSON {
    var (shown, size): ([JSON], Int) = ([], 0)
    let entries = page[name]?.items ?? []
    for one in entries {
      let entry = entry(one).shortened
      size += entry.encoded().count
      guard shown.isEmpty || size <= Self.byteLimit else { break }
      shown.append(entry)
    }
    let isWhole = shown.count == entries.count
    return .object(
      [
        .init(name: name, value: .array(shown)),
        .init(name: "cursor", value: isWhole ? page["cursor"] ?? .null : shown.last.map(cursor) ?? .null),
        .init(name: "hasMore", value: isWhole ? page["hasMore"] ?? .null : .bool(true)),
      ] + ((shown.isEmpty ? nil : note).map { [.init("note", $0)] } ?? []))
  }
}

extension JSON {
  private static let longestText = 4_000

  /// The same with an end of each long text left out.
  var shortened: JSON {
    switch self {
    case .string(let text) where text.utf8.count > Self.longestText:
      let end = text.utf8.index(text.startIndex, offsetBy: Self.longestText)
      let start = String(text.unicodeScalars[..<end])
      return .string("\(start)… and \(text.utf8.count - start.utf8.count) bytes more")
    case .array(let items): return .array(items.map(\.shortened))
    case .object(let members):
      return .object(members.map { .init(name: $0.name, value: $0.value.shortened) })
    default: return self
    }
  }
}

extension Response {
  /// In bytes.
  private static let longestForAgents = 1 << 16

  /// The same answer with what agents can read of it. Long texts in it are those of requests and messages.
  var forAgents: Response { body.count > Self.longestForAgents ? with(\.shortened) : self }
}
