import CUV

/// Asks the operating system for a host's addresses, on one of libuv's threads.
package enum NameLookup {
  /// What came of it.
  package typealias Outcome = Result<[SocketAddress], LoopError>

  /// Calls back with every address of a host, each with this port, in the system's order.
  package static func find(
    _ host: String, port: UInt16, on loop: EventLoop, then: @escaping (Outcome) -> Void
  ) throws(LoopError) {
    loop.assertHere()
    let request = UnsafeMutablePointer<uv_getaddrinfo_t>.allocate(capacity: 1)
    // The reference is released in the callback, which libuv calls exactly once for a request it took.
    let asked = Unmanaged.passRetained(Question(host: host, port: port, loop: loop, then: then))
    request.pointee.data = asked.toOpaque()
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    let code = uv_getaddrinfo(
      loop.native, request, { NameLookup.answer($0, status: $1, $2) }, host, nil, &hints)
    guard code == 0 else {
      asked.release()
      request.deallocate()
      throw LoopError(code: code, doing: "looking up \(host)")
    }
  }

  /// Who asked; a class because libuv hands one address through.
  private final class Question {
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

  private static func answer(
    _ request: UnsafeMutablePointer<uv_getaddrinfo_t>?, status: Int32, _ list: UnsafeMutablePointer<addrinfo>?
  ) {
    guard let request, let data = request.pointee.data else { return }
    // Balances the `passRetained` of `find`.
    let question = Unmanaged<Question>.fromOpaque(data).takeRetainedValue()
    question.loop.assertHere()
    request.deallocate()
    defer { uv_freeaddrinfo(list) }
    guard status == 0 else {
      return question.then(.failure(LoopError(code: status, doing: "looking up \(question.host)")))
    }
    var found: [SocketAddress] = []
    var next = list
    while let entry = next {
      if let native = entry.pointee.ai_addr, let address = SocketAddress(native, port: question.port) {
        found.append(address)
      }
      next = entry.pointee.ai_next
    }
    question.then(.success(found))
  }
}
