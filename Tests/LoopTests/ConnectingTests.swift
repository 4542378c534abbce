import Loop
import Testing
import Wire

@Suite("Loop · connecting and names")
struct ConnectingTests {
  /// Runs work on a new loop and waits for its promise.
  private func run<Value: Sendable>(
    _ work: @escaping @Sendable (EventLoop, Promise<Value>) throws -> Any
  ) throws -> Value? {
    let promise = Promise<Value>()
    let thread = try LoopThread { try work($0, promise) }
    defer { _ = thread.join() }
    return promise.wait()
  }

  @Test("a lookup returns addresses with the port")
  func lookUp() throws {
    let hosts: [String]? = try run { loop, promise in
      try NameLookup.find("localhost", port: 81, on: loop) { outcome in
        promise.keep((try? outcome.get())?.map { "\($0.isLoopback) \($0.port)" } ?? [])
      }
    }

    #expect(hosts.map(Set.init) == ["true 81"])
  }

  @Test("an unknown name is an error with the name")
  func unknown() throws {
    let failure: LoopError?? = try run { loop, promise in
      try NameLookup.find("no-such-host.invalid", port: 80, on: loop) { outcome in
        if case .failure(let error) = outcome { promise.keep(error) } else { promise.keep(nil) }
      }
    }

    #expect((failure ?? nil)?.doing == "looking up no-such-host.invalid")
  }

  @Test("connecting succeeds on a listening port only")
  func connecting() throws {
    let receiver = try Receiver()
    let idle = try Receiver().port
    let results: [String] = try [receiver.port, idle].map { port in
      let result: String? = try run { loop, promise in
        var stream: TCPStream?
        stream = try TCPStream(loop, to: SocketAddress(host: "127.0.0.1", port: port)) { error in
          promise.keep(error?.name ?? "connected")
          stream?.close()
          stream = nil
        }
        return 0
      }
      return result ?? "late"
    }

    #expect(results == ["connected", "ECONNREFUSED"])
  }

  @Test("closing a stream while it connects calls back once")
  func closed() throws {
    let receiver = try Receiver()
    let port = receiver.port

    let result: String? = try run { loop, promise in
      let stream = try TCPStream(loop, to: SocketAddress(host: "127.0.0.1", port: port)) { error in
        promise.keep(error?.name ?? "connected")
      }
      stream.close()
      return 0
    }

    #expect(result == "ECANCELED")
  }

  @Test(
    "literal addresses are recognised",
    arguments: [
      ("127.0.0.1", true), ("::1", true), ("127.1", false), ("localhost", false), ("", false),
      ("[::1]", false),
    ])
  func literals(host: String, isLiteral: Bool) {
    #expect(SocketAddress(host: host, port: 0).isLiteral == isLiteral)
  }
}
