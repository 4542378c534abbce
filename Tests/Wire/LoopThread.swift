import Dispatch
package import Loop

import class Foundation.Thread

/// A loop with its own thread.
package final class LoopThread: @unchecked Sendable {
  // Once the thread runs, only `loop.post` is used. `failure` is written before `isReady` is signalled.
  private let loop = EventLoop()
  private let isReady = DispatchSemaphore(value: 0)
  private let hasEnded = DispatchSemaphore(value: 0)
  private var failure: (any Error)?

  /// Starts the thread. `body` sets up the loop there, and its result is retained until the loop ends.
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
      hasEnded.signal()
    }
    thread.start()
    isReady.wait()
    if let failure { throw failure }
  }

  /// Runs work on the loop and returns its result.
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

  /// Runs work on the loop without waiting.
  package func post(_ work: @escaping @Sendable () -> Void) { loop.post(work) }

  /// Waits up to ten seconds for the end of the loop. Returns false after that.
  package func join() -> Bool { hasEnded.wait(timeout: .now() + 10) == .success }
}

/// A value passed between two threads, once.
private final class Box<Value>: @unchecked Sendable {
  var value: Value?
}
