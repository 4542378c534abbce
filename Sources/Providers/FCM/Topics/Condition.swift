import ProviderKit

/// Which topics a device must have subscribed to: `'a' in topics && ('b' in topics || !('c' in topics))`.
/// Source: https://firebase.google.com/docs/cloud-messaging/send-topic-messages
struct Condition {
  private indirect enum Term {
    case topic(String)
    case not(Term)
    case and(Term, Term)
    case or(Term, Term)
  }

  /// The most topics that one may name. Source: the same page
  private static let mostTopics = 5

  private let term: Term

  /// Reads a condition; nil for any other text.
  init?(_ text: String) {
    guard text.utf8.count <= 1024 else { return nil }
    var reader = Reader(rest: text[...])
    guard let term = reader.either(), reader.isAtEnd, (1...Self.mostTopics).contains(reader.topics) else {
      return nil
    }
    self.term = term
  }

  /// Whether a device with these topics is meant.
  func holds(for topics: Set<String>) -> Bool { Self.holds(term, topics) }

  private static func holds(_ term: Term, _ topics: Set<String>) -> Bool {
    switch term {
    case .topic(let name): topics.contains(name)
    case .not(let term): !holds(term, topics)
    case .and(let one, let other): holds(one, topics) && holds(other, topics)
    case .or(let one, let other): holds(one, topics) || holds(other, topics)
    }
  }

  /// Goes through the text from its front; `&&` binds closer than `||`.
  private struct Reader {
    var rest: Substring
    var topics = 0
    private var depth = 0

    init(rest: Substring) { self.rest = rest }

    var isAtEnd: Bool { rest.allSatisfy { $0 == " " } }

    mutating func either() -> Term? { chain("||", Term.or) { $0.both() } }

    private mutating func both() -> Term? { chain("&&", Term.and) { $0.single() } }

    private mutating func chain(
      _ sign: String, _ join: (Term, Term) -> Term, _ next: (inout Reader) -> Term?
    ) -> Term? {
      guard var term = next(&self) else { return nil }
      while take(sign) {
        guard let other = next(&self) else { return nil }
        term = join(term, other)
      }
      return term
    }

    private mutating func single() -> Term? {
      if take("!") { return nested { $0.single().map { .not($0) } } }
      if take("(") { return nested { reader in reader.either().flatMap { reader.take(")") ? $0 : nil } } }
      guard take("'") else { return nil }
      let name = rest.prefix { $0 != "'" }
      rest = rest[name.endIndex...]
      guard take("'"), Topic.isName(String(name)), take("in"), take("topics") else { return nil }
      topics += 1
      return .topic(String(name))
    }

    /// Brackets and signs stand in each other so far and no further.
    private mutating func nested(_ body: (inout Reader) -> Term?) -> Term? {
      guard depth < 16 else { return nil }
      depth += 1
      defer { depth -= 1 }
      return body(&self)
    }

    private mutating func take(_ sign: String) -> Bool {
      let start = rest.drop { $0 == " " }
      guard start.hasPrefix(sign) else { return false }
      rest = start.dropFirst(sign.count)
      return true
    }
  }
}
