/// A span below zero for `ringfence clock advance`, which ArgumentParser would take for an unknown option.
struct NegativeSpan: CustomStringConvertible {
  private let span: String

  /// Nil for other words.
  init?(_ words: some Collection<String>) {
    guard words.starts(with: ["clock", "advance"]),
      let span = words.dropFirst(2).first(where: Self.isNegative)
    else { return nil }
    self.span = span
  }

  /// The words with `--nth=-1` for `--nth -1`, in which the library would miss a value. What follows `--` is
  /// another program's.
  static func joined(_ words: some Sequence<String>) -> [String] {
    var joined: [String] = []
    for word in words {
      if let option = joined.last, option.hasPrefix("--"), option != "--", !option.contains("="),
        !joined.contains("--"), isNegative(word)
      {
        joined[joined.count - 1] = "\(option)=\(word)"
      } else {
        joined.append(word)
      }
    }
    return joined
  }

  private static func isNegative(_ word: String) -> Bool {
    word.hasPrefix("-") && word.dropFirst().first?.isNumber ?? false
  }

  var description: String {
    """
    Error: expected a duration such as 10m, 601s or 1h30m, because the clock only advances; found \(span)
      To go back, set the time: ringfence clock set 2026-01-05T10:20:30Z
    """
  }
}
