extension Duration {
  /// Reads spans such as `11m`, `601s`, `1h30m`, `250ms`, `3d`; nil for other text.
  package init?(text: String) {
    var total: Int64 = 0
    var rest = text[...]
    guard !rest.isEmpty else { return nil }
    while !rest.isEmpty {
      let digits = rest.prefix { ("0"..."9").contains($0) }
      rest = rest[digits.endIndex...]
      let unit = rest.prefix { !("0"..."9").contains($0) }
      rest = rest[unit.endIndex...]
      guard let count = Int64(digits), let size = Self.units[String(unit)] else { return nil }
      let (span, tooLong) = count.multipliedReportingOverflow(by: size)
      let (sum, overflow) = total.addingReportingOverflow(span)
      guard !tooLong, !overflow, sum <= Self.longest else { return nil }
      total = sum
    }
    self = .milliseconds(total)
  }

  /// The shortest text that `init(text:)` reads: `10m`, `1h30m`, `250ms`.
  package var text: String {
    var rest = milliseconds
    guard rest > 0 else { return "0s" }
    var text = ""
    for (unit, size) in [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1)]
      as [(String, Int64)]
    where rest >= size {
      text += "\(rest / size)\(unit)"
      rest %= size
    }
    return text
  }

  /// A thousand years, in milliseconds; more is a typing error.
  private static let longest: Int64 = 31_556_952_000_000

  private static let units: [String: Int64] = [
    "ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000,
  ]
}

extension Duration {
  /// How long something unused can be kept.
  package static let ttlRange = Duration.seconds(1)...Duration.seconds(3650 * 86_400)
}
