import CUV

/// One libuv handle. libuv keeps its address until the close callback.
package class Handle {
  package let loop: EventLoop
  /// True after `close`. Only the close callback still runs.
  package private(set) var isClosing = false
  /// Holds libuv's structure.
  let memory: UnsafeMutableRawPointer

  /// Allocates a handle of this type. `start` calls libuv's initialiser for it.
  init<Native>(
    _ loop: EventLoop, _ type: Native.Type, doing: String,
    start: (UnsafeMutablePointer<Native>) -> Int32
  ) throws(LoopError) {
    loop.assertOnThread()
    self.loop = loop
    memory = .allocate(
      byteCount: MemoryLayout<Native>.size, alignment: MemoryLayout<Native>.alignment)
    let code = start(memory.bindMemory(to: Native.self, capacity: 1))
    guard code == 0 else {
      memory.deallocate()
      throw LoopError(code: code, doing: doing)
    }
    // Released in the close callback, after which libuv does not use the address.
    base.pointee.data = Unmanaged.passRetained(self).toOpaque()
  }

  /// The common part of libuv's handle types.
  final var base: UnsafeMutablePointer<uv_handle_t> { memory.assumingMemoryBound(to: uv_handle_t.self) }

  /// Closes the handle. Further calls do nothing.
  package final func close() {
    loop.assertOnThread()
    guard markClosing() else { return }
    uv_close(base) { Handle.finish($0) }
  }

  /// Returns true for the first call.
  final func markClosing() -> Bool {
    defer { isClosing = true }
    return !isClosing
  }

  /// The close callback.
  static func finish(_ base: UnsafeMutablePointer<uv_handle_t>?) {
    // Balances the `passRetained` of the initialiser. libuv calls this once per handle.
    guard let data = base?.pointee.data else { return }
    let handle = Unmanaged<Handle>.fromOpaque(data).takeRetainedValue()
    handle.loop.assertOnThread()
    handle.memory.deallocate()
    handle.didClose()
  }

  /// Override to release closures and owners, and so break reference cycles.
  func didClose() {}

  /// The object that a callback's handle belongs to.
  static func owner<Owner: Handle, Native>(of handle: UnsafeMutablePointer<Native>?) -> Owner {
    // Retained until `finish`, after which libuv never calls back.
    guard let data = UnsafeMutableRawPointer(handle)?.assumingMemoryBound(to: uv_handle_t.self).pointee.data
    else { preconditionFailure("libuv callback without a handle") }
    return Unmanaged<Owner>.fromOpaque(data).takeUnretainedValue()
  }
}

/// A failed libuv call.
package struct LoopError: Error, Equatable, CustomStringConvertible {
  /// libuv's error code: a negated errno on Unix.
  package let code: Int32
  /// The failed action, such as "listening on 127.0.0.1:80".
  package let doing: String

  package init(code: Int32, doing: String) {
    self.code = code
    self.doing = doing
  }

  /// The symbolic name, such as `EADDRINUSE`.
  package var name: String { String(cString: uv_err_name(code)) }

  /// The system's message, such as "address already in use".
  package var reason: String { String(cString: uv_strerror(code)) }

  package var description: String { "\(doing) failed: \(reason) (\(name))" }

  /// Throws if the code is negative.
  static func check(_ code: Int32, _ doing: @autoclosure () -> String) throws(LoopError) {
    if code < 0 { throw LoopError(code: code, doing: doing()) }
  }
}
