import Glibc
import Loop

/// Runs a command, forwards signals to it, and records how it ended.
///
/// A class because the event loop calls back into it.
final class ChildSupervisor {
  /// Nil while the command runs.
  private(set) var ending: ChildProcess.Termination?
  private var child: ChildProcess?
  private var signals: [Signal] = []
  private let onEnd: () -> Void

  /// Starts the command. From here on, signals that can be caught do not end this process before the command.
  init(_ words: [[UInt8]], on loop: EventLoop, onEnd: @escaping () -> Void) throws {
    self.onEnd = onEnd
    for kind in Signal.Kind.allCases {
      signals.append(try Signal(loop, kind) { [unowned self] in forward(kind) })
    }
    child = try ChildProcess(loop, words) { [unowned self] in end($0) }
  }

  private func forward(_ kind: Signal.Kind) {
    guard let child, !(kind.isTyped && child.getsTerminalSignals) else { return }
    child.send(kind)
  }

  private func end(_ ending: ChildProcess.Termination) {
    self.ending = ending
    for signal in signals { signal.close() }
    // The exit status is decided. No further signal may interrupt the cleanup.
    for kind in Signal.Kind.allCases { Glibc.signal(kind.number, SIG_IGN) }
    onEnd()
  }
}

extension ChildProcess {
  /// True if the process gets signals typed at the terminal directly, as every member of the foreground
  /// process group does. Forwarding them too would deliver them twice.
  var getsTerminalSignals: Bool {
    let terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
    guard terminal >= 0 else { return false }
    defer { Glibc.close(terminal) }
    let foreground = tcgetpgrp(terminal)
    return foreground == getpgrp() && foreground == getpgid(processID)
  }
}

extension Signal.Kind {
  /// True if the terminal has a key for it.
  fileprivate var isTyped: Bool { self == .interrupt || self == .quit }
}

extension ChildProcess.Termination {
  /// Ends this process with the same status or signal.
  func exitLikewise() -> Never {
    switch self {
    case .exited(let status): exit(status)
    case .killed(let number):
      // No core dump: the command has written its own.
      var none = rlimit(rlim_cur: 0, rlim_max: 0)
      setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
      signal(number, SIG_DFL)
      raise(number)
      exit(128 + number)
    }
  }
}

/// Blocks signals while an immediate exit would leave temporary files behind.
enum BlockedSignals {
  static func block() { mask(SIG_BLOCK) }

  /// True if a blocked signal has arrived.
  static var arePending: Bool {
    var waiting = sigset_t()
    sigpending(&waiting)
    return Signal.Kind.allCases.contains { sigismember(&waiting, $0.number) == 1 }
  }

  /// Pending signals are delivered at once.
  static func unblock() { mask(SIG_UNBLOCK) }

  private static func mask(_ how: Int32) {
    var all = sigset_t()
    sigemptyset(&all)
    for kind in Signal.Kind.allCases { sigaddset(&all, kind.number) }
    pthread_sigmask(how, &all, nil)
  }
}
