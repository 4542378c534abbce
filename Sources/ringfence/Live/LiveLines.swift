import Control
import Loop

/// Shows requests in a terminal as they are answered, one a line: time, provider, number, outcome.
///
/// The event loop never waits for the terminal: while that is slow, lines are dropped and counted.
/// A class because the server calls back into it.
final class LiveLines {
  private let output: LossyOutput
  private let style: LiveStyle
  private let isCut: Bool
  /// Answered in this turn of the event loop, and not saved yet.
  private var unsaved: [(exchange: Journal.Exchange, sandbox: Sandbox)] = []
  /// Writes again what the terminal did not take.
  private var retry: Timer?

  /// The interval of retries.
  private static let pause = Duration.milliseconds(100)
  private static let linesPerTurn = 50
  /// The width of lines that no terminal shows, in characters.
  private static let widthOfFiles = 200

  init(to output: LossyOutput, hasColor: Bool, isCut: Bool) {
    self.output = output
    style = LiveStyle(hasColor: hasColor)
    self.isCut = isCut
  }

  func start(on loop: EventLoop) throws {
    retry = try Timer(loop) { [unowned self] in flush() }
  }

  /// Lets the loop end.
  func stop() { retry?.close() }

  func add(_ exchange: Journal.Exchange, in sandbox: Sandbox) { unsaved.append((exchange, sandbox)) }

  /// Shows what has been committed.
  func showSaved() {
    guard !unsaved.isEmpty else { return }
    let width = isCut ? Terminal.width : Self.widthOfFiles
    for (index, (exchange, sandbox)) in unsaved.enumerated() {
      guard index < Self.linesPerTurn, output.hasRoom else {
        output.drop(unsaved.count - index)
        break
      }
      output.write(style.text(of: LiveLine(exchange, in: sandbox), width: width))
    }
    unsaved.removeAll(keepingCapacity: true)
    flush()
  }

  /// Forgets what was not committed.
  func discard() { unsaved.removeAll(keepingCapacity: true) }

  private func flush() {
    output.flush()
    if output.isEmpty { retry?.disarm() } else { retry?.arm(after: Self.pause) }
  }
}

/// What a line says about a request.
struct LiveLine {
  enum Level { case success, mistake, failure }

  let time: String
  let provider: String
  let number: String
  let outcome: String
  let level: Level

  init(_ exchange: Journal.Exchange, in sandbox: Sandbox) {
    let messages = Self.messages(of: exchange, in: sandbox)
    let verification = exchange.effects.verification.flatMap { try? sandbox.verifications.find($0) }
    time = String(exchange.at.iso8601.dropFirst(11).prefix(8))
    provider = exchange.owner.isEmpty ? "-" : exchange.owner
    number = (messages.first?.destination ?? verification?.claim.destination ?? "").onOneLine
    level =
      exchange.status == 0 || exchange.status >= 500 ? .failure : exchange.status >= 400 ? .mistake : .success
    let target = Masking.common.target(exchange.target)
    let request =
      exchange.isNotEmulated || exchange.route == nil
      ? "\(exchange.method) \(target)" : exchange.route ?? target
    let name = sandbox.name == Sandboxes.defaultName ? "" : "[\(sandbox.name)] "
    let facts = Self.result(of: exchange, messages, verification).joined(separator: ", ")
    outcome = "\(name)\(request) \(facts)".onOneLine
  }

  /// The status, and what followed or why nothing did.
  private static func result(
    of exchange: Journal.Exchange, _ messages: [Message], _ verification: Verification?
  ) -> [String] {
    if exchange.isNotEmulated { return ["not emulated"] }
    var facts = exchange.status == 0 ? [] : [String(exchange.status)]
    if let why = exchange.why { return facts + [why] }
    facts += messages.map { "\($0.channel.rawValue)\($0.code.map { " \($0)" } ?? "")" }
    if messages.isEmpty, let verification { facts.append(verification.state.rawValue) }
    return facts
  }

  /// Those that the request sent, oldest first.
  private static func messages(of exchange: Journal.Exchange, in sandbox: Sandbox) -> [Message] {
    let effects = exchange.effects
    guard effects.newestAfter > effects.newestBefore else { return [] }
    var filter = Messages.Filter()
    (filter.after, filter.before) = (effects.newestBefore, effects.newestAfter + 1)
    return (try? sandbox.messages.submitted(filter, limit: messageLimit)) ?? []
  }

  private static let messageLimit = 3
}

/// How lines look.
struct LiveStyle {
  let hasColor: Bool

  private static let (dim, green, yellow, red, reset) = (
    "\u{1B}[2m", "\u{1B}[32m", "\u{1B}[33m", "\u{1B}[31m", "\u{1B}[0m"
  )

  func text(of line: LiveLine, width: Int) -> String {
    let start = "\(line.provider.padded(to: 8))  \(line.number.padded(to: 14))  "
    let end = line.outcome.shortened(to: max(20, width - line.time.count - 2 - start.count))
    guard hasColor else { return "\(line.time)  \(start)\(end)".withoutTrailingSpaces }
    let color = [.success: Self.green, .mistake: Self.yellow, .failure: Self.red][line.level] ?? ""
    return "\(Self.dim)\(line.time)\(Self.reset)  \(start)\(color)\(end)\(Self.reset)"
  }
}
