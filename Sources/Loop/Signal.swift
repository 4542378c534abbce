import CUV
import Glibc

/// A signal of the operating system, received on the loop.
package final class Signal: Handle {
  /// The signals that the program listens to.
  package enum Kind: CaseIterable, Sendable {
    /// The person at the terminal wants it to end.
    case interrupt
    /// The supervisor wants it to end.
    case terminate
    /// The terminal has gone, or the configuration is to be read anew.
    case hangUp
    /// The person at the terminal wants it to end at once, and to leave a trace.
    case quit
    /// What the program makes of it.
    case user1
    /// The same, once more.
    case user2

    /// The number the operating system gives it.
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
      memory.assumingMemoryBound(to: uv_signal_t.self), { handle, _ in Signal.arrive(handle) }, kind.number)
    guard code == 0 else {
      close()
      throw LoopError(code: code, doing: doing)
    }
  }

  override func didClose() { action = nil }

  private static func arrive(_ handle: UnsafeMutablePointer<uv_signal_t>?) {
    let signal: Signal = owner(of: handle)
    signal.loop.assertHere()
    signal.action?()
  }
}
