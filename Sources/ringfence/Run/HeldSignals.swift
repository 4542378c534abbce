import Glibc
import Loop

/// Signals that wait, for as long as something would be left behind by an end on the spot.
enum HeldSignals {
  /// From now on, they wait.
  static func hold() { mask(SIG_BLOCK) }

  /// Whether one has come meanwhile.
  static var areWaiting: Bool {
    var waiting = sigset_t()
    sigpending(&waiting)
    return Signal.Kind.allCases.contains { sigismember(&waiting, $0.number) == 1 }
  }

  /// From now on they come, those that have waited at once.
  static func release() { mask(SIG_UNBLOCK) }

  private static func mask(_ how: Int32) {
    var all = sigset_t()
    sigemptyset(&all)
    for kind in Signal.Kind.allCases { sigaddset(&all, kind.number) }
    pthread_sigmask(how, &all, nil)
  }
}
