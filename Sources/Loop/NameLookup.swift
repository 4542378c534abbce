import CUV

/// Resolves host names on one of libuv's threads.
package enum NameLookup {
  package typealias Outcome = Result<[SocketAddress], LoopError>

  /// Calls back with all addresses of a host, in the system's order, each with this port.
  package static func find(
    _ host: String, port: UInt16, on loop: EventLoop, then: @escaping (Outcome) -> Void
  ) throws(LoopError) {
    loop.assertOnThread()
    let request = UnsafeMutablePointer<uv_getaddrinfo_t>.allocate(capacity: 1)
    // Released in the callback, which libuv calls exactly once for an accepted request.
    let query = Unmanaged.passRetained(Query(host: host, port: port, loop: loop, then: then))
    request.pointee.data = query.toOpaque()
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    let code = uv_getaddrinfo(
      loop.native, request, { NameLookup.didFinish($0, status: $1, $2) }, host, nil, &hints)
    guard code == 0 else {
      query.release()
      request.deallocate()
      throw LoopError(code: code, doing: "looking up \(host)")
    }
  }

  /// A class, because libuv passes one pointer to the callback.
  private final class Query {
    let host: String
    let port: UInt16
    let loop: EventLoop
    let then: (Outcome) -> Void

    init(host: String, port: UInt16, loop: EventLoop, then: @escaping (Outcome) -> Void) {
      self.host = host
      self.port = port
      self.loop = loop
      self.then = then
    }
  }

  private static func didFinish(
    _ request: UnsafeMutablePointer<uv_getaddrinfo_t>?, status: Int32, _ list: UnsafeMutablePointer<addrinfo>?
  ) {
    guard let request, let data = request.pointee.data else { return }
    // Balances the `passRetained` of `find`.
    let query = Unmanaged<Query>.fromOpaque(data).takeRetainedValue()
    query.loop.assertOnThread()
    request.deallocate()
    defer { uv_freeaddrinfo(list) }
    guard status == 0 else {
      return query.then(.failure(LoopError(code: status, doing: "looking up \(query.host)")))
    }
    var found: [SocketAddress] = []
    var next = list
    while let entry = next {
      if let native = entry.pointee.ai_addr, let address = SocketAddress(native, port: query.port) {
        found.append(address)
      }
      next = entry.pointee.ai_next
    }
    query.then(.success(found))
  }
}
