import JSON

/// The texts in earlier answers of a run, newest last: ids, codes, tokens, links.
struct EarlierValues {
  private var all: [String] = []
  private static let limit = 400

  mutating func add(_ answer: JSON) {
    switch answer {
    case .string(let text) where (4...400).contains(text.utf8.count): all.append(text)
    case .array(let items): for item in items.prefix(20) { add(item) }
    case .object(let members): for member in members.prefix(40) { add(member.value) }
    default: break
    }
    if all.count > Self.limit { all.removeFirst(all.count - Self.limit) }
  }

  /// Counted from the newest one, which is 0; nil if there is none at all.
  func newest(_ number: Int) -> String? { all.isEmpty ? nil : all[all.count - 1 - number % all.count] }

  /// The newest text that looks like this one: `VE` and 32 hex digits, a code of six digits, a UUID. Nil for
  /// words.
  func similar(to text: String) -> String? {
    guard text.utf8.count >= 4, text.utf8.contains(where: { (48...57).contains($0) }) else { return nil }
    let shape = Shape(text)
    return all.last { $0.utf8.count == text.utf8.count && Shape($0) == shape }
  }

  /// The length of a text, its prefix, and the characters after it.
  private struct Shape: Equatable {
    let prefix: Substring
    let isNumber: Bool
    let isHex: Bool
    let hasDashes: Bool

    init(_ text: String) {
      if let end = text.prefix(12).lastIndex(of: "_") {
        prefix = text[...end]
      } else {
        prefix = text.utf8.count == 34 || text.hasPrefix("+") ? text.prefix(2) : ""
      }
      let rest = text.utf8.dropFirst(prefix.utf8.count)
      isNumber = rest.allSatisfy { (48...57).contains($0) }
      isHex = rest.allSatisfy { (48...57).contains($0) || (65...70).contains($0 & 0xDF) || $0 == 45 }
      hasDashes = rest.contains(45)
    }
  }
}
