import Loop

/// Returns memory to the system when no request has arrived for a few seconds.
struct IdleMemory {
  private static let pause = Duration.seconds(2)

  var timer: Timer?
  private var isArmed = false
  /// True if there was a request since the timer fired.
  private var wasUsed = false

  /// To call for each request, and at the start.
  mutating func noteUse() {
    wasUsed = true
    guard !isArmed else { return }
    isArmed = true
    timer?.arm(after: Self.pause, every: Self.pause)
  }

  /// To call when the timer fires.
  mutating func returnUnused() {
    if wasUsed {
      wasUsed = false
      return
    }
    isArmed = false
    timer?.disarm()
    ProcessMemory.trimAll()
  }
}
