/// The ids and tokens of a recording, and those that the sandbox gives out instead.
struct IdMap: Sendable {
  private var own: [String: String] = [:]
  private var recorded: [String: String] = [:]

  enum Match {
    /// The sandbox's own id for this recorded one, from now on too.
    case same
    /// One of the two belongs to another id already.
    case other
  }

  /// Learns that two ids name the same thing.
  mutating func match(_ recorded: String, _ own: String) -> Match {
    if let known = self.own[recorded] { return known == own ? .same : .other }
    guard self.recorded[own] == nil else { return .other }
    self.own[recorded] = own
    self.recorded[own] = recorded
    return .same
  }

  func isKnown(_ recorded: some StringProtocol) -> Bool { own[String(recorded)] != nil }

  /// The text with the sandbox's own ids.
  func replacing(in text: String) -> String {
    own.isEmpty ? text : Token.split(text).map { own[$0.text] ?? $0.text }.joined()
  }

  /// The same; bytes that are not UTF-8 are not changed.
  func replacing(in bytes: [UInt8]) -> [UInt8] {
    guard !own.isEmpty, let text = String(validating: bytes, as: UTF8.self) else { return bytes }
    return Array(replacing(in: text).utf8)
  }
}

/// A part of a text: a word that may be an id, or what is between two words.
struct Token: Equatable {
  let text: String
  let isWord: Bool

  /// The parts of a text; joined, they are the text. A JWT is one word, otherwise words end at dots, as in
  /// `VE0123.json`.
  static func split(_ text: String) -> [Token] {
    var (tokens, rest): ([Token], Substring.UTF8View) = ([], text[...].utf8)
    while let first = rest.first {
      let isWord = first.isIDByte
      let part =
        rest.starts(with: "eyJ".utf8)
        ? rest.prefix { $0.isIDByte || $0 == UInt8(ascii: ".") } : rest.prefix { $0.isIDByte == isWord }
      tokens.append(Token(text: String(Substring(part)), isWord: isWord))
      rest = rest[part.endIndex...]
    }
    return tokens
  }
}
