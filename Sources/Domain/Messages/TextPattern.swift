/// A regular expression that finds a code in a text. It is run as an automaton, all ways at once (Thompson,
/// 1968), so that no pattern takes long.
///
/// Known are `.`, `[a-z]`, `\d \w \s \b` and their opposites, `( )`, `(?: )`, `|`, `* + ? {2,6}`, lazy ones
/// too, `^`, `$`, and `(?i)` at the beginning. Look-around and back-references are not.
package struct TextPattern: Sendable {
  package struct Mistake: Error {
    /// What the pattern should have been.
    package let expected: String
  }

  private let program: [Instruction]

  static let maxLength = 200
  static let maxInstructions = 500
  /// What takes 20 ms.
  package static let maxSteps = 1_000_000

  package init(_ text: String) throws(Mistake) {
    var compiler = PatternCompiler(text)
    program = try compiler.compile()
  }

  /// The first group of the first match, or the match if the pattern has no group; nil if it is empty. Throws
  /// when the steps are used up.
  package func first(in text: String, steps: inout Int) throws(Mistake) -> String? {
    let scalars = Array(text.unicodeScalars)
    var search = PatternSearch(program, scalars, steps: steps)
    defer { steps = search.steps }
    guard let range = try search.run(), !range.isEmpty else { return nil }
    var found = String.UnicodeScalarView()
    found.append(contentsOf: scalars[range])
    return String(found)
  }
}

private enum Instruction {
  case one(of: ScalarSet)
  /// Two ways on; the first is preferred.
  case split(Int, Int)
  case jump(Int)
  /// Keeps the place: 0 and 1 of the match, 2 and 3 of the first group.
  case save(Int)
  case atStart
  case atEnd
  case atWordEdge(Bool)
  case match

  /// The same at another place of the program.
  func moved(by count: Int) -> Instruction {
    switch self {
    case .split(let first, let second): .split(first + count, second + count)
    case .jump(let target): .jump(target + count)
    default: self
    }
  }
}

/// The scalars that one place of a pattern accepts.
private struct ScalarSet {
  var ranges: [ClosedRange<UInt32>]
  var isNegated = false
  var ignoresCase = false

  static let anyOfLine = ScalarSet(ranges: [0x0A...0x0A], isNegated: true)

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    (has(scalar) || ignoresCase && scalar.otherCases.contains(where: has)) != isNegated
  }

  private func has(_ scalar: Unicode.Scalar) -> Bool { ranges.contains { $0.contains(scalar.value) } }

  /// `\d`, `\W` and the others.
  static func named(_ name: Unicode.Scalar) -> ScalarSet? {
    let isNegated = name.value < 0x61
    return switch name {
    case "d", "D": ScalarSet(ranges: [0x30...0x39], isNegated: isNegated)
    case "w", "W":
      ScalarSet(ranges: [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A], isNegated: isNegated)
    case "s", "S":
      ScalarSet(
        ranges: [0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x2000...0x200A, 0x202F...0x202F],
        isNegated: isNegated)
    default: nil
    }
  }
}

extension Unicode.Scalar {
  fileprivate var otherCases: [Unicode.Scalar] {
    [properties.lowercaseMapping, properties.uppercaseMapping].flatMap(\.unicodeScalars)
  }

  fileprivate var isOfWord: Bool { ScalarSet.named("w")?.contains(self) ?? false }
}

// MARK: Compiling

private struct PatternCompiler {
  private let text: [Unicode.Scalar]
  private var place = 0
  private var ignoresCase = false
  private var program: [Instruction] = []
  private var groups = 0
  private var depth = 0

  init(_ text: String) { self.text = Array(text.unicodeScalars) }

  private var next: Unicode.Scalar? { place < text.count ? text[place] : nil }

  private mutating func take() -> Unicode.Scalar? {
    guard let next else { return nil }
    place += 1
    return next
  }

  private mutating func take(_ expected: String) -> Bool {
    guard text[place...].starts(with: expected.unicodeScalars) else { return false }
    place += expected.unicodeScalars.count
    return true
  }

  private func mistake(_ expected: String) -> TextPattern.Mistake { TextPattern.Mistake(expected: expected) }

  private mutating func add(_ instruction: Instruction) throws(TextPattern.Mistake) {
    guard program.count < TextPattern.maxInstructions else { throw mistake("less repetition") }
    program.append(instruction)
  }

  mutating func compile() throws(TextPattern.Mistake) -> [Instruction] {
    guard (1...TextPattern.maxLength).contains(text.count) else {
      throw mistake("1 to \(TextPattern.maxLength) characters")
    }
    ignoresCase = take("(?i)")
    try add(.save(0))
    try alternatives()
    guard next == nil else { throw mistake("( before )") }
    try add(.save(1))
    try add(.match)
    return program
  }

  /// Adds what was compiled at another place once more.
  private mutating func add(_ item: [Instruction], from start: Int) throws(TextPattern.Mistake) {
    let count = program.count - start
    for instruction in item { try add(instruction.moved(by: count)) }
  }

  /// Takes off what was compiled since a place of the program.
  private mutating func removed(from start: Int) -> [Instruction] {
    defer { program.removeSubrange(start...) }
    return Array(program[start...])
  }

  /// `a|b`
  private mutating func alternatives() throws(TextPattern.Mistake) {
    let start = program.count
    while let next, next != "|", next != ")" {
      let item = program.count
      try addItem()
      try addRepetition(of: item)
    }
    guard take("|") else { return }
    let first = removed(from: start)
    try add(.split(start + 1, start + 2 + first.count))
    for instruction in first { try add(instruction.moved(by: 1)) }
    let jump = program.count
    try add(.jump(0))
    try alternatives()
    program[jump] = .jump(program.count)
  }

  private mutating func addItem() throws(TextPattern.Mistake) {
    switch take() {
    case "."?: try add(.one(of: .anyOfLine))
    case "^"?: try add(.atStart)
    case "$"?: try add(.atEnd)
    case "("?: try addGroup()
    case "["?: try add(.one(of: try set()))
    case "\\"? where take("b"): try add(.atWordEdge(true))
    case "\\"? where take("B"): try add(.atWordEdge(false))
    case "\\"?: try add(.one(of: try escaped()))
    case let scalar?:
      guard !"*+?".unicodeScalars.contains(scalar) else { throw mistake("something before \(scalar)") }
      try add(.one(of: ScalarSet(ranges: [scalar.value...scalar.value], ignoresCase: ignoresCase)))
    case nil: break
    }
  }

  private mutating func addGroup() throws(TextPattern.Mistake) {
    depth += 1
    guard depth <= 20 else { throw mistake("at most 20 groups in each other") }
    let isKept = !take("?:")
    guard next != "?" else { throw mistake("( ) or (?: ), no other group") }
    if isKept { groups += 1 }
    let isFirst = isKept && groups == 1
    if isFirst { try add(.save(2)) }
    try alternatives()
    guard take(")") else { throw mistake(") after (") }
    if isFirst { try add(.save(3)) }
    depth -= 1
  }

  /// What follows a backslash.
  private mutating func escaped() throws(TextPattern.Mistake) -> ScalarSet {
    guard let name = take() else { throw mistake("a character after \\") }
    if let known = ScalarSet.named(name) { return known }
    if name == "n" { return ScalarSet(ranges: [0x0A...0x0A]) }
    if name == "t" { return ScalarSet(ranges: [0x09...0x09]) }
    guard !name.isOfWord else { throw mistake("\\d, \\w, \\s, \\b or a sign after \\, not \(name)") }
    return ScalarSet(ranges: [name.value...name.value])
  }

  /// `[a-z0-9_]`, `[^"]`
  private mutating func set() throws(TextPattern.Mistake) -> ScalarSet {
    var set = ScalarSet(ranges: [], isNegated: take("^"), ignoresCase: ignoresCase)
    repeat {
      let start = try memberOfSet()
      guard !start.isNegated else { throw mistake("no \\D, \\S or \\W within [ ]") }
      let isRange = next == "-" && place + 1 < text.count && text[place + 1] != "]"
      guard isRange, let from = start.ranges.first?.lowerBound, start.ranges == [from...from] else {
        set.ranges += start.ranges
        continue
      }
      place += 1
      guard let end = try memberOfSet().ranges.first?.upperBound, from <= end else {
        throw mistake("a rising range within [ ]")
      }
      set.ranges.append(from...end)
    } while next != "]"
    place += 1
    return set
  }

  private mutating func memberOfSet() throws(TextPattern.Mistake) -> ScalarSet {
    guard let scalar = take() else { throw mistake("] after [") }
    return scalar == "\\" ? try escaped() : ScalarSet(ranges: [scalar.value...scalar.value])
  }

  /// `*`, `+`, `?`, `{2}`, `{2,}`, `{2,6}`, and each with a `?` that makes it lazy.
  private mutating func addRepetition(of start: Int) throws(TextPattern.Mistake) {
    guard let (least, most) = try repetition() else { return }
    let isLazy = take("?")
    let item = removed(from: start)
    for _ in 0..<least { try add(item, from: start) }
    var forks: [Int] = []
    for _ in least..<(most ?? least + 1) {
      forks.append(program.count)
      try add(.jump(0))
      try add(item, from: start)
    }
    if most == nil { try add(.jump(program.count - item.count - 1)) }
    for fork in forks {
      program[fork] = isLazy ? .split(program.count, fork + 1) : .split(fork + 1, program.count)
    }
  }

  private mutating func repetition() throws(TextPattern.Mistake) -> (Int, Int?)? {
    if take("*") { return (0, nil) }
    if take("+") { return (1, nil) }
    if take("?") { return (0, 1) }
    guard take("{") else { return nil }
    let least = try number()
    var most = Optional(least)
    if take(",") { most = next == "}" ? nil : try number() }
    guard take("}"), least <= most ?? least else { throw mistake("{2}, {2,} or {2,6}") }
    return (least, most)
  }

  private mutating func number() throws(TextPattern.Mistake) -> Int {
    var digits = ""
    while let digit = next, ("0"..."9").contains(digit) {
      digits.unicodeScalars.append(digit)
      place += 1
    }
    guard let number = Int(digits), number <= TextPattern.maxInstructions else {
      throw mistake("{2}, {2,} or {2,6}")
    }
    return number
  }
}

// MARK: Searching

private struct PatternSearch {
  /// Start and end of the match, then of the first group; -1: not reached.
  private typealias Places = SIMD4<Int32>

  private let program: [Instruction]
  private let text: [Unicode.Scalar]
  /// Ways that wait for the next scalar, the preferred first.
  private var ways: [(instruction: Int, places: Places)] = []
  /// The place at which each instruction was last added.
  private var added: [Int]
  private(set) var steps: Int

  init(_ program: [Instruction], _ text: [Unicode.Scalar], steps: Int) {
    self.program = program
    self.text = text
    self.steps = steps
    added = Array(repeating: -1, count: program.count)
  }

  /// Where the first group of the leftmost match is, or the match.
  mutating func run() throws(TextPattern.Mistake) -> Range<Int>? {
    var found: Places?
    for place in 0...text.count {
      if found == nil { add(0, Places(repeating: -1), at: place) }
      if ways.isEmpty {
        guard found == nil else { break }
        continue
      }
      steps -= ways.count
      guard steps > 0 else { throw TextPattern.Mistake(expected: "a simpler pattern") }
      let tried = ways
      ways.removeAll(keepingCapacity: true)
      search: for way in tried {
        switch program[way.instruction] {
        case .match:
          found = way.places
          break search
        case .one(let set) where place < text.count && set.contains(text[place]):
          add(way.instruction + 1, way.places, at: place + 1)
        default: break
        }
      }
    }
    guard let found else { return nil }
    let group = found[3] >= 0
    return Int(found[group ? 2 : 0])..<Int(found[group ? 3 : 1])
  }

  /// Follows everything that needs no scalar.
  private mutating func add(_ instruction: Int, _ places: Places, at place: Int) {
    guard added[instruction] != place else { return }
    added[instruction] = place
    switch program[instruction] {
    case .jump(let target): add(target, places, at: place)
    case .split(let first, let second):
      add(first, places, at: place)
      add(second, places, at: place)
    case .save(let index):
      var places = places
      places[index] = Int32(place)
      add(instruction + 1, places, at: place)
    case .atStart: if place == 0 { add(instruction + 1, places, at: place) }
    case .atEnd: if place == text.count { add(instruction + 1, places, at: place) }
    case .atWordEdge(let isWanted):
      let isEdge = isOfWord(place - 1) != isOfWord(place)
      if isEdge == isWanted { add(instruction + 1, places, at: place) }
    case .one, .match: ways.append((instruction, places))
    }
  }

  private func isOfWord(_ place: Int) -> Bool { text.indices.contains(place) && text[place].isOfWord }
}
