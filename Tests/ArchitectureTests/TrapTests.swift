import Foundation
import Testing

/// A construct that ends the process when its condition is false.
enum Trap: String, CaseIterable {
  case forceUnwrap = "force unwrap"
  case precondition
  case unowned
  /// `Int(x)` of another number; the same call with text gives nil, which a pattern cannot tell apart.
  case integerConversion = "integer conversion"
  /// A subscript other than by a literal text, a type or a name that only dictionaries have here.
  case index
  case division
  case range
  /// Functions that need an element, different keys, or a count of 0 or more.
  case collection
  case multiplication
  /// A sum with a name that values from outside have.
  case sum

  /// Matches one use in a line of code.
  var pattern: String {
    switch self {
    case .forceUnwrap: #"[A-Za-z0-9_)\]]!(?!=)|\bas!|\btry!"#
    case .precondition: #"\b(precondition|preconditionFailure|assert|assertionFailure|fatalError)\("#
    case .unowned: #"(?<!\.)\bunowned\b"#
    case .integerConversion:
      #"\bU?Int(8|16|32|64|128)?\((?!exactly:|clamping:|truncatingIfNeeded:|bitPattern:|ascii:|[^\n]*radix:)"#
    case .index: Self.dictionaries + #"(?<=[A-Za-z0-9_)\]])\[(?!"# + Self.keys + #")[^\]\n]*\](?!\.self)"#
    case .division: #" [%/]=? (?![0-9])"#
    case .range:
      #"(?<![\w.)\]])(?!\d\w*\.\.[.<]\d\w*)[\w.]*[\w)\]]\.\.[.<][\w(]|(?<=[)\]])\.\.[.<][\w(]"#
    case .collection:
      #"uniqueKeysWithValues|removeFirst\(\)|removeLast\(\)|\bremove\(at:|swapAt\(|replaceSubrange\("#
        + #"|repeating: [^,\n]*, count:"#
    case .multiplication: #"[A-Za-z_)\]$]\w*\)* \*=? |\b[\d_]+ \* [A-Za-z(]"#
    case .sum:
      #"\b(\#(Self.outside))\b\)? [-+]=? |\w\)? [-+]=? [\w.$]*\b(\#(Self.outside))\b(?!\()"#
    }
  }

  private static let outside =
    "seconds|milliseconds|days|hours|page|limit|size|number|threshold|amount|position"

  /// Names that only dictionaries have.
  private static let dictionaries = [
    "subscribers", "providers", "byID", "byName", "byCode", "sandboxes", "topics", "counts", "rates", "keys",
  ].map { "(?<!\($0))" }.joined()

  /// The text in the brackets of dictionaries, key paths and types.
  private static let keys =
    #"\]|""|"\\|\.|Self\.|keyPath:|name[,:]|parameter[:.]|\$0\.0\]\)|[^\]\n]*default:|[A-Z][A-Za-z.]*[\]?:,]|#"#
    + #"|(name|key|token|word|code|number|kind|section|purpose|product|outcome|parameter|project|topic|label"#
    + #"|trait|scalar|lifetime|client|destination|handset|id|to)\]"#
}

/// A line of `Traps.txt`: how often a file has a construct, and why it cannot end the process.
struct AllowedTrap {
  let path: String
  let trap: Trap
  let count: Int
  let reason: String
  let line: Int

  /// Nil for another form.
  init?(_ text: String, line: Int) {
    let parts = text.components(separatedBy: " | ")
    guard parts.count == 4, let trap = Trap(rawValue: parts[1]), let count = Int(parts[2]), count > 0,
      parts[3].hasSuffix("."), parts[3].contains(" ")
    else { return nil }
    (path, self.trap, self.count, reason, self.line) = (parts[0], trap, count, parts[3], line)
  }
}

@Suite("Architecture · traps")
struct TrapTests {
  private static let list = "Tests/ArchitectureTests/Traps.txt"
  private static let folders = ["Domain", "Carrier", "Control", "Providers"].map { "Sources/\($0)/" }

  @Test("every construct that can trap is listed with the reason why it cannot happen")
  func trapsAreListed() throws {
    let file = try #require(Project.file(Self.list))
    var findings: [Finding] = []
    var allowed: [String: AllowedTrap] = [:]
    for (index, text) in file.lines.enumerated() where !text.isEmpty && !text.hasPrefix("#") {
      guard let entry = AllowedTrap(text, line: index + 1),
        allowed.updateValue(entry, forKey: "\(entry.path) | \(entry.trap.rawValue)") == nil
      else {
        findings.append(
          Finding(
            path: Self.list, line: index + 1, why: "expected once: path | construct | count | a reason."))
        continue
      }
    }
    for source in Project.sources where Self.folders.contains(where: { source.path.hasPrefix($0) }) {
      for trap in Trap.allCases {
        let found = source.lineNumbers(matching: trap.pattern)
        let entry = allowed.removeValue(forKey: "\(source.path) | \(trap.rawValue)")
        guard found.count != entry?.count ?? 0 else { continue }
        findings.append(
          Finding(
            path: source.path, line: found.last ?? 1,
            why: """
              \(found.count) × \(trap.rawValue), but \(Self.list) allows \(entry?.count ?? 0). Throw, limit the \
              value when it is decoded, or list it with a reason. Lines: \(found)
              """))
      }
    }
    findings += allowed.values.map {
      Finding(path: Self.list, line: $0.line, why: "stale: \($0.path) has no \($0.trap.rawValue) any more")
    }

    expectNone(findings.sorted { ($0.path, $0.line) < ($1.path, $1.line) })
  }

  @Test(
    "each construct is found in code and not in strings or comments",
    arguments: [
      (Trap.forceUnwrap, "let a = b!"), (.forceUnwrap, "let a = b as! C"), (.forceUnwrap, "f(x)!.y"),
      (.precondition, "precondition(a)"), (.unowned, "unowned let a: B"), (.unowned, "{ [unowned self] in"),
      (.integerConversion, "let a = Int(b)"), (.integerConversion, "UInt8(x * 2)"),
      (.integerConversion, "Int32(someDouble)"), (.index, "parts[1]"), (.index, "bytes[i + 1]"),
      (.index, "text[start...]"), (.index, "parts[0].utf8"), (.division, "a % b.count"), (.division, "a / b"),
      (.range, "for i in 0..<n {"), (.range, "(1...number)"), (.range, "a.b..<c"), (.range, "f(x)...g(x)"),
      (.collection, "items.removeFirst()"), (.collection, "String(repeating: a, count: n)"),
      (.multiplication, "hours * 3600"), (.multiplication, "$0 * 86_400"), (.multiplication, "10 * count"),
      (.sum, "page + 1"), (.sum, "used + entry.seconds"), (.sum, "self.limit - 1"),
    ])
  func trapsAreFound(trap: Trap, example: String) {
    func count(_ text: String) -> Int {
      TextFile(path: "A.swift", text: text).lineNumbers(matching: trap.pattern).count
    }

    #expect(count(example) >= 1)
    #expect(count("let text = \"\(example)\"") == 0)
    #expect(count("// \(example)") == 0)
  }

  @Test(
    "constructs that cannot trap are not found",
    arguments: [
      "a != b", "Int(exactly: x)", "UInt8(truncatingIfNeeded: x)", "UInt8(ascii: c)",
      "UInt64(text, radix: 16)",
      "headers[\"Date\"]", "let a: [Int] = []", "0...9", "(0x30...0x39).contains($0)", "a / 2", "3 * 86_400",
      "a &* b &+ c", "func f(_ all: Int...)", "subscribers[number]", "subscriber[keyPath: path]",
      "case .unowned:",
    ])
  func safeCodeIsNotFound(example: String) {
    let file = TextFile(path: "A.swift", text: example)

    for trap in Trap.allCases { #expect(file.lineNumbers(matching: trap.pattern).isEmpty, "\(trap)") }
  }
}
