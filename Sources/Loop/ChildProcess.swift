import CUV
import Glibc

/// A program that was started with our own standard input, output and error.
package final class ChildProcess: Handle {
  /// How a program came to its end.
  package enum Ending: Equatable, Sendable {
    /// It ended by itself, with this status.
    case exited(status: Int32)
    /// A signal ended it.
    case killed(signal: Int32)
  }

  private var whenEnded: ((Ending) -> Void)?

  /// Starts the program that the first word names, looked for on the `PATH` where it has no slash, in our own
  /// environment, and calls back once when it has ended. Words are bytes: the system asks for no encoding.
  package init(
    _ loop: EventLoop, _ words: [[UInt8]], whenEnded: @escaping (Ending) -> Void
  ) throws(LoopError) {
    precondition(!words.isEmpty, "the first word names the program")
    self.whenEnded = whenEnded
    let doing = "starting \(String(decoding: words[0], as: UTF8.self))"
    // libuv lists the handle even when the program cannot be started, so it has to be closed like any other.
    var code: Int32 = 0
    try super.init(loop, uv_process_t.self, doing: doing) { handle in
      code = Self.spawn(handle, words, on: loop)
      return 0
    }
    guard code == 0 else {
      close()
      throw LoopError(code: code, doing: doing)
    }
  }

  /// Its number in the operating system.
  package var identifier: Int32 { uv_process_get_pid(native) }

  /// Hands a signal on to it; one that has ended hears nothing.
  package func pass(_ kind: Signal.Kind) {
    loop.assertHere()
    if whenEnded != nil { uv_process_kill(native, kind.number) }
  }

  override func didClose() { whenEnded = nil }

  private var native: UnsafeMutablePointer<uv_process_t> {
    memory.assumingMemoryBound(to: uv_process_t.self)
  }

  private static func spawn(
    _ handle: UnsafeMutablePointer<uv_process_t>, _ words: [[UInt8]], on loop: EventLoop
  ) -> Int32 {
    var streams = [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].map { descriptor in
      var stream = uv_stdio_container_t()
      stream.flags = UV_INHERIT_FD
      stream.data.fd = descriptor
      return stream
    }
    return withTexts(words) { words in
      streams.withUnsafeMutableBufferPointer { streams in
        var options = uv_process_options_t()
        options.file = words[0].map { UnsafePointer($0) }
        options.args = words
        options.stdio = streams.baseAddress
        options.stdio_count = Int32(streams.count)
        options.exit_cb = { ChildProcess.end($0, status: $1, signal: $2) }
        return uv_spawn(loop.native, handle, &options)
      }
    }
  }

  /// Lends words in the form that `execvp` takes.
  private static func withTexts<T>(
    _ words: [[UInt8]], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> T
  ) -> T {
    let copies = words.map { word in strdup((word + [0]).map { CChar(bitPattern: $0) }) }
    defer { for copy in copies { free(copy) } }
    var list = copies + [nil]
    return list.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure("the list has its end at least") }
      return body(base)
    }
  }

  private static func end(_ handle: UnsafeMutablePointer<uv_process_t>?, status: Int64, signal: Int32) {
    let child: ChildProcess = owner(of: handle)
    child.loop.assertHere()
    let tell = child.whenEnded
    child.close()
    child.whenEnded = nil
    tell?(signal == 0 ? .exited(status: Int32(truncatingIfNeeded: status)) : .killed(signal: signal))
  }
}
