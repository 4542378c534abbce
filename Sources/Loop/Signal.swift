import CUV
import Glibc

/// Receives an operating system signal on the loop.
package final class Signal: Handle {
  package enum Kind: CaseIterable, Sendable {
    /// SIGINT: Ctrl-C at the terminal.
    case interrupt
    /// SIGTERM: the supervisor stops the program.
    case terminate
    /// SIGHUP: the terminal was closed.
    case hangUp
    /// SIGQUIT: Ctrl-\ at the terminal.
    case quit
    case user1
    case user2

    package var number: Int32 {
      switch self {
      case .interrupt: SIGINT
      case .terminate: SIGTERM
      case .hangUp: SIGHUP
      case .quit: SIGQUIT
      case .user1: SIGUSR1
      case .user2: SIGUSR2
      }
    }
  }

  private var action: (() -> Void)?

  /// Calls back each time the signal arrives.
  package init(_ loop: EventLoop, _ kind: Kind, action: @escaping () -> Void) throws(LoopError) {
    self.action = action
    let doing = "listening for signal \(kind.number)"
    try super.init(loop, uv_signal_t.self, doing: doing) { uv_signal_init(loop.native, $0) }
    let code = uv_signal_start(
      memory.assumingMemoryBound(to: uv_signal_t.self), { handle, _ in Signal.didArrive(handle) }, kind.number
    )
    guard code == 0 else {
      close()
      throw LoopError(code: code, doing: doing)
    }
  }

  override func didClose() { action = nil }

  private static func didArrive(_ handle: UnsafeMutablePointer<uv_signal_t>?) {
    let signal: Signal = owner(of: handle)
    signal.loop.assertOnThread()
    signal.action?()
  }
}
