import CUV

extension TCPStream {
  /// Begins to connect to an address and calls back once: with nothing when the stream can be started, else with
  /// what failed, and then it is of no more use but to be closed.
  package convenience init(
    _ loop: EventLoop, to address: SocketAddress, whenConnected: @escaping (LoopError?) -> Void
  ) throws(LoopError) {
    let doing = "connecting to \(address)"
    try self.init(unconnected: loop, doing: doing)
    do throws(LoopError) {
      try connect(to: address, doing: doing, whenConnected)
    } catch {
      close()
      throw error
    }
  }

  /// Who waits for the connection; a class because libuv hands one address through.
  private final class Waiting {
    let stream: TCPStream
    let doing: String
    let then: (LoopError?) -> Void

    init(_ stream: TCPStream, doing: String, then: @escaping (LoopError?) -> Void) {
      self.stream = stream
      self.doing = doing
      self.then = then
    }
  }

  private func connect(
    to address: SocketAddress, doing: String, _ then: @escaping (LoopError?) -> Void
  ) throws(LoopError) {
    let request = UnsafeMutablePointer<uv_connect_t>.allocate(capacity: 1)
    // The reference is released in the callback, which libuv calls exactly once, also when the stream is closed.
    let waiting = Unmanaged.passRetained(Waiting(self, doing: doing, then: then))
    request.pointee.data = waiting.toOpaque()
    let tcp = memory.assumingMemoryBound(to: uv_tcp_t.self)
    do throws(LoopError) {
      let code = try address.withNative(doing: doing) { native in
        uv_tcp_connect(request, tcp, native) { TCPStream.connected($0, status: $1) }
      }
      try LoopError.check(code, doing)
    } catch {
      waiting.release()
      request.deallocate()
      throw error
    }
  }

  private static func connected(_ request: UnsafeMutablePointer<uv_connect_t>?, status: Int32) {
    guard let request, let data = request.pointee.data else { return }
    // Balances the `passRetained` of `connect`.
    let waiting = Unmanaged<Waiting>.fromOpaque(data).takeRetainedValue()
    waiting.stream.loop.assertHere()
    request.deallocate()
    waiting.then(status == 0 ? nil : LoopError(code: status, doing: waiting.doing))
  }
}
