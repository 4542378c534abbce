import ProviderKit

/// Topics and their subscriptions. Source: contract 1.6
enum Topic {
  /// 1 to 900 letters, digits and `-_.~%`. Source:
  /// https://firebase.google.com/docs/cloud-messaging/js/topic-messaging; the length is that of Google's SDK
  /// for Android, `[a-zA-Z0-9-_.~%]{1,900}`.
  static func isName(_ text: String) -> Bool {
    (1...900).contains(text.utf8.count) && text.utf8.allSatisfy(isNameByte)
  }

  static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "-_.~%".utf8.contains(byte)
    }
  }

  static func isSubscribed(_ token: String, to topic: String, in sandbox: Sandbox) throws -> Bool {
    try sandbox.records.find(key(token, topic), in: section) != nil
  }

  static func subscribe(_ token: String, to topic: String, in sandbox: Sandbox) throws {
    let record = JSONWriter.object {
      $0.member("topic", topic)
      $0.member("token", token)
    }
    try sandbox.records.save(record, under: key(token, topic), of: topic, in: section)
  }

  static func unsubscribe(_ token: String, from topic: String, in sandbox: Sandbox) throws {
    _ = try sandbox.records.delete(key(token, topic), in: section)
  }

  /// The devices with topics that `matches` accepts, each once. Tokens in a bad state are left out.
  static func devices(in sandbox: Sandbox, matching matches: (Set<String>) -> Bool) throws -> [Device] {
    var topics: [String: Set<String>] = [:]
    var tokens: [String] = []
    for item in try sandbox.records.all(section) {
      let fields = try Fields(Array(item.record.utf8))
      let token = try fields.string("token")
      if topics[token] == nil { tokens.append(token) }
      topics[token, default: []].insert(try fields.string("topic"))
    }
    return try tokens.filter { matches(topics[$0] ?? []) }.compactMap { token in
      guard case .device(let device) = try sandbox.devices.owner(ofToken: token), device.tokenState == .ok
      else { return nil }
      return device
    }
  }

  private static let section = RecordStore.Section(provider: FCMProvider.name, kind: "subscription")

  private static func key(_ token: String, _ topic: String) -> String { "\(topic) \(token)" }
}

/// A condition on topics: `'a' in topics && ('b' in topics || !('c' in topics))`.
/// Source: https://firebase.google.com/docs/cloud-messaging/send-topic-messages
struct Condition {
  private indirect enum Term {
    case topic(String)
    case not(Term)
    case and(Term, Term)
    case or(Term, Term)

    func matches(_ topics: Set<String>) -> Bool {
      switch self {
      case .topic(let name): topics.contains(name)
      case .not(let term): !term.matches(topics)
      case .and(let left, let right): left.matches(topics) && right.matches(topics)
      case .or(let left, let right): left.matches(topics) || right.matches(topics)
      }
    }
  }

  private static let maxSize = 1024
  /// Source: the same page
  private static let maxTopics = 5

  private let term: Term

  /// Nil for any other text.
  init?(_ text: String) {
    guard text.utf8.count <= Self.maxSize else { return nil }
    var parser = Parser(rest: text[...])
    guard let term = parser.parseOr(), parser.isAtEnd, (1...Self.maxTopics).contains(parser.topics) else {
      return nil
    }
    self.term = term
  }

  func matches(_ topics: Set<String>) -> Bool { term.matches(topics) }

  /// A recursive descent parser. `&&` binds more tightly than `||`.
  private struct Parser {
    var rest: Substring
    /// How many topics were read.
    var topics = 0
    private var depth = 0
    private static let maxDepth = 16

    init(rest: Substring) { self.rest = rest }

    var isAtEnd: Bool { rest.allSatisfy { $0 == " " } }

    mutating func parseOr() -> Term? { parseChain("||", Term.or) { $0.parseAnd() } }

    private mutating func parseAnd() -> Term? { parseChain("&&", Term.and) { $0.parseTerm() } }

    private mutating func parseChain(
      _ symbol: String, _ join: (Term, Term) -> Term, _ parseNext: (inout Parser) -> Term?
    ) -> Term? {
      guard var term = parseNext(&self) else { return nil }
      while take(symbol) {
        guard let next = parseNext(&self) else { return nil }
        term = join(term, next)
      }
      return term
    }

    private mutating func parseTerm() -> Term? {
      if take("!") { return nested { $0.parseTerm().map { .not($0) } } }
      if take("(") { return nested { parser in parser.parseOr().flatMap { parser.take(")") ? $0 : nil } } }
      guard take("'") else { return nil }
      let name = rest.prefix { $0 != "'" }
      rest = rest[name.endIndex...]
      guard take("'"), Topic.isName(String(name)), take("in"), take("topics") else { return nil }
      topics += 1
      return .topic(String(name))
    }

    private mutating func nested(_ parse: (inout Parser) -> Term?) -> Term? {
      guard depth < Self.maxDepth else { return nil }
      depth += 1
      defer { depth -= 1 }
      return parse(&self)
    }

    private mutating func take(_ symbol: String) -> Bool {
      let start = rest.drop { $0 == " " }
      guard start.hasPrefix(symbol) else { return false }
      rest = start.dropFirst(symbol.count)
      return true
    }
  }
}
