/// Which of several candidates is the code: the one that a code word is said of, or else the one nearest to a
/// code word. Source: `senders.md` 10.
extension CodeReader {
  /// The less, the sooner it is the code.
  private enum Likelihood: Int {
    /// `code: 4711`, `code for Acme is 4711`, `4711 is your code`
    case named, plain
    /// A year, an amount, the number of an order.
    case unlikely
  }

  /// Nil without a code word, or if two are as likely.
  func choice(of candidates: [Candidate], by words: [String]) -> String? {
    let places = places(of: Set(words.map { $0.lowercased() }))
    guard !places.isEmpty else { return nil }
    let sentences = sentences
    let named = named(candidates, places, sentences)
    var next = 0
    var best: (rank: (Int, Int), codes: Set<String>)?
    var elsewhere: Set<String> = []
    for (index, candidate) in candidates.enumerated() {
      while next < places.count, places[next].lowerBound < candidate.range.lowerBound { next += 1 }
      var words = places[max(0, next - 1)..<min(next + 1, places.count)]
        .filter { sentences[$0.lowerBound] == sentences[candidate.range.lowerBound] }
      var likelihood = isSomethingElse(candidate) ? Likelihood.unlikely : .plain
      if let word = named[index] { (words, likelihood) = ([places[word]], .named) }
      guard
        let distance = words.map({
          max($0.lowerBound - candidate.range.upperBound, candidate.range.lowerBound - $0.upperBound)
        }).min()
      else {
        if likelihood == .plain { elsewhere.insert(candidate.code) }
        continue
      }
      let rank = (likelihood.rawValue, distance)
      if let known = best?.rank, known < rank { continue }
      let others = best.map { $0.rank == rank ? $0.codes : [] } ?? []
      best = (rank, others.union([candidate.code]))
    }
    // `Your code is valid until 2027. 482913`
    if best?.rank.0 == Likelihood.unlikely.rawValue, !elsewhere.isEmpty { best = ((0, 0), elsewhere) }
    return best.flatMap { $0.codes.count == 1 ? $0.codes.first : nil }
  }

  /// The code words, by their place in `places`, that are said of candidates: one of each.
  private func named(
    _ candidates: [Candidate], _ places: [Range<Int>], _ sentences: [Int]
  ) -> [Int: Int] {
    var (following, preceding): ([Int: Int], [Int: Int]) = ([:], [:])
    for (index, candidate) in candidates.enumerated() where !isNumberOfOther(candidate) {
      let next = places.partitioned { $0.lowerBound >= candidate.range.lowerBound }
      let last = next - 1
      if last >= 0, following[last] == nil, let link = link(before: candidate),
        link.isWord(places[last])
          || link.isSaid && sentences[link.place] == sentences[places[last].lowerBound]
      {
        following[last] = index
      } else if next < places.count, let link = link(after: candidate),
        link.isWord(places[next])
          ? !isYear(candidate) && preceding[next] == nil
          : link.isSaid && sentences[link.place] == sentences[places[next].lowerBound]
      {
        preceding[next] = index
      }
    }
    let named = preceding.merging(following) { _, following in following }
    return Dictionary(named.map { ($0.value, $0.key) }) { word, _ in word }
  }

  /// What stands beside a candidate: a word, and whether it or a mark says that the candidate is what the
  /// sentence is about.
  private struct Link {
    let place: Int
    let word: Range<Int>?
    let isSaid: Bool

    func isWord(_ other: Range<Int>) -> Bool { word == other }
  }

  private func link(before candidate: Candidate) -> Link? {
    var (place, hasMark) = (candidate.range.lowerBound - 1, false)
    while place >= 0, !scalars[place].isLetter, !scalars[place].isPlainDigit, scalars[place] != Self.gap {
      if scalars[place] != "\n", endsSentence(place) { return nil }
      if Self.marks.contains(scalars[place]) { hasMark = true }
      place -= 1
    }
    guard place >= 0 else { return nil }
    let word = word(endingAt: place)
    let isSaid = hasMark || word.map { Self.before.contains(text($0).lowercased()) } ?? false
    return Link(place: place, word: word, isSaid: isSaid)
  }

  private func link(after candidate: Candidate) -> Link? {
    var (place, hasDash) = (candidate.range.upperBound, false)
    while place < scalars.count, !scalars[place].isLetter, !scalars[place].isPlainDigit,
      scalars[place] != Self.gap
    {
      if scalars[place] != "\n", endsSentence(place) { return nil }
      if scalars[place].properties.isDash { hasDash = true }
      place += 1
    }
    guard let word = word(startingAt: place) else { return nil }
    let text = text(word).lowercased()
    return Link(
      place: place, word: word,
      isSaid: hasDash || Self.after.contains(text) || Self.joined.contains { text.hasPrefix($0) })
  }

  /// A longer one is no word.
  private static let longestWord = 40

  /// The letters whose last one is here.
  func word(endingAt place: Int) -> Range<Int>? {
    guard place >= 0, scalars[place].isLetter else { return nil }
    var start = place
    while start > 0, scalars[start - 1].isLetter, place - start < Self.longestWord { start -= 1 }
    return start..<place + 1
  }

  /// The letters whose first one is here.
  func word(startingAt place: Int) -> Range<Int>? {
    guard place < scalars.count, scalars[place].isLetter else { return nil }
    var end = place + 1
    while end < scalars.count, scalars[end].isLetter, end - place < Self.longestWord { end += 1 }
    return place..<end
  }

  /// Between a code word and the code.
  private static let marks: Set<Unicode.Scalar> = [":", "：", "=", "–", "—", "-", "→", ">"]

  private static let verbs: Set<String> = [
    "is", "ist", "lautet", "es", "est", "è", "é", "to", "je", "är", "er", "on", "là", "adalah", "είναι", "هو",
    "הוא", "este",
  ]
  /// `code for Acme is 4711`, `for your code enter 4711`
  private static let before = verbs.union(["are", "sind", "enter", "use", "คือ"])
  /// `4711 is your code`, `use 4711 as your code`; a dash says it, too.
  private static let after = verbs.union(["as", "als", "como", "comme", "come"])
  /// The same in scripts without spaces between words, at the start of what follows.
  private static let joined = ["是", "为", "為", "は", "が", "은", "는"]

  // MARK: Words

  /// The number of each scalar's sentence. One ends with a period, an exclamation or question mark before a
  /// space, or with a line break.
  private var sentences: [Int] {
    var number = 0
    return scalars.indices.map { place in
      defer { if endsSentence(place) { number += 1 } }
      return number
    }
  }

  func endsSentence(_ place: Int) -> Bool {
    switch scalars[place] {
    case "\n", "。", "！", "？": true
    case ".", "!", "?": place + 1 == scalars.count || scalars[place + 1].isSpace
    default: false
    }
  }

  /// Where code words stand: as words, and long ones also at the start or end of a word.
  private func places(of words: Set<String>) -> [Range<Int>] {
    var (places, start) = ([Range<Int>](), 0)
    while let first = scalars[start...].firstIndex(where: \.isLetter) {
      start = end(from: first, where: \.isLetter)
      let word = text(first..<start).lowercased()
      let isOfWords = scalars[first].isLetterOfWord
      let isCodeWord =
        words.contains(word)
        || words.contains { codeWord in
          guard isOfWords else { return word.contains(codeWord) }
          return codeWord.utf8.count > 3 && (word.hasPrefix(codeWord) || word.hasSuffix(codeWord))
        }
      if isCodeWord { places.append(first..<start) }
    }
    return places
  }
}

extension [Range<Int>] {
  /// The first place from which on a condition holds, in an order in which it stays true.
  fileprivate func partitioned(by condition: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if condition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
