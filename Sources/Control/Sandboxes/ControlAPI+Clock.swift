/// The sandbox's clock and its random seed.
extension ControlAPI {
  func fetchClock(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let limit = try Parameter.arrival.value(in: request.query) ?? 0
    return try waitForArrival(.seconds(limit), sandbox, elseStatus: 200)
  }

  /// Answers when the clock has reached its target. On the way it waits for webhooks that are due. At the
  /// time limit the answer is 202 with the time so far, and the clock goes on.
  func setClock(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let limit = try Parameter.arrival.value(in: request.query) ?? Self.usualArrival
    try request.decodeBody(ClockChange.self).apply(to: sandbox)
    return try waitForArrival(.seconds(limit), sandbox, elseStatus: 202)
  }

  /// Seconds. HTTP clients wait at least ten for an answer.
  private static let usualArrival = 5

  private func waitForArrival(_ limit: Duration, _ sandbox: Sandbox, elseStatus status: Status) throws
    -> Reply
  {
    try wait(limit, sandbox) { sandbox in
      sandbox.clockTarget == nil && !sandbox.isBusy ? .now(ClockView(sandbox).response()) : nil
    } onTimeout: { sandbox in
      ClockView(sandbox).response(status)
    }
  }

  func fetchEntropy(_ request: Request, _ sandbox: Sandbox) -> Response {
    RandomSeed.schema.response(RandomSeed(entropySeed: sandbox.entropy.seed))
  }

  func setEntropy(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    try sandbox.set(entropySeed: request.decodeBody(RandomSeed.self).entropySeed)
    return fetchEntropy(request, sandbox)
  }
}

struct RandomSeed: RequestBody {
  var entropySeed = 1

  static let schema = Schema<RandomSeed>(
    "Entropy", "The random seed.",
    [.required("entropySeed", \.entropySeed, .randomSeed, "The random seed of later ids, codes and keys.")])
}

struct ClockView: Sendable {
  let mode: SandboxClock.Mode
  let now: Timestamp
  let target: Timestamp?

  init(_ sandbox: Sandbox) {
    mode = sandbox.clock.mode
    now = sandbox.clock.now
    target = sandbox.clockTarget
  }

  func response(_ status: Status = 200) -> Response { Self.schema.response(self, status: status) }

  static let schema = Schema<ClockView>(
    "Clock", "The sandbox's clock.",
    [
      .readOnly(
        "mode", .oneOf(["real", "frozen", "offset"]), "The mode: running, frozen, or running with an offset."
      ) {
        $0.mode.word
      },
      .readOnly("now", .timestamp, "The time now.") { $0.now },
      .readOnlyIfPresent("towards", .timestamp, "The time that the clock is advancing to.") { $0.target },
    ])
}

/// A change of the clock: first the mode, then the time, then the step.
struct ClockChange: RequestBody {
  enum Mode: String, CaseIterable, Sendable { case real, frozen }

  var mode: Mode?
  var time: Timestamp?
  var step: Duration?
  var milliseconds: Duration?

  static let schema = Schema<ClockChange>(
    "ClockChange", "A change of the clock: first the mode, then the time, then the step.",
    [
      .optional("mode", \.mode, .word, "Freezes the clock, or lets it run in real time."),
      .optional("set", \.time, .clockTime, "The new time: 1970 to 9998."),
      .optional("advance", \.step, .duration, "The step, such as 11m or 1h30m. Work that is due runs."),
      .optional("advanceMs", \.milliseconds, .milliseconds, "The step in milliseconds; wins over advance."),
    ], constraints: [.atLeastOne(of: ["advance", "mode", "set", "advanceMs"])])

  func apply(to sandbox: Sandbox) throws {
    if mode == .real, let time {
      try sandbox.run(clockFrom: time)
    } else {
      if let mode { try sandbox.set(clock: mode == .frozen ? .frozen(sandbox.clock.now) : .real) }
      if let time { try sandbox.set(clockTo: time) }
    }
    guard let step = milliseconds ?? step else { return }
    try requireEnd(after: sandbox.clockTarget ?? sandbox.clock.now)
    try sandbox.advance(by: step)
  }

  /// Throws if the step leads beyond the last time that a clock can show.
  func requireEnd(after start: Timestamp) throws(FieldError) {
    let end = SandboxClock.range.upperBound
    guard let step = milliseconds ?? step, start + step > end else { return }
    throw FieldError(
      path: milliseconds == nil ? "$.advance" : "$.advanceMs",
      expected: "a step that ends by \(end.iso8601Exact)", found: "a longer one")
  }
}
