import CUV

/// The owner of one libuv handle; a class because libuv keeps its address until the close callback.
package class Handle {
  /// The loop that calls back.
  package let loop: EventLoop
  /// Whether `close` was called; nothing is called back afterwards but the end itself.
  package private(set) var isClosing = false
  /// The handle's own memory, of the size libuv asks for.
  let memory: UnsafeMutableRawPointer

  /// Allocates a handle of this type and hands it to libuv's initialiser.
  init<Native>(
    _ loop: EventLoop, _ type: Native.Type, doing: String,
    start: (UnsafeMutablePointer<Native>) -> Int32
  ) throws(LoopError) {
    loop.assertHere()
    self.loop = loop
    memory = .allocate(
      byteCount: MemoryLayout<Native>.size, alignment: MemoryLayout<Native>.alignment)
    let code = start(memory.bindMemory(to: Native.self, capacity: 1))
    guard code == 0 else {
      memory.deallocate()
      throw LoopError(code: code, doing: doing)
    }
    // The reference is released in the close callback, after which libuv forgets the address.
    base.pointee.data = Unmanaged.passRetained(self).toOpaque()
  }

  /// The handle as libuv's common part.
  final var base: UnsafeMutablePointer<uv_handle_t> { memory.assumingMemoryBound(to: uv_handle_t.self) }

  /// Ends the handle; calling it again changes nothing.
  package final func close() {
    loop.assertHere()
    guard markClosing() else { return }
    uv_close(base) { Handle.finish($0) }
  }

  /// Whether this call is the first that ends the handle.
  final func markClosing() -> Bool {
    defer { isClosing = true }
    return !isClosing
  }

  /// Called once by libuv when it has let go of the handle.
  static func finish(_ base: UnsafeMutablePointer<uv_handle_t>?) {
    // Balances the `passRetained` of the initialiser; libuv calls this once per handle.
    guard let data = base?.pointee.data else { return }
    let handle = Unmanaged<Handle>.fromOpaque(data).takeRetainedValue()
    handle.loop.assertHere()
    handle.memory.deallocate()
    handle.didClose()
  }

  /// Lets go of closures and owners, so that no reference cycle outlives the handle.
  func didClose() {}

  /// The object behind a handle that calls back.
  static func owner<Owner: Handle, Native>(of handle: UnsafeMutablePointer<Native>?) -> Owner {
    // Retained until `finish`, and libuv never calls back after that.
    guard let data = UnsafeMutableRawPointer(handle)?.assumingMemoryBound(to: uv_handle_t.self).pointee.data
    else { preconditionFailure("libuv called back without a handle") }
    return Unmanaged<Owner>.fromOpaque(data).takeUnretainedValue()
  }
}
