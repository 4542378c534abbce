import Dispatch
package import Loop

import class Foundation.Thread

/// A loop on a thread of its own; what it serves is made and ended there.
package final class LoopThread: @unchecked Sendable {
  // `loop` is used through `post` only, once the thread runs; `failure` is written before `isReady` is signalled.
  private let loop = EventLoop()
  private let isReady = DispatchSemaphore(value: 0)
  private let isOver = DispatchSemaphore(value: 0)
  private var failure: (any Error)?

  /// Starts the thread; `body` sets the loop up on it, and its result is kept until the loop ends.
  package init(_ body: @escaping @Sendable (EventLoop) throws -> Any) throws {
    let thread = Thread { [self] in
      loop.adoptThread()
      var kept: Any?
      do { kept = try body(loop) } catch { failure = error }
      isReady.signal()
      if failure == nil { loop.run() }
      while loop.runOnce() {}
      withExtendedLifetime(kept) {}
      kept = nil
      isOver.signal()
    }
    thread.start()
    isReady.wait()
    if let failure { throw failure }
  }

  /// Runs work on the loop and answers with its result.
  package func sync<Result: Sendable>(_ work: @escaping @Sendable () -> Result) -> Result {
    let box = Box<Result>()
    let done = DispatchSemaphore(value: 0)
    loop.post {
      box.value = work()
      done.signal()
    }
    done.wait()
    return box.value!
  }

  /// Runs work on the loop, some time.
  package func post(_ work: @escaping @Sendable () -> Void) { loop.post(work) }

  /// Waits for the loop to end; false when it does not within ten seconds.
  package func join() -> Bool { isOver.wait(timeout: .now() + 10) == .success }
}

/// A value handed from one thread to another, once.
private final class Box<Value>: @unchecked Sendable {
  var value: Value?
}
