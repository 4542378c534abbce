import Dispatch

/// A value that one thread waits for and another one provides, once.
///
/// `@unchecked Sendable`: `value` is written before the signal and read after it.
package final class Promise<Value: Sendable>: @unchecked Sendable {
  private let isKept = DispatchSemaphore(value: 0)
  private var value: Value?

  package init() {}

  /// Provides the value.
  package func keep(_ value: Value) {
    self.value = value
    isKept.signal()
  }

  /// The value, or nil after thirty seconds, which a busy machine may need.
  package func wait() -> Value? { isKept.wait(timeout: .now() + 30) == .success ? value : nil }
}
