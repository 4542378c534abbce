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
    code = candidates.count == 1 ? candidates[0] : reader.nearest(of: found, to: words + Self.words)
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
    "mã", "kode", "koodi", "κωδικός", "รหัส", "कोड",
  ]
}

extension Message {
  /// What could be its code, in the order of the text.
  package var codeCandidates: [String] {
    if let code, codeSource != .text, codeSource != .speech { return [code] }
    guard channel != .push, channel != .silent else { return [] }
    return WrittenCode(in: text, isSpoken: channel == .call, parties: [destination, sender]).candidates
  }
}

/// One text, as characters that can be left out.
private struct CodeReader {
  /// Digits of all scripts are 0 to 9 here. Left out: `gap`.
  private var characters: [Character]
  private let isSpoken: Bool
  private static let gap: Character = "\u{FFFC}"

  struct Candidate {
    let code: String
    let range: Range<Int>
  }

  init(_ text: String, isSpoken: Bool) {
    characters = text.map(\.foldingDigit)
    self.isSpoken = isSpoken
  }

  // MARK: What is no code

  /// URLs, email addresses, numbers with a plus sign, and the line by which an app recognizes its text.
  mutating func leaveOutAddresses() {
    var start = (characters.lastIndex(of: "\n") ?? -1) + 1
    let line = String(characters[start...])
    if start > 0, line.isAppHash {
      leaveOut(start..<characters.count)
    } else if line.hasPrefix("@"), let sign = line.firstIndex(of: "#") {
      // `@example.com #123456`: the code is the digits.
      leaveOut(start..<start + line.distance(from: line.startIndex, to: sign))
    }
    start = 0
    while start < characters.count {
      guard !characters[start].isWhitespace else {
        start += 1
        continue
      }
      let end = characters[start...].firstIndex(where: \.isWhitespace) ?? characters.count
      if String(characters[start..<end]).isAddress { leaveOut(start..<end) }
      start = end
    }
    for place in characters.indices where characters[place] == "+" {
      let rest = characters[(place + 1)...].prefix { $0.isPlainDigit || " .-()\u{A0}".contains($0) }
      if rest.first?.isPlainDigit == true { leaveOut(place..<rest.endIndex) }
    }
  }

  /// A number in any way of writing, with or without its calling code.
  mutating func leaveOut(number: String) {
    let digits = Array(number.filter(\.isPlainDigit))
    guard digits.count >= WrittenCode.length.lowerBound else { return }
    for place in characters.indices where characters[place].isPlainDigit {
      if place > 0, characters[place - 1].isPlainDigit { continue }
      for skipped in 0...max(0, digits.count - 7) {
        guard let end = end(of: digits[skipped...], at: place) else { continue }
        leaveOut(place..<end)
        break
      }
    }
  }

  private func end(of digits: ArraySlice<Character>, at start: Int) -> Int? {
    var place = start
    for digit in digits {
      if place > start {
        let separators = characters[place...].prefix(2).prefix { " .-()\u{A0}".contains($0) }
        place = separators.endIndex
      }
      guard place < characters.count, characters[place] == digit else { return nil }
      place += 1
    }
    return place < characters.count && characters[place].isPlainDigit ? nil : place
  }

  private mutating func leaveOut(_ range: Range<Int>) {
    for place in range { characters[place] = Self.gap }
  }

  // MARK: Candidates

  /// Of the first way of writing codes that the text has.
  var candidates: [Candidate] {
    let runs = runs
    let whole = runs.filter { WrittenCode.length.contains($0.count) && stands(alone: $0) }
    if !whole.isEmpty { return whole.map { Candidate(code: String(characters[$0]), range: $0) } }
    let groups = chained(runs, ofLengths: 2...5, separators: 1) { " -.\u{A0}\u{2009}\u{202F}".contains($0) }
      .filter { (2...3).contains($0.parts) && WrittenCode.length.contains($0.code.count) }
    if !groups.isEmpty { return groups.map { Candidate(code: $0.code, range: $0.range) } }
    return chained(runs, ofLengths: 1...1, separators: .max) { $0.isWhitespace || ",.-–…;".contains($0) }
      .compactMap { spelled in
        let code = isSpoken ? spelled.code.withoutRepetitions : spelled.code
        return WrittenCode.length.contains(code.count) ? Candidate(code: code, range: spelled.range) : nil
      }
  }

  /// Of digits, as long as they are.
  private var runs: [Range<Int>] {
    var (runs, place) = ([Range<Int>](), 0)
    while let start = characters[place...].firstIndex(where: \.isPlainDigit) {
      place = characters[start...].firstIndex { !$0.isPlainDigit } ?? characters.count
      runs.append(start..<place)
    }
    return runs
  }

  /// Runs that follow each other with at most so many separators between them.
  private func chained(
    _ runs: [Range<Int>], ofLengths lengths: ClosedRange<Int>, separators: Int,
    where isSeparator: (Character) -> Bool
  ) -> [(code: String, parts: Int, range: Range<Int>)] {
    var chains: [(code: String, parts: Int, range: Range<Int>)] = []
    var isOpen = false
    for run in runs {
      guard lengths.contains(run.count) else {
        isOpen = false
        continue
      }
      if isOpen, let last = chains.last, case let between = last.range.upperBound..<run.lowerBound,
        between.count <= separators, characters[between].allSatisfy(isSeparator)
      {
        chains[chains.count - 1] = (
          last.code + String(characters[run]), last.parts + 1, last.range.lowerBound..<run.upperBound
        )
      } else {
        chains.append((String(characters[run]), 1, run))
      }
      isOpen = true
    }
    return chains.filter { stands(alone: $0.range) }
  }

  /// True without a letter at either side. One with a dash, as in `G-482913`, and scripts without spaces
  /// between words are allowed.
  private func stands(alone range: Range<Int>) -> Bool {
    let before = range.lowerBound > 0 ? characters[range.lowerBound - 1] : " "
    let after = range.upperBound < characters.count ? characters[range.upperBound] : " "
    return !before.isLetterOfWord && !after.isLetterOfWord
  }

  // MARK: Choice

  /// The code of the candidate that is nearest to a code word in its sentence; nil without one, or if two
  /// are as near.
  func nearest(of candidates: [Candidate], to words: [String]) -> String? {
    let places = places(of: Set(words.map { $0.lowercased() }))
    var best: (distance: Int, codes: Set<String>)?
    for candidate in candidates {
      let sentence = sentence(around: candidate.range)
      let distances = places.filter { sentence.contains($0.lowerBound) }.map {
        max($0.lowerBound - candidate.range.upperBound, candidate.range.lowerBound - $0.upperBound)
      }
      guard let distance = distances.min(), distance <= best?.distance ?? .max else { continue }
      let others = best.map { $0.distance == distance ? $0.codes : [] } ?? []
      best = (distance, others.union([candidate.code]))
    }
    return best.flatMap { $0.codes.count == 1 ? $0.codes.first : nil }
  }

  /// Of a period, an exclamation or question mark before a space, or a line break, to the next.
  private func sentence(around range: Range<Int>) -> Range<Int> {
    func isEnd(_ place: Int) -> Bool {
      let character = characters[place]
      if character.isNewline || "。！？".contains(character) { return true }
      return ".!?".contains(character)
        && (place + 1 == characters.count || characters[place + 1].isWhitespace)
    }
    let start = (0..<range.lowerBound).last(where: isEnd).map { $0 + 1 } ?? 0
    let end = (range.upperBound..<characters.count).first(where: isEnd) ?? characters.count
    return start..<end
  }

  /// Where code words stand: as words, and long ones also at the start or end of a word.
  private func places(of words: Set<String>) -> [Range<Int>] {
    var (places, start) = ([Range<Int>](), 0)
    while let first = characters[start...].firstIndex(where: \.isLetter) {
      let end = characters[first...].firstIndex { !$0.isLetter } ?? characters.count
      let word = String(characters[first..<end]).lowercased()
      let isCodeWord = words.contains { codeWord in
        guard word != codeWord else { return true }
        if !(word.first?.isLetterOfWord ?? true) { return word.contains(codeWord) }
        return codeWord.count > 3 && (word.hasPrefix(codeWord) || word.hasSuffix(codeWord))
      }
      if isCodeWord { places.append(first..<end) }
      start = end
    }
    return places
  }
}

extension Character {
  /// A digit of any script as 0 to 9.
  fileprivate var foldingDigit: Character {
    guard !isASCII, unicodeScalars.count == 1, let scalar = unicodeScalars.first,
      scalar.properties.numericType == .decimal, let value = wholeNumberValue
    else { return self }
    return Character(String(value))
  }

  fileprivate var isPlainDigit: Bool { isASCII && isNumber }

  /// A letter of a script that has spaces between words.
  fileprivate var isLetterOfWord: Bool {
    guard isLetter, let scalar = unicodeScalars.first?.value else { return false }
    return !(0x0E00...0x0EFF).contains(scalar) && !(0x2E80...0x9FFF).contains(scalar)
      && !(0xAC00...0xD7AF).contains(scalar) && !(0xF900...0xFAFF).contains(scalar) && scalar < 0x20000
  }
}

extension String {
  fileprivate var foldingDigits: String { String(map(\.foldingDigit)) }

  /// `FA+9qCX9VSu`: the last line of a text that Android's SMS Retriever hands to its app.
  fileprivate var isAppHash: Bool {
    utf8.count == 11 && utf8.allSatisfy { $0.isAlphanumeric || "+/=".utf8.contains($0) }
  }

  /// A URL or an email address.
  fileprivate var isAddress: Bool {
    if contains("://") || hasPrefix("www.") { return true }
    let parts = split(separator: "@", omittingEmptySubsequences: false)
    if parts.count == 2, !parts[0].isEmpty, parts[1].contains(".") { return true }
    // `example.com/verify?code=1234`
    guard let slash = firstIndex(of: "/") else { return false }
    let host = self[..<slash]
    return host.contains(".") && host.last?.isLetter == true
      && host.utf8.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
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
