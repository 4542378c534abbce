import Domain
import HTTP
import JSON

/// The sandbox's clock and its entropy.
extension ControlAPI {
  static let timeForm = "a time such as 2026-01-05T10:20:30Z"

  func fetchClock(_ request: Request, _ sandbox: Sandbox) -> Response {
    .json(200, JSONWriter.object { write(sandbox.clock, towards: sandbox.clockTarget, to: &$0) })
  }

  /// Answers when the clock has arrived: on its way it halts for webhooks that are due and have not ended.
  func setClock(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let fields = try request.json
    let change = try ClockChange(fields)
    try fields.requireAllRead()
    try change.apply(to: sandbox)
    return try wait(Self.longestJourney, request, sandbox) { sandbox in
      sandbox.clockTarget == nil ? fetchClock(request, sandbox) : nil
    } onTimeout: { sandbox in
      .json(202, JSONWriter.object { write(sandbox.clock, towards: sandbox.clockTarget, to: &$0) })
    }
  }

  /// An attempt ends within seconds, and two weeks of retries are some forty attempts.
  private static let longestJourney = Duration.seconds(3600)

  func fetchEntropy(_ request: Request, _ sandbox: Sandbox) -> Response {
    .json(200, JSONWriter.object { $0.member("entropySeed", sandbox.entropy.seed) })
  }

  func setEntropy(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let fields = try request.json
    let seed = try fields.int("entropySeed")
    try fields.requireAllRead()
    try sandbox.set(entropySeed: seed)
    return fetchEntropy(request, sandbox)
  }

  func write(_ clock: SandboxClock, towards target: Timestamp? = nil, to json: inout JSONWriter) {
    json.member("mode", clock.mode.word)
    json.member("now", clock.now.iso8601Exact)
    if let target { json.member("towards", target.iso8601Exact) }
  }

  /// What a request wants of the clock: a mode, a time, a step, in this order.
  private struct ClockChange {
    private var mode: String?
    private var time: Timestamp?
    private var step: Duration?

    init(_ fields: Fields) throws(FieldError) {
      mode = try fields.optionalString("mode")
      if let mode, !["real", "frozen"].contains(mode) {
        throw fields.mismatch("mode", expected: "one of real, frozen")
      }
      if let text = try fields.optionalString("set") {
        guard let time = Timestamp(iso8601: text) else {
          throw fields.mismatch("set", expected: ControlAPI.timeForm)
        }
        self.time = time
      }
      if let text = try fields.optionalString("advance") {
        guard let step = Duration(text: text) else {
          throw fields.mismatch("advance", expected: "a span such as 11m, 601s or 1h30m")
        }
        self.step = step
      }
      if let milliseconds = try fields.optionalCount("advanceMs") { step = .milliseconds(milliseconds) }
      guard mode != nil || time != nil || step != nil else {
        throw fields.mismatch("advance", expected: "at least one of mode, set, advance, advanceMs")
      }
    }

    func apply(to sandbox: Sandbox) throws {
      if let mode { try sandbox.set(clock: mode == "frozen" ? .frozen(sandbox.clock.now) : .real) }
      if let time { try sandbox.set(clockTo: time) }
      if let step {
        guard (sandbox.clockTarget ?? sandbox.clock.now) + step <= Timestamp.latest else {
          throw FieldError(path: "$.advance", expected: "a time before the year 10000", found: "a later one")
        }
        try sandbox.advance(by: step)
      }
    }
  }
}
