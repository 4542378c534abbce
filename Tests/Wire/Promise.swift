import Dispatch

/// A value that one thread waits for and another hands over, once.
///
/// `@unchecked Sendable`: `value` is written before the signal and read after it.
package final class Promise<Value: Sendable>: @unchecked Sendable {
  private let isKept = DispatchSemaphore(value: 0)
  private var value: Value?

  /// A promise that nobody has kept yet.
  package init() {}

  /// Hands the value over.
  package func keep(_ value: Value) {
    self.value = value
    isKept.signal()
  }

  /// The value; nil when it has not come within ten seconds.
  package func wait() -> Value? { isKept.wait(timeout: .now() + 10) == .success ? value : nil }
}
