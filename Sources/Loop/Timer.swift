import CUV

/// Calls back in real time, once or repeatedly.
package final class Timer: Handle {
  private var action: (() -> Void)?

  package init(_ loop: EventLoop, action: @escaping () -> Void) throws(LoopError) {
    self.action = action
    try super.init(loop, uv_timer_t.self, doing: "creating a timer") { uv_timer_init(loop.native, $0) }
  }

  /// Calls back after `delay`, then every `interval` unless that is zero. Replaces an earlier call.
  package func arm(after delay: Duration, every interval: Duration = .zero) {
    loop.assertOnThread()
    guard !isClosing else { return }
    let code = uv_timer_start(
      native, { Timer.fire($0) }, delay.roundedUpMilliseconds, interval.roundedUpMilliseconds)
    precondition(code == 0, "cannot start a timer: \(code)")
  }

  /// Cancels the callback.
  package func disarm() {
    loop.assertOnThread()
    guard !isClosing else { return }
    uv_timer_stop(native)
  }

  override func didClose() { action = nil }

  private var native: UnsafeMutablePointer<uv_timer_t> { memory.assumingMemoryBound(to: uv_timer_t.self) }

  private static func fire(_ handle: UnsafeMutablePointer<uv_timer_t>?) {
    let timer: Timer = owner(of: handle)
    timer.loop.assertOnThread()
    timer.loop.hasFiredTimer = true
    timer.action?()
  }
}

extension Duration {
  /// Whole milliseconds, rounded up so that no timer fires early. Zero for negative durations.
  package var roundedUpMilliseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds > 0 || (seconds == 0 && attoseconds > 0) else { return 0 }
    // Limited to a thousand years, so that sums with the current time do not overflow.
    return UInt64(min(seconds, 31_536_000_000)) * 1000
      + UInt64((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
