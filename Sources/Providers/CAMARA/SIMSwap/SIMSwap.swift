import ProviderKit

// SIM Swap 2.1.0. Source: contract 6.

extension Scope {
  static let simSwap = ["sim-swap", "sim-swap:check", "sim-swap:retrieve-date"]
}

extension CAMARAProvider {
  static var simSwapRoutes: [Route<Sandbox>] {
    [
      .post("/sim-swap/v2/check", as: "checkSimSwap", operation("sim-swap:check", checkSIMSwap)),
      .post(
        "/sim-swap/v2/retrieve-date", as: "retrieveSimSwapDate",
        operation("sim-swap:retrieve-date", retrieveSIMSwapDate)),
    ]
  }
}

/// `POST /check`: whether the SIM card has changed within the last hours.
func checkSIMSwap(_ context: RequestContext) throws -> Response {
  let body = try context.body
  let number = try body.optionalPhoneNumber()
  let hours = try Swap.maxAge(body, context.settings)
  let subscriber = try Subject.subscriber(numbered: number, context)
  let swap = subscriber.lastSIMSwap(before: context.now, context.settings)
  return Swap(time: swap, context: context).response(within: hours)
}

/// `POST /retrieve-date`: when the number got its present SIM card.
func retrieveSIMSwapDate(_ context: RequestContext) throws -> Response {
  let number = try context.body.optionalPhoneNumber()
  let subscriber = try Subject.subscriber(numbered: number, context)
  let swap = subscriber.lastSIMSwap(before: context.now, context.settings)
  let activation = subscriber.simCard == .connected ? subscriber.activatedAt : nil
  return Swap(time: swap ?? activation, context: context).response("latestSimChange")
}

extension Subscriber {
  /// When the number got its present SIM card by a swap; nil if it never did. With `newSimCountsAsSwap`, a
  /// new contract, a number that was brought along and a new holder are swaps too, once a card is connected.
  fileprivate func lastSIMSwap(before now: Timestamp, _ settings: Settings) -> Timestamp? {
    guard simCard != .missing else { return nil }
    var times = simSwaps
    if settings.newSIMCountsAsSwap, simCard == .connected {
      times += [activatedAt, portedAt, subscriberPeriods.last?.from].compactMap(\.self)
    }
    return times.filter { $0 <= now }.max()
  }
}
