import Domain
import HTTP
import JSON
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
  let hours = try maxAge(body, context.settings)
  let subscriber = try context.subscriber(numbered: number)
  let swap = subscriber.lastSIMSwap(before: context.now, context.settings)
  return context.response { $0.member("swapped", isSwapped(swap, within: hours, at: context.now)) }
}

/// `POST /retrieve-date`: when the number got its present SIM card.
func retrieveSIMSwapDate(_ context: RequestContext) throws -> Response {
  let number = try context.body.optionalPhoneNumber()
  let subscriber = try context.subscriber(numbered: number)
  let swap = subscriber.lastSIMSwap(before: context.now, context.settings)
  let activation = subscriber.simCard == .connected ? subscriber.activatedAt : nil
  return dateResponse("latestSimChange", swap ?? activation, context)
}

/// Exactly so many hours ago counts.
func isSwapped(_ swap: Timestamp?, within hours: Int, at now: Timestamp) -> Bool {
  swap.map { now - $0 <= .seconds(hours * 3600) } ?? false
}

/// The time of a swap, unless the operator may no longer keep it.
func dateResponse(_ name: StaticString, _ swap: Timestamp?, _ context: RequestContext) -> Response {
  let period = context.settings.monitoredPeriod
  let isKept = period.map { isSwapped(swap, within: $0 * 24, at: context.now) } ?? true
  return context.response { json in
    json.member(name, isKept ? swap?.iso8601Milliseconds : nil)
    if !isKept, context.version.has("monitoredPeriod") { json.member("monitoredPeriod", period) }
  }
}

/// The member `maxAge`, in hours.
func maxAge(_ body: Fields, _ settings: Settings) throws -> Int {
  let limit = min(2400, settings.monitoredPeriod.map { $0 * 24 } ?? .max)
  if let hours = try body.optionalInt("maxAge"), hours < 1, settings.maxAgeBelowOne == .invalidArgument {
    throw body.mismatch("maxAge", expected: "a positive integer")
  }
  return try body.optionalInteger("maxAge", in: 1...limit) ?? min(240, limit)
}

extension Subscriber {
  /// When the number got its present SIM card by a swap; nil if it never did. With `newSimCountsAsSwap`, a
  /// new contract, a number that was brought along and a new holder are swaps too, once a card is connected.
  func lastSIMSwap(before now: Timestamp, _ settings: Settings) -> Timestamp? {
    guard simCard != .missing else { return nil }
    var times = simSwaps
    if settings.newSIMCountsAsSwap, simCard == .connected {
      times += [activatedAt, portedAt, subscriberPeriods.last?.from].compactMap(\.self)
    }
    return times.filter { $0 <= now }.max()
  }
}
