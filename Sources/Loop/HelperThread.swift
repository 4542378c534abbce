import CUV
import Glibc

/// A value that only its helper thread uses.
///
/// `@unchecked Sendable`: after `init`, only work on the thread gets the value.
package final class ThreadConfined<Value: Sendable>: @unchecked Sendable {
  private let thread: HelperThread
  private var value: Value

  package init(_ value: Value) throws(LoopError) {
    self.value = value
    thread = try HelperThread()
  }

  package func post(_ work: @escaping @Sendable (inout Value) -> Void) {
    thread.post { work(&self.value) }
  }

  /// See `HelperThread.stop`.
  package func stop(within limit: Duration) { thread.stop(within: limit) }
}

/// A thread for work that waits for the disk. It does its work in the order posted.
///
/// `@unchecked Sendable`: every access to the state holds `lock`. The lock is libuv's: see `Mailbox`.
package final class HelperThread: @unchecked Sendable {
  private let lock: UnsafeMutablePointer<uv_mutex_t>
  private let changed: UnsafeMutablePointer<uv_cond_t>
  private var queue: [@Sendable () -> Void] = []
  private var isStopping = false
  private var hasEnded = false

  package init() throws(LoopError) {
    (lock, changed) = (.allocate(capacity: 1), .allocate(capacity: 1))
    precondition(uv_mutex_init(lock) == 0 && uv_cond_init(changed) == 0, "cannot create a lock")
    guard let thread = WorkerThread({ self.run() }) else {
      throw LoopError(code: -EAGAIN, doing: "creating a thread")
    }
    thread.detach()
  }

  deinit {
    uv_cond_destroy(changed)
    uv_mutex_destroy(lock)
    changed.deallocate()
    lock.deallocate()
  }

  package func post(_ work: @escaping @Sendable () -> Void) {
    locked {
      queue.append(work)
      uv_cond_broadcast(changed)
    }
  }

  /// Does what was posted, and ends the thread. Returns false if it has not ended after this time: the disk,
  /// or the reader of a pipe, may never be ready.
  @discardableResult
  package func stop(within limit: Duration) -> Bool {
    let deadline = uv_hrtime() + limit.roundedUpMilliseconds * 1_000_000
    return locked {
      isStopping = true
      uv_cond_broadcast(changed)
      while !hasEnded {
        let now = uv_hrtime()
        guard now < deadline else { break }
        uv_cond_timedwait(changed, lock, deadline - now)
      }
      return hasEnded
    }
  }

  private func run() {
    while let work = next() { work() }
    locked {
      hasEnded = true
      uv_cond_broadcast(changed)
    }
  }

  private func next() -> (@Sendable () -> Void)? {
    locked {
      while queue.isEmpty, !isStopping { uv_cond_wait(changed, lock) }
      return queue.isEmpty ? nil : queue.removeFirst()
    }
  }

  private func locked<T>(_ body: () -> T) -> T {
    uv_mutex_lock(lock)
    defer { uv_mutex_unlock(lock) }
    return body()
  }
}
