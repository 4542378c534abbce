import CUV
import Glibc

/// A program started with our standard input, output and error.
package final class ChildProcess: Handle {
  package enum Termination: Equatable, Sendable {
    case exited(status: Int32)
    case killed(signal: Int32)
  }

  private var onExit: ((Termination) -> Void)?

  /// Starts the program and calls back once after its end. The first argument names the program; without a
  /// slash it is searched on the `PATH`. Arguments are bytes, because they need not be UTF-8. The program
  /// gets `descriptors` as its file descriptors from 3.
  package init(
    _ loop: EventLoop, _ arguments: [[UInt8]], passing descriptors: [Int32] = [],
    onExit: @escaping (Termination) -> Void
  ) throws(LoopError) {
    precondition(!arguments.isEmpty, "the first argument names the program")
    self.onExit = onExit
    Self.unblockEndings()
    let doing = "starting \(String(decoding: arguments[0], as: UTF8.self))"
    // libuv registers the handle even if the program cannot start. So it must be closed as usual.
    var code: Int32 = 0
    try super.init(loop, uv_process_t.self, doing: doing) { handle in
      code = Self.spawn(handle, arguments, passing: descriptors, on: loop)
      return 0
    }
    guard code == 0 else {
      close()
      throw LoopError(code: code, doing: doing)
    }
  }

  package var processID: Int32 { uv_process_get_pid(native) }

  /// Sends it a signal, unless it has ended.
  package func send(_ kind: Signal.Kind) {
    loop.assertOnThread()
    if onExit != nil { uv_process_kill(native, kind.number) }
  }

  override func didClose() { onExit = nil }

  private var native: UnsafeMutablePointer<uv_process_t> {
    memory.assumingMemoryBound(to: uv_process_t.self)
  }

  /// libuv learns of an end by this signal. A parent may have started us with all signals blocked, as from a
  /// worker thread of Dispatch.
  private static func unblockEndings() {
    var ending = sigset_t()
    sigemptyset(&ending)
    sigaddset(&ending, SIGCHLD)
    pthread_sigmask(SIG_UNBLOCK, &ending, nil)
  }

  private static func spawn(
    _ handle: UnsafeMutablePointer<uv_process_t>, _ arguments: [[UInt8]], passing descriptors: [Int32],
    on loop: EventLoop
  ) -> Int32 {
    var streams = ([STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] + descriptors).map { descriptor in
      var stream = uv_stdio_container_t()
      stream.flags = UV_INHERIT_FD
      stream.data.fd = descriptor
      return stream
    }
    return withCStrings(arguments) { arguments in
      streams.withUnsafeMutableBufferPointer { streams in
        var options = uv_process_options_t()
        options.file = arguments[0].map { UnsafePointer($0) }
        options.args = arguments
        options.stdio = streams.baseAddress
        options.stdio_count = Int32(streams.count)
        options.exit_cb = { ChildProcess.didExit($0, status: $1, signal: $2) }
        return uv_spawn(loop.native, handle, &options)
      }
    }
  }

  /// Calls `body` with an array for `execvp`.
  private static func withCStrings<T>(
    _ arguments: [[UInt8]], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> T
  ) -> T {
    let copies = arguments.map { bytes in strdup((bytes + [0]).map { CChar(bitPattern: $0) }) }
    defer { for copy in copies { free(copy) } }
    var list = copies + [nil]
    return list.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure("the list has at least its end marker") }
      return body(base)
    }
  }

  private static func didExit(_ handle: UnsafeMutablePointer<uv_process_t>?, status: Int64, signal: Int32) {
    let child: ChildProcess = owner(of: handle)
    child.loop.assertOnThread()
    let callback = child.onExit
    child.close()
    child.onExit = nil
    callback?(signal == 0 ? .exited(status: Int32(truncatingIfNeeded: status)) : .killed(signal: signal))
  }
}
