import CUV

/// Work that other threads leave for the loop; a class because threads share it.
///
/// `@unchecked Sendable`: every access to `letters` holds `lock`. It is a pthread mutex behind
/// libuv, because the thread sanitizer does not see the standard library's own.
final class Mailbox: @unchecked Sendable {
  private let lock: UnsafeMutablePointer<uv_mutex_t>
  private var letters: [@Sendable () -> Void] = []

  /// An empty box.
  init() {
    lock = .allocate(capacity: 1)
    let code = uv_mutex_init(lock)
    precondition(code == 0, "a mutex needs nothing but memory")
  }

  deinit {
    uv_mutex_destroy(lock)
    lock.deallocate()
  }

  /// Leaves a piece of work; true when the box was empty, so that the loop must be woken.
  func leave(_ work: @escaping @Sendable () -> Void) -> Bool {
    uv_mutex_lock(lock)
    defer { uv_mutex_unlock(lock) }
    letters.append(work)
    return letters.count == 1
  }

  /// Takes all work out, in the order it came.
  func empty() -> [@Sendable () -> Void] {
    uv_mutex_lock(lock)
    defer { uv_mutex_unlock(lock) }
    defer { letters = [] }
    return letters
  }
}
