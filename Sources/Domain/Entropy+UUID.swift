import JSON

/// UUIDs of version 7 (RFC 9562), in lower case: they lead with their time, and back to their ordinal.
extension Entropy {
  /// The UUID of what has this ordinal and began at this time.
  package func uuid(_ label: StaticString, _ ordinal: Int, at time: Timestamp) -> String {
    let words = timeOrdered(label, ordinal, at: time)
    let digits = Hex.encode(words.high) + Hex.encode(words.low)
    var text = ""
    for (place, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(place) { text.append("-") }
      text.append(digit)
    }
    return text
  }

  /// The ordinal behind a UUID; nil for any text that `uuid` never gave under this label.
  package func ordinal(ofUUID text: String, under label: StaticString) -> Int? {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12],
      text.utf8.allSatisfy({ $0 == 0x2D || $0.isLowercaseHexDigit }),
      let high = UInt64(groups[0...2].joined(), radix: 16), let low = UInt64(groups[3...].joined(), radix: 16)
    else { return nil }
    return ordinal(ofTimeOrdered: (high, low), under: label)
  }
}
