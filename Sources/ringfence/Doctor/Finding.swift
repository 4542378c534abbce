/// What the doctor found out about one thing, and how it is mended.
struct Finding {
  /// How bad it is.
  enum Mark: String {
    case good, note, doubtful, bad
  }

  /// How bad it is.
  let mark: Mark
  /// The finding and its cause, in one line.
  let text: String
  /// What mends it, a line each; none where nothing is to be done.
  let fix: [String]

  /// All is well.
  static func good(_ text: String, fix: String...) -> Finding { Finding(mark: .good, text: text, fix: fix) }

  /// Worth knowing, neither good nor bad.
  static func note(_ text: String, fix: String...) -> Finding { Finding(mark: .note, text: text, fix: fix) }

  /// It may be meant so.
  static func doubtful(_ text: String, fix: String...) -> Finding {
    Finding(mark: .doubtful, text: text, fix: fix)
  }

  /// It does not work.
  static func bad(_ text: String, fix: String...) -> Finding { Finding(mark: .bad, text: text, fix: fix) }
}

extension Finding: CustomStringConvertible {
  /// As a person reads it.
  var description: String { ([mark.sign + " " + text] + fix.map { "  → \($0)" }).joined(separator: "\n") }
}

extension Finding.Mark {
  fileprivate var sign: String {
    switch self {
    case .good: "✓"
    case .note: "·"
    case .doubtful: "!"
    case .bad: "✗"
    }
  }
}

/// One area that the doctor looks at.
protocol Examination {
  /// The area's name.
  static var area: String { get }
  /// What was found; throws where the sandbox stops answering.
  func findings() throws -> [Finding]
}
