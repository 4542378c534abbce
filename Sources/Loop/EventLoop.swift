import CUV
import Glibc

/// One thread's loop over sockets, timers and signals; a class because handles share it.
///
/// `@unchecked Sendable`: everything but `post` belongs to the loop's thread, which `assertHere`
/// checks at every entry; `post` touches only `mailbox`, which locks, and `uv_async_send`, which
/// libuv declares safe from any thread.
package final class EventLoop: @unchecked Sendable {
  /// Bytes that one read can bring.
  package static let readBufferSize = 65_536

  /// libuv's own structure.
  let native: UnsafeMutablePointer<uv_loop_t>
  private let prepare: UnsafeMutablePointer<uv_prepare_t>
  private let check: UnsafeMutablePointer<uv_check_t>
  private let wakeUp: UnsafeMutablePointer<uv_async_t>
  private let readBuffer: UnsafeMutableRawPointer
  private let mailbox = Mailbox()
  private var thread = uv_thread_self()
  private var tickEnds: [() -> Void] = []

  /// A loop that belongs to the calling thread until `run` is called from another.
  package init() {
    // A client that goes away while we write is an error of that write, not of the program.
    signal(SIGPIPE, SIG_IGN)
    native = .allocate(capacity: 1)
    prepare = .allocate(capacity: 1)
    check = .allocate(capacity: 1)
    wakeUp = .allocate(capacity: 1)
    readBuffer = .allocate(byteCount: Self.readBufferSize, alignment: 64)
    let code = uv_loop_init(native)
    precondition(code == 0, "a loop needs only memory and file descriptors: \(code)")
    native.pointee.data = readBuffer
    startTicks()
  }

  deinit {
    closeOwnHandles()
    uv_run(native, UV_RUN_NOWAIT)
    let code = uv_loop_close(native)
    precondition(code == 0, "every handle holds its loop, so none is left here")
    prepare.deallocate()
    check.deallocate()
    wakeUp.deallocate()
    readBuffer.deallocate()
    native.deallocate()
  }

  /// Makes the calling thread the loop's own, before anything is set up on it.
  package func adoptThread() { thread = uv_thread_self() }

  /// Serves on the calling thread until `stop` is called or no handle is left.
  package func run() {
    thread = uv_thread_self()
    uv_run(native, UV_RUN_DEFAULT)
  }

  /// Serves what is due now and returns; true while handles are left.
  package func runOnce() -> Bool {
    thread = uv_thread_self()
    return uv_run(native, UV_RUN_NOWAIT) != 0
  }

  /// Makes `run` return at the end of this tick, handles or not.
  package func stop() {
    assertHere()
    uv_stop(native)
  }

  /// Ends the program when the calling thread is not the loop's own.
  package func assertHere() {
    precondition(uv_thread_self() == thread, "the loop was entered from another thread")
  }

  /// Milliseconds since an arbitrary moment, as they were when the tick began.
  package var milliseconds: UInt64 { uv_now(native) }

  /// Time since an arbitrary moment, as it was when the tick began.
  package var now: Duration { .milliseconds(Int64(milliseconds)) }

  /// Milliseconds since 1970 by the machine's clock.
  package static func wallClockMilliseconds() -> Int64 {
    var time = uv_timeval64_t()
    uv_gettimeofday(&time)
    return time.tv_sec * 1000 + Int64(time.tv_usec) / 1000
  }

  /// Adds work for the end of every tick: once the callbacks of a round of events have run.
  package func onTick(end work: @escaping () -> Void) {
    assertHere()
    tickEnds.append(work)
  }

  /// Runs the work on the loop's thread, from any thread, in the order it was posted.
  package func post(_ work: @escaping @Sendable () -> Void) {
    if mailbox.leave(work) { uv_async_send(wakeUp) }
  }

  /// Both hooks are needed: `check` follows the callbacks of sockets, `prepare` those of timers
  /// and of closing, which would otherwise wait for the next event.
  private func startTicks() {
    // Unretained: these three handles are closed in `deinit`, before the object is gone.
    let here = Unmanaged.passUnretained(self).toOpaque()
    var code = uv_prepare_init(native, prepare)
    prepare.pointee.data = here
    code |= uv_prepare_start(prepare) { EventLoop.at($0?.pointee.data).endTick() }
    code |= uv_check_init(native, check)
    check.pointee.data = here
    code |= uv_check_start(check) { EventLoop.at($0?.pointee.data).endTick() }
    code |= uv_async_init(native, wakeUp) { EventLoop.at($0?.pointee.data).readMail() }
    wakeUp.pointee.data = here
    precondition(code == 0, "the loop's own handles need only a file descriptor: \(code)")
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
    assertHere()
    for work in tickEnds { work() }
  }

  private func readMail() {
    assertHere()
    for work in mailbox.empty() { work() }
  }

  private static func at(_ data: UnsafeMutableRawPointer?) -> EventLoop {
    guard let data else { preconditionFailure("libuv called back without its loop") }
    // Alive: the handles that call back are closed in `deinit`.
    return Unmanaged<EventLoop>.fromOpaque(data).takeUnretainedValue()
  }
}
