import Domain

/// The seven sequences of messages and calls, and the waits after each. Source: contract 9.
struct LegacyWorkflow: Equatable {
  let channels: [Channel]
  /// In seconds.
  let waits: [Int]

  /// `expiry` and `wait` are those of the request, in seconds: the last wait is the validity of the code.
  init(_ number: Int, expiry: Int?, wait: Int?) {
    let known = Self.table[min(max(number, 1), Self.table.count) - 1]
    channels = known.channels
    waits = known.waits.enumerated().map { place, seconds in
      place + 1 < known.waits.count ? wait ?? seconds : expiry ?? wait ?? seconds
    }
  }

  private static let table: [(channels: [Channel], waits: [Int])] = [
    ([.sms, .call, .call], [125, 180, 300]),
    ([.sms, .sms, .call], [125, 180, 300]),
    ([.call, .call], [150, 150]),
    ([.sms, .sms], [120, 180]),
    ([.sms, .call], [125, 300]),
    ([.sms], [300]),
    ([.call], [300]),
  ]

  static let numbers = 1...table.count

  /// How long a code is valid if the request does not say, in seconds.
  static let defaultExpiry = 300
}
