import Glibc
import Loop

/// Accompanies a command for as long as it runs: passes signals on to it, and keeps how it ended.
///
/// A class because the operating system's news come back to it.
final class ChildSupervisor {
  /// How the command ended; nil while it runs.
  private(set) var ending: ChildProcess.Termination?
  private var child: ChildProcess?
  private var signals: [Signal] = []
  private let onExit: () -> Void

  /// Starts a command. From here on, no signal that can be caught ends us before it.
  init(_ words: [[UInt8]], on loop: EventLoop, onExit: @escaping () -> Void) throws {
    self.onExit = onExit
    for kind in Signal.Kind.allCases {
      signals.append(try Signal(loop, kind) { [unowned self] in pass(kind) })
    }
    child = try ChildProcess(loop, words) { [unowned self] in end($0) }
  }

  private func pass(_ kind: Signal.Kind) {
    guard let child, !(kind.isTyped && Self.terminalReaches(child)) else { return }
    child.send(kind)
  }

  private func end(_ ending: ChildProcess.Termination) {
    self.ending = ending
    for signal in signals { signal.close() }
    // Its end is ours: nothing changes that any more, nor keeps us from clearing away.
    for kind in Signal.Kind.allCases { Glibc.signal(kind.number, SIG_IGN) }
    onExit()
  }

  /// Whether what is typed at the terminal comes to the command as well as to us: each member of the foreground's
  /// process group gets it, and a second time would be read as a second wish.
  private static func terminalReaches(_ child: ChildProcess) -> Bool {
    let terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
    guard terminal >= 0 else { return false }
    defer { close(terminal) }
    let foreground = tcgetpgrp(terminal)
    return foreground == getpgrp() && foreground == getpgid(child.processID)
  }
}

extension Signal.Kind {
  /// Whether there is a key for it at the terminal.
  fileprivate var isTyped: Bool { self == .interrupt || self == .quit }
}

extension ChildProcess.Termination {
  /// Ends this program as that one has ended, by the same signal if need be.
  func repeated() -> Never {
    switch self {
    case .exited(let status): exit(status)
    case .killed(let number):
      // The trace that such an end may leave is the other program's, and has been written.
      var none = rlimit(rlim_cur: 0, rlim_max: 0)
      setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
      signal(number, SIG_DFL)
      raise(number)
      exit(128 + number)
    }
  }
}
