/// A span below zero for `ringfence clock advance`, which ArgumentParser would take for an unknown option.
struct NegativeSpan: CustomStringConvertible {
  private let span: String

  /// Nil for other words.
  init?(_ words: some Collection<String>) {
    guard words.starts(with: ["clock", "advance"]),
      let span = words.dropFirst(2).first(where: {
        $0.hasPrefix("-") && $0.dropFirst().first?.isNumber ?? false
      })
    else { return nil }
    self.span = span
  }

  var description: String {
    """
    Error: expected a duration such as 10m, 601s or 1h30m, because the clock only advances; found \(span)
      To go back, set the time: ringfence clock set 2026-01-05T10:20:30Z
    """
  }
}
