/// A code with the text that it was found in, and why it was chosen. Source: `senders.md` 10.
struct FoundCode: Sendable {
  let message: Message
  let code: String?
  let candidates: [String]
  let why: String
  /// A newer message, if it has not brought what a code could be read in.
  fileprivate(set) var newer: NewerMessage?

  private init(_ message: Message, _ code: String?, in sandbox: Sandbox, why: ([String]) -> String) throws {
    (self.message, self.code) = (message, code)
    candidates = try sandbox.messages.codeCandidates(of: message)
    self.why = why(candidates)
  }

  /// That of a message with a code.
  fileprivate init(_ code: String, of message: Message, in sandbox: Sandbox) throws {
    try self.init(message, code, in: sandbox) { candidates in
      switch message.codeSource {
      case nil: "the provider made it for a verification"
      case .variables: "the only value of a template's variable with 4 to 10 digits"
      case .text, .speech:
        candidates.count == 1
          ? "the only 4 to 10 digits in the text that are neither a phone number nor part of an address"
          : "of \(candidates.joined(separator: ", ")) the one nearest to a code word"
      }
    }
  }

  fileprivate init(_ code: String, in message: Message, by pattern: CodePattern, in sandbox: Sandbox) throws {
    try self.init(message, code, in: sandbox) { _ in "the pattern \(pattern.text) matches" }
  }

  /// For the newest message, if nobody has found a code.
  init(noneIn message: Message, by pattern: CodePattern? = nil, in sandbox: Sandbox) throws {
    try self.init(message, nil, in: sandbox) { candidates in
      if let pattern { return "no text matches the pattern \(pattern.text); the newest is \(message.id)" }
      let advice = "a pattern finds it (?pattern=, --pattern)"
      guard candidates.count > 1 else {
        return
          "\(message.id) has no code that the sandbox knows; \(advice), or read /control/messages/\(message.id)"
      }
      let list = candidates.joined(separator: ", ")
      return "\(message.id) has several candidates (\(list)), and no word says which is the code; \(advice)"
    }
  }

  static let schema = Schema<FoundCode>(
    "FoundCode", "A code, the text that it was found in, and why it was chosen.",
    [
      .readOnly("code", .string, "The code; null if it is not clear which one it is.") { $0.code },
      .readOnly("codeFrom", .string, Message.codeFromSummary) { $0.code == nil ? nil : $0.message.codeFrom },
      .readOnly("why", .string, "Why it was chosen, or why there is none.") { $0.why },
      .readOnly("codeCandidates", .array(of: .string), "What could be the code, in the order of the text.") {
        $0.candidates
      },
      .readOnly("message", .string, "The id of the message.") { $0.message.id },
      .readOnly("text", .string, "The text that was read.") { $0.message.text },
      .readOnlyIfPresent(
        "newer", .object(NewerMessage.schema), "A newer message, if no code could be read in it."
      ) { $0.newer },
    ])

  /// The code alone; the headers name its message, and a newer one without a readable code.
  var plain: Response? {
    guard let code else { return nil }
    var response = Response.text(200, code)
    response.headers.add("X-Sandbox-Message", message.id)
    if let newer { response.headers.add("X-Sandbox-Newer-Message", newer.inWords) }
    return response
  }
}

extension Response {
  /// The message in which a code was found that is the whole answer, and in words what is newer.
  package var messageOfCode: (id: String, newer: String?)? {
    headers["X-Sandbox-Message"].map { ($0, headers["X-Sandbox-Newer-Message"]) }
  }
}

/// A message that came after the one with a code, and why nobody can read a code in it.
struct NewerMessage: Sendable {
  let id: String
  let why: String

  /// `msg_000014: the text is lost, because its number ends in 0130`, in ASCII.
  var inWords: String {
    (why.hasPrefix(id) ? why : "\(id): \(why)").showingInvisible().filter(\.isASCII)
  }

  /// Nil if there is no newer message, or it is as it should be.
  fileprivate init?(than message: Message, _ search: CodeSearch, in sandbox: Sandbox) throws {
    var filter = search.filter
    (filter.destination, filter.after) = (message.destination, message.ordinal)
    guard let newest = try sandbox.messages.newest(filter, onHandsets: false, limit: 1).first,
      newest.ordinal > message.ordinal
    else { return nil }
    id = newest.id
    if let problem = try sandbox.messages.problem(with: newest) {
      why = problem
    } else if search.pattern == nil, newest.code == nil, ![.push, .silent].contains(newest.channel) {
      why = try FoundCode(noneIn: newest, in: sandbox).why
    } else {
      return nil
    }
  }

  static let schema = Schema<NewerMessage>(
    nil, "",
    [
      .readOnly("message", .string, "Its id.") { $0.id },
      .readOnly("why", .string, "Why there is no code of it: it is lost, late or unclear.") { $0.why },
    ])
}

extension Message {
  /// Nil without a code.
  var codeFrom: String? { code == nil ? nil : codeSource?.rawValue ?? "verification" }

  static let codeFromSummary =
    "`verification`: the provider made the code. Else the app did, and this is where it was found: the "
    + "`variables` of a template, the `text` of a message, or the `speech` of a call."
}

/// What a request for a code looks for.
struct CodeSearch: Sendable {
  let filter: Messages.Filter
  let pattern: CodePattern?

  /// Of so many messages, the newest with a match counts.
  private static let searched = 100

  func find(in sandbox: Sandbox) throws -> FoundCode? {
    if let pattern {
      let messages = try sandbox.messages.newest(filter, onHandsets: true, limit: Self.searched)
      return try pattern.first(in: messages).map {
        try withNewer(FoundCode($0.code, in: $0.message, by: pattern, in: sandbox), in: sandbox)
      }
    }
    var wanted = filter
    wanted.hasCode = true
    guard let message = try sandbox.messages.latest(wanted), let code = message.code else { return nil }
    // The code of an earlier text is not that of a newer one, in which it is unclear.
    var newer = filter
    (newer.destination, newer.after) = (message.destination, message.place)
    if let newest = try sandbox.messages.latest(newer),
      try newest.code == nil && sandbox.messages.codeCandidates(of: newest).count > 1
    {
      return nil
    }
    return try withNewer(FoundCode(code, of: message, in: sandbox), in: sandbox)
  }

  /// For the newest message, if nobody has found a code.
  func none(in message: Message, of sandbox: Sandbox) throws -> FoundCode {
    try withNewer(FoundCode(noneIn: message, by: pattern, in: sandbox), in: sandbox)
  }

  private func withNewer(_ found: FoundCode, in sandbox: Sandbox) throws -> FoundCode {
    var found = found
    found.newer = try NewerMessage(than: found.message, self, in: sandbox)
    return found
  }
}

/// The pattern of a query.
struct CodePattern: Sendable {
  let text: String
  private let pattern: TextPattern

  init(_ text: String) throws {
    self.text = text
    do {
      pattern = try TextPattern(text)
    } catch {
      throw FormError(field: Parameter.pattern.name, expected: error.expected, found: text)
    }
  }

  /// The first group of the first match, else the whole match.
  fileprivate func first(in messages: [Message]) throws -> (code: String, message: Message)? {
    var steps = TextPattern.maxSteps
    do {
      for message in messages {
        if let code = try pattern.first(in: message.text, steps: &steps) { return (code, message) }
      }
      return nil
    } catch {
      throw FormError(field: Parameter.pattern.name, expected: error.expected, found: text)
    }
  }
}
