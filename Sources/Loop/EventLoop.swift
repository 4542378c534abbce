import CUV
import Glibc

/// One thread's loop over sockets, timers and signals.
///
/// `@unchecked Sendable`: everything except `post` must run on the loop's thread, and `assertOnThread` checks
/// that. `post` only uses `mailbox`, which has a lock, and `uv_async_send`, which is safe on any thread.
package final class EventLoop: @unchecked Sendable {
  /// The maximum number of bytes per read.
  package static let readBufferSize = 65_536

  let native: UnsafeMutablePointer<uv_loop_t>
  private let prepare: UnsafeMutablePointer<uv_prepare_t>
  private let check: UnsafeMutablePointer<uv_check_t>
  private let wakeUp: UnsafeMutablePointer<uv_async_t>
  private let readBuffer: UnsafeMutableRawPointer
  private let mailbox = Mailbox()
  private var thread = uv_thread_self()
  private var tickEndActions: [() -> Void] = []
  private var nextTurnWork: [() -> Void] = []
  /// Called after each turn that took a millisecond or more, with its start, its duration and how long the
  /// processor worked for it, in milliseconds.
  package var onTurnEnd: ((_ start: UInt64, _ duration: UInt64, _ worked: UInt64) -> Void)?
  /// When the last wait for events ended.
  private var turnStart: UInt64 = 0
  /// How long the processor had worked when that wait began; the wait itself takes none of its time.
  private var workAtStart: UInt64 = 0
  /// True if a timer fired after the last wait for events.
  var hasFiredTimer = false

  /// The loop belongs to the calling thread until another thread calls `run`.
  package init() {
    // A write to a closed connection must return an error, not end the program.
    signal(SIGPIPE, SIG_IGN)
    native = .allocate(capacity: 1)
    prepare = .allocate(capacity: 1)
    check = .allocate(capacity: 1)
    wakeUp = .allocate(capacity: 1)
    readBuffer = .allocate(byteCount: Self.readBufferSize, alignment: 64)
    let code = uv_loop_init(native)
    precondition(code == 0, "cannot create a loop: \(code)")
    native.pointee.data = readBuffer
    startTicks()
  }

  deinit {
    closeOwnHandles()
    uv_run(native, UV_RUN_NOWAIT)
    let code = uv_loop_close(native)
    precondition(code == 0, "handles retain their loop, so none can be open here")
    prepare.deallocate()
    check.deallocate()
    wakeUp.deallocate()
    readBuffer.deallocate()
    native.deallocate()
  }

  /// Makes the calling thread the loop's thread. Call it before creating handles there.
  package func adoptThread() { thread = uv_thread_self() }

  /// Runs on the calling thread until `stop` is called or no handle is left.
  package func run() {
    thread = uv_thread_self()
    uv_run(native, UV_RUN_DEFAULT)
  }

  /// Runs all callbacks that are due. Returns true while handles are left.
  package func runOnce() -> Bool {
    thread = uv_thread_self()
    return uv_run(native, UV_RUN_NOWAIT) != 0
  }

  /// Makes `run` return at the end of this tick.
  package func stop() {
    assertOnThread()
    uv_stop(native)
  }

  /// Stops the program if called on another thread.
  package func assertOnThread() {
    precondition(uv_thread_self() == thread, "the loop was used on another thread")
  }

  /// Monotonic time in milliseconds, cached at the start of the tick.
  package var milliseconds: UInt64 { uv_now(native) }

  /// Monotonic time, cached at the start of the tick.
  package var now: Duration { .milliseconds(Int64(milliseconds)) }

  /// Monotonic time in milliseconds, read now. It is cheap and up to four milliseconds late.
  package var coarseMilliseconds: UInt64 { Self.milliseconds(of: CLOCK_MONOTONIC_COARSE) }

  private static func milliseconds(of clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(time.tv_sec) * 1000 + UInt64(time.tv_nsec) / 1_000_000
  }

  /// The machine's clock, in milliseconds since 1970.
  package static func wallClockMilliseconds() -> Int64 {
    var time = uv_timeval64_t()
    uv_gettimeofday(&time)
    return time.tv_sec * 1000 + Int64(time.tv_usec) / 1000
  }

  /// Time since some moment before, the same for all processes of the machine, in milliseconds.
  package static func monotonicMilliseconds() -> Int64 { Int64(uv_hrtime() / 1_000_000) }

  /// Random bytes from the system, for secrets of the server. Everything in a sandbox comes from its own
  /// entropy.
  package static func randomBytes(_ count: Int) throws(LoopError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    try LoopError.check(uv_random(nil, nil, &bytes, count, 0, nil), "reading random bytes")
    return bytes
  }

  /// Adds work for the end of every tick, after the callbacks of one round of events.
  package func onTickEnd(_ work: @escaping () -> Void) {
    assertOnThread()
    tickEndActions.append(work)
  }

  /// Runs work on the loop's thread, in the order posted. Can be called on any thread.
  package func post(_ work: @escaping @Sendable () -> Void) {
    if mailbox.add(work) { uv_async_send(wakeUp) }
  }

  /// Returns a function for another thread, which runs `work` on the loop's thread.
  package func callback(_ work: @escaping () -> Void) -> @Sendable () -> Void {
    assertOnThread()
    // Only called by `post`, on this thread.
    nonisolated(unsafe) let work = work
    return { self.post { work() } }
  }

  /// The same for work that takes a value.
  package func callback<Value: Sendable>(_ work: @escaping (Value) -> Void) -> @Sendable (Value) -> Void {
    assertOnThread()
    // Only called by `post`, on this thread.
    nonisolated(unsafe) let work = work
    return { value in self.post { work(value) } }
  }

  /// Runs work in the next turn, after other events had their chance.
  package func runNextTurn(_ work: @escaping () -> Void) {
    assertOnThread()
    nextTurnWork.append(work)
    uv_async_send(wakeUp)
  }

  /// Uses two hooks. `check` runs after the callbacks of sockets. `prepare` runs after those of timers and
  /// closing handles, which would otherwise wait for the next event.
  private func startTicks() {
    // Unretained: `deinit` closes these three handles.
    let here = Unmanaged.passUnretained(self).toOpaque()
    var code = uv_prepare_init(native, prepare)
    prepare.pointee.data = here
    code |= uv_prepare_start(prepare) { EventLoop.at($0?.pointee.data).endTurn() }
    code |= uv_check_init(native, check)
    check.pointee.data = here
    code |= uv_check_start(check) {
      let loop = EventLoop.at($0?.pointee.data)
      loop.turnStart = loop.milliseconds
      loop.endTick()
    }
    code |= uv_async_init(native, wakeUp) { EventLoop.at($0?.pointee.data).runPostedWork() }
    wakeUp.pointee.data = here
    precondition(code == 0, "cannot create the loop's own handles: \(code)")
    forEachOwnHandle { uv_unref($0) }
  }

  private func closeOwnHandles() {
    forEachOwnHandle { uv_close($0, nil) }
  }

  private func forEachOwnHandle(_ body: (UnsafeMutablePointer<uv_handle_t>) -> Void) {
    let own: [UnsafeMutableRawPointer] = [.init(prepare), .init(check), .init(wakeUp)]
    for handle in own { body(handle.assumingMemoryBound(to: uv_handle_t.self)) }
  }

  private func endTick() {
    assertOnThread()
    for work in tickEndActions { work() }
  }

  /// Measures the turn: everything between two waits for events. libuv has already read the time after the
  /// callbacks of sockets, so the clock is only read again if timers fired since then.
  private func endTurn() {
    endTick()
    let now = hasFiredTimer ? coarseMilliseconds : milliseconds
    hasFiredTimer = false
    let work = Self.milliseconds(of: CLOCK_THREAD_CPUTIME_ID)
    defer { workAtStart = work }
    guard turnStart > 0, now > turnStart, let onTurnEnd else { return }
    // The loop may have moved to another thread.
    onTurnEnd(turnStart, now - turnStart, work > workAtStart ? work - workAtStart : 0)
  }

  private func runPostedWork() {
    assertOnThread()
    for work in mailbox.takeAll() { work() }
    var due: [() -> Void] = []
    swap(&due, &nextTurnWork)
    for work in due { work() }
  }

  private static func at(_ data: UnsafeMutableRawPointer?) -> EventLoop {
    guard let data else { preconditionFailure("libuv callback without a loop") }
    // Still alive, because `deinit` closes the handles that call back.
    return Unmanaged<EventLoop>.fromOpaque(data).takeUnretainedValue()
  }
}

/// A queue of work from other threads.
///
/// `@unchecked Sendable`: every access to `queue` holds `lock`. The lock is libuv's pthread mutex, because
/// the thread sanitizer does not understand the standard library's `Mutex`.
final class Mailbox: @unchecked Sendable {
  private let lock: UnsafeMutablePointer<uv_mutex_t>
  private var queue: [@Sendable () -> Void] = []

  init() {
    lock = .allocate(capacity: 1)
    let code = uv_mutex_init(lock)
    precondition(code == 0, "cannot create a mutex: \(code)")
  }

  deinit {
    uv_mutex_destroy(lock)
    lock.deallocate()
  }

  /// Returns true if the queue was empty, so that the loop must be woken up.
  func add(_ work: @escaping @Sendable () -> Void) -> Bool {
    uv_mutex_lock(lock)
    defer { uv_mutex_unlock(lock) }
    queue.append(work)
    return queue.count == 1
  }

  /// Removes and returns all work, in order.
  func takeAll() -> [@Sendable () -> Void] {
    uv_mutex_lock(lock)
    defer { uv_mutex_unlock(lock) }
    defer { queue = [] }
    return queue
  }
}
