import Domain
import Loop

/// What `ringfence serve` shows while it runs, and at the end.
///
/// A class because the sandboxes call back into it.
final class LiveView {
  private let output = LossyOutput()
  private let wiring: Wiring
  private var summary = RunSummary()
  /// The newest ordinal of each sandbox before this run.
  private var newestBefore: [String: Int] = [:]

  init(of wiring: Wiring) {
    self.wiring = wiring
    for sandbox in wiring.sandboxes.all { newestBefore[sandbox.name] = sandbox.newestOrdinal }
    // A reset is a removal, too.
    wiring.sandboxes.beforeRemoval = { [unowned self] in add($0) }
    wiring.live = LiveLines(to: output, hasColor: Terminal.hasColor, isCut: Terminal.isInteractive)
  }

  func start(on loop: EventLoop) throws { try wiring.live?.start(on: loop) }

  /// Prints the summary.
  func finish() {
    wiring.sandboxes.all.forEach(add)
    output.finish(summary.lines(unreached: Self.unreached))
  }

  private func add(_ sandbox: Sandbox) {
    try? summary.add(sandbox, after: newestBefore.removeValue(forKey: sandbox.name) ?? 0)
  }

  private static let unreached =
    "No request reached the sandbox. `ringfence doctor` shows what a client needs."
}
