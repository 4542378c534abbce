import JSON

/// Finds the code in a text that an app wrote, as the person who reads or hears it does.
/// Source: `senders.md` 10.
package struct WrittenCode: Equatable, Sendable {
  /// The only candidate, or the one next to a code word; nil: it is not clear which one is the code.
  package let code: String?
  /// In the order of the text, each once.
  package let candidates: [String]

  /// A code has so many characters.
  static let length = 4...10

  /// `parties` are sender and receiver, whose numbers are no codes.
  package init(in text: String, isSpoken: Bool = false, parties: [String] = [], words: [String] = []) {
    var reader = CodeReader(text, isSpoken: isSpoken)
    reader.leaveOutAddresses()
    for party in parties { reader.leaveOut(number: party) }
    let found = reader.candidates
    var known: Set<String> = []
    candidates = found.map(\.code).filter { known.insert($0).inserted }
    code = candidates.count == 1 ? candidates[0] : reader.choice(of: found, by: words + Self.words)
  }

  /// Values of template variables: the only one that is a code as a whole.
  package init(of values: [String]) {
    var known: Set<String> = []
    candidates = values.map(\.foldingDigits).filter {
      Self.length.contains($0.utf8.count) && $0.utf8.allSatisfy { $0.isDigit } && known.insert($0).inserted
    }
    code = candidates.count == 1 ? candidates[0] : nil
  }

  /// Words beside which a code stands.
  static let words = [
    "code", "otp", "pin", "passcode", "password", "token", "kennwort", "passwort", "código", "codigo",
    "codice", "kod", "kód", "код", "пароль", "验证码", "驗證碼", "校验码", "コード", "인증번호", "코드", "رمز", "كود", "קוד",
    "mã", "kode", "kodu", "koodi", "κωδικός", "รหัส", "कोड",
  ]
}

/// One text, as scalars that can be left out.
struct CodeReader {
  /// Digits of all scripts are 0 to 9 here. Left out: `gap`.
  private(set) var scalars: [Unicode.Scalar]
  private let isSpoken: Bool
  static let gap: Unicode.Scalar = "\u{FFFC}"
  /// No message is longer; what follows is not read.
  private static let limit = 20_000

  struct Candidate {
    let code: String
    let range: Range<Int>
  }

  init(_ text: String, isSpoken: Bool) {
    scalars = text.unicodeScalars.prefix(Self.limit).map(\.foldingDigit)
    self.isSpoken = isSpoken
  }

  func text(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(scalars[range])) }

  /// The end of the scalars from a place that a condition holds for.
  func end(from start: Int, where isPart: (Unicode.Scalar) -> Bool) -> Int {
    scalars[start...].firstIndex { !isPart($0) } ?? scalars.count
  }

  // MARK: What is no code

  /// URLs, email addresses, numbers with a plus sign, and the line by which an app recognizes its text.
  mutating func leaveOutAddresses() {
    var start = (scalars.lastIndex(of: "\n") ?? -1) + 1
    let line = text(start..<scalars.count)
    if start > 0, line.isAppHash {
      leaveOut(start..<scalars.count)
    } else if line.hasPrefix("@"), let sign = scalars[start...].firstIndex(of: "#") {
      // `@example.com #123456`: the code is the digits.
      leaveOut(start..<sign)
    }
    start = 0
    while start < scalars.count {
      let end = end(from: start) { !$0.isSpace }
      if end - start > 3, case let word = text(start..<end), word.isAddress {
        leaveOut(start..<end)
        if isSpoken, let digit = word.playedDigit {
          for place in start..<end { scalars[place] = place == start ? digit : " " }
        }
      }
      start = end + 1
    }
    for place in scalars.indices where scalars[place] == "+" {
      let end = end(from: place + 1, where: \.isPartOfNumber)
      if end > place + 1, scalars[place + 1].isPlainDigit { leaveOut(place..<end) }
    }
  }

  /// A number in any way of writing, with or without its calling code.
  mutating func leaveOut(number: String) {
    let digits = Array(number.unicodeScalars.filter(\.isPlainDigit))
    guard digits.count >= WrittenCode.length.lowerBound else { return }
    for place in scalars.indices where scalars[place].isPlainDigit {
      if place > 0, scalars[place - 1].isPlainDigit { continue }
      for skipped in 0...max(0, digits.count - 7) {
        guard let end = end(of: digits.dropFirst(skipped), at: place) else { continue }
        leaveOut(place..<end)
        break
      }
    }
  }

  private func end(of digits: ArraySlice<Unicode.Scalar>, at start: Int) -> Int? {
    var place = start
    for digit in digits {
      for _ in 0..<2 where place > start && place < scalars.count && !scalars[place].isPlainDigit {
        if scalars[place].isPartOfNumber { place += 1 }
      }
      guard place < scalars.count, scalars[place] == digit else { return nil }
      place += 1
    }
    return place < scalars.count && scalars[place].isPlainDigit ? nil : place
  }

  private mutating func leaveOut(_ range: Range<Int>) {
    for place in range { scalars[place] = Self.gap }
  }

  // MARK: Candidates

  /// Of the first way of writing codes that the text has.
  var candidates: [Candidate] {
    let runs = runs
    let whole = runs.filter { WrittenCode.length.contains($0.count) && stands(alone: $0) }
      .map { Candidate(code: text($0), range: $0) }
    // A year or the number of an order does not hide a code in groups, which are two runs or more.
    if runs.count < whole.count + 2 || whole.contains(where: { !isSomethingElse($0) }),
      !whole.isEmpty
    {
      return whole
    }
    let others = written(by: runs).filter { other in !whole.contains { $0.range.overlaps(other.range) } }
    return (whole + others).sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// In groups, or else digit by digit.
  private func written(by runs: [Range<Int>]) -> [Candidate] {
    let groups = chained(runs, ofLengths: 2...5, separators: 1, where: \.separatesGroups)
      .filter { (2...3).contains($0.parts) && WrittenCode.length.contains($0.code.utf8.count) }
    if !groups.isEmpty { return groups.map { Candidate(code: $0.code, range: $0.range) } }
    return chained(runs, ofLengths: 1...1, separators: .max, where: \.separatesDigits)
      .compactMap { spelled in
        let code = isSpoken ? spelled.code.withoutRepetitions : spelled.code
        return WrittenCode.length.contains(code.utf8.count)
          ? Candidate(code: code, range: spelled.range) : nil
      }
  }

  /// Of digits, as long as they are.
  private var runs: [Range<Int>] {
    var (runs, place) = ([Range<Int>](), 0)
    while let start = scalars[place...].firstIndex(where: \.isPlainDigit) {
      place = end(from: start, where: \.isPlainDigit)
      runs.append(start..<place)
    }
    return runs
  }

  /// Runs that follow each other with at most so many separators between them.
  private func chained(
    _ runs: [Range<Int>], ofLengths lengths: ClosedRange<Int>, separators: Int,
    where isSeparator: (Unicode.Scalar) -> Bool
  ) -> [(code: String, parts: Int, range: Range<Int>)] {
    var chains: [(code: String, parts: Int, range: Range<Int>)] = []
    var isOpen = false
    for run in runs {
      guard lengths.contains(run.count) else {
        isOpen = false
        continue
      }
      if isOpen, let last = chains.last, case let between = last.range.upperBound..<run.lowerBound,
        between.count <= separators, scalars[between].allSatisfy(isSeparator), !endsSpeech(between)
      {
        chains[chains.count - 1].code += text(run)
        chains[chains.count - 1].parts += 1
        chains[chains.count - 1].range = last.range.lowerBound..<run.upperBound
      } else {
        chains.append((text(run), 1, run))
      }
      isOpen = true
    }
    return chains.filter { stands(alone: $0.range) }
  }

  /// True at the end of a spoken text with words, such as "To hear your code, press 1": what the call says
  /// next is another number.
  private func endsSpeech(_ between: Range<Int>) -> Bool {
    guard isSpoken, scalars[between].contains("\n") else { return false }
    let line = scalars[..<between.lowerBound].lastIndex(of: "\n").map { $0 + 1 } ?? 0
    return scalars[line..<between.lowerBound].contains(where: \.isLetter)
  }

  /// True without a letter at either side. One with a dash, as in `G-482913`, and scripts without spaces
  /// between words are allowed.
  private func stands(alone range: Range<Int>) -> Bool {
    let before = range.lowerBound > 0 && scalars[range.lowerBound - 1].isLetterOfWord
    let after = range.upperBound < scalars.count && scalars[range.upperBound].isLetterOfWord
    return !before && !after
  }
}

extension Unicode.Scalar {
  /// A digit of any script as 0 to 9.
  fileprivate var foldingDigit: Unicode.Scalar {
    guard !isASCII, properties.numericType == .decimal, let value = properties.numericValue else {
      return self
    }
    return Unicode.Scalar(UInt8(ascii: "0") + UInt8(value))
  }

  var isPlainDigit: Bool { ("0"..."9").contains(self) }

  var isSpace: Bool { properties.isWhitespace }

  /// What a written phone number has.
  fileprivate var isPartOfNumber: Bool {
    isPlainDigit || self == " " || self == "." || self == "-" || self == "(" || self == ")"
      || self == "\u{A0}"
  }

  /// Between the groups of a code.
  fileprivate var separatesGroups: Bool {
    self == " " || self == "-" || self == "." || self == "\u{A0}" || self == "\u{2009}"
      || self == "\u{202F}"
  }

  /// Between the digits of a spelled code.
  fileprivate var separatesDigits: Bool {
    isSpace || self == "," || self == "." || self == "-" || self == "–" || self == "…" || self == ";"
  }

  /// Also a mark on a letter.
  var isLetter: Bool {
    if isASCII { return ("a"..."z").contains(self) || ("A"..."Z").contains(self) }
    return properties.isAlphabetic || properties.canonicalCombiningClass != .notReordered
  }

  /// A letter of a script that has spaces between words.
  var isLetterOfWord: Bool {
    guard isLetter else { return false }
    return !(0x0E00...0x0EFF).contains(value) && !(0x2E80...0x9FFF).contains(value)
      && !(0xAC00...0xD7AF).contains(value) && !(0xF900...0xFAFF).contains(value) && value < 0x20000
  }
}

extension String {
  fileprivate var foldingDigits: String {
    String(String.UnicodeScalarView(unicodeScalars.map(\.foldingDigit)))
  }

  /// `FA+9qCX9VSu`: the last line of a text that Android's SMS Retriever hands to its app.
  fileprivate var isAppHash: Bool {
    utf8.count == 11 && utf8.allSatisfy { $0.isAlphanumeric || "+/=".utf8.contains($0) }
  }

  /// A URL, an email address, or a server in development with its port.
  fileprivate var isAddress: Bool {
    if contains("://") || hasPrefix("www.") || isServerInDevelopment { return true }
    let parts = split(separator: "@", omittingEmptySubsequences: false)
    if parts.count == 2, !parts[0].isEmpty, parts[1].contains(".") { return true }
    // `example.com/verify?code=1234`
    guard let slash = firstIndex(of: "/") else { return false }
    let host = self[..<slash]
    return host.contains(".") && host.last?.isLetter == true
      && host.utf8.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
  }

  /// The digit that a sound file says by its name: `…/3.mp3`, `…/3_middle.mp3`, `…/digit-3.wav`.
  fileprivate var playedDigit: Unicode.Scalar? {
    let path = unicodeScalars.prefix { $0 != "?" && $0 != "#" }
    let file = path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...]
    let name = Array(file[..<(file.lastIndex(of: ".") ?? file.endIndex)])
    func isSeparator(_ place: Int) -> Bool {
      !name.indices.contains(place) || !name[place].isLetter && !name[place].isPlainDigit
    }
    if let first = name.first, first.isPlainDigit, isSeparator(1) { return first }
    if let last = name.last, last.isPlainDigit, isSeparator(name.count - 2) { return last }
    return nil
  }

  /// `localhost:8000`, `127.0.0.1:8000/verify`, `app.test:8000`: frameworks have it as the name of the site.
  private var isServerInDevelopment: Bool {
    let address = prefix { $0 != "/" }
    guard let colon = address.firstIndex(of: ":"),
      address[colon...].dropFirst().utf8.first?.isDigit == true
    else { return false }
    let labels = address[..<colon].split(separator: ".", omittingEmptySubsequences: false)
    return ["localhost", "local", "test"].contains(labels.last)
      || labels.count == 4 && labels.allSatisfy { UInt8($0) != nil }
  }

  /// `12341234` is `1234`: a call says a code several times.
  fileprivate var withoutRepetitions: String {
    let digits = Array(self)
    for length in WrittenCode.length where digits.count > length && digits.count.isMultiple(of: length) {
      if digits.indices.allSatisfy({ digits[$0] == digits[$0 % length] }) {
        return String(digits.prefix(length))
      }
    }
    return self
  }
}
