import Glibc

/// A thread beside the loop, for work that waits.
package struct WorkerThread {
  private let handle: pthread_t

  /// Nil if the system has no room for another one.
  package init?(_ work: @escaping @Sendable () -> Void) {
    let work = Unmanaged.passRetained(Work(work))
    var handle = pthread_t()
    guard pthread_create(&handle, nil, { WorkerThread.run($0) }, work.toOpaque()) == 0 else {
      work.release()
      return nil
    }
    self.handle = handle
  }

  /// Waits for its end.
  package func join() { pthread_join(handle, nil) }

  /// Nobody waits for its end.
  package func detach() { pthread_detach(handle) }

  private static func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    // Retained for this thread, which is now its only user.
    Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
    return nil
  }

  private final class Work {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}

/// A value that several threads use, one at a time. A class because a mutex must not move.
package final class Locked<Value: Sendable>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var value: Value

  package init(_ value: Value) {
    self.value = value
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// The only way to the value; others wait meanwhile.
  package func use<Result>(_ work: (inout Value) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return work(&value)
  }
}
