import CUV

/// A moment of real time at which the loop calls back, once or again and again.
package final class Timer: Handle {
  private var action: (() -> Void)?

  /// A timer that is not armed yet.
  package init(_ loop: EventLoop, action: @escaping () -> Void) throws(LoopError) {
    self.action = action
    try super.init(loop, uv_timer_t.self, doing: "making a timer") { uv_timer_init(loop.native, $0) }
  }

  /// Calls back after this much time, then at every `interval` if there is one; replaces an earlier arming.
  package func arm(after delay: Duration, every interval: Duration = .zero) {
    loop.assertHere()
    guard !isClosing else { return }
    let code = uv_timer_start(
      native, { Timer.fire($0) }, delay.roundedUpMilliseconds, interval.roundedUpMilliseconds)
    precondition(code == 0, "an open timer can be armed")
  }

  /// Takes the arming back.
  package func disarm() {
    loop.assertHere()
    guard !isClosing else { return }
    uv_timer_stop(native)
  }

  /// Whether it will call back.
  package var isArmed: Bool { uv_is_active(base) != 0 }

  override func didClose() { action = nil }

  private var native: UnsafeMutablePointer<uv_timer_t> { memory.assumingMemoryBound(to: uv_timer_t.self) }

  private static func fire(_ handle: UnsafeMutablePointer<uv_timer_t>?) {
    let timer: Timer = owner(of: handle)
    timer.loop.assertHere()
    timer.action?()
  }
}

extension Duration {
  /// Whole milliseconds, rounded up so that nothing is early; zero for what is past.
  package var roundedUpMilliseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds > 0 || (seconds == 0 && attoseconds > 0) else { return 0 }
    // A thousand years are for ever; more would not fit into sums with the present time.
    return UInt64(min(seconds, 31_536_000_000)) * 1000
      + UInt64((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
