import Loop
import Testing
import Wire

/// Echoes all bytes and records the events.
private final class Echo: TCPStreamOwner {
  let recorder: Recorder

  init(_ recorder: Recorder) { self.recorder = recorder }

  func stream(_ stream: TCPStream, received bytes: UnsafeRawBufferPointer) {
    if bytes.first == UInt8(ascii: "!") { return stream.abort() }
    do { try stream.write(bytes) } catch { recorder.append("\(error.name)") }
  }

  func streamReachedEnd(_ stream: TCPStream) {
    recorder.append("end")
    stream.halfClose()
    stream.close()
  }

  func streamDrained(_ stream: TCPStream) { recorder.append("drained") }

  func stream(_ stream: TCPStream, failed error: LoopError) {
    recorder.append(error.name)
    stream.close()
  }

  func streamClosed(_ stream: TCPStream) { recorder.append("closed") }
}

/// Shared by the loop's thread and the test.
private final class Notes: @unchecked Sendable {
  let recorder = Recorder()
  var listener: TCPListener?
}

@Suite("Loop · TCP")
struct StreamTests {
  /// Echoes one connection and returns the recorded events.
  private func events(_ talk: (Client) throws -> Void) throws -> [String] {
    let notes = Notes()
    let thread = try LoopThread { loop in
      let listener = try TCPListener(loop, on: SocketAddress(host: "127.0.0.1", port: 0)) { stream in
        do { try stream.start(owner: Echo(notes.recorder)) } catch { stream.close() }
        notes.listener?.close()
        notes.listener = nil
      }
      notes.listener = listener
      return listener
    }
    let port = thread.sync { notes.listener?.address.port ?? 0 }
    try talk(Client(port: port))
    #expect(thread.join())
    return notes.recorder.texts
  }

  @Test("bytes are echoed, and the owner is notified of the end")
  func echo() throws {
    let texts = try events { client in
      try client.send("hello")
      #expect(try client.receive(count: 5) == Array("hello".utf8))
    }

    #expect(texts == ["end", "closed"])
  }

  @Test("excess bytes are queued, and the owner is notified when they are written")
  func queue() throws {
    let bytes = [UInt8](repeating: 7, count: 65_536)
    let texts = try events { client in
      for _ in 0..<200 { try client.send(bytes) }
      #expect(try client.receive(count: 200 * bytes.count).count == 200 * bytes.count)
    }

    #expect(texts.contains("drained") && texts.suffix(2) == ["end", "closed"])
  }

  @Test("an aborted connection is reset")
  func abort() throws {
    let texts = try events { client in
      try client.send("!")
      #expect(try client.receiveAll().end == .reset)
    }

    #expect(texts == ["closed"])
  }

  @Test("port 0 is replaced by a real one, on IPv4 and IPv6", arguments: ["127.0.0.1", "::1"])
  func port(_ host: String) throws {
    let loop = EventLoop()
    let listener = try TCPListener(loop, on: SocketAddress(host: host, port: 0)) { $0.close() }

    #expect(listener.address.host == host && listener.address.port > 0)
    listener.close()
    loop.run()
  }

  @Test("a port in use is named in the error")
  func inUse() throws {
    let loop = EventLoop()
    let first = try TCPListener(loop, on: SocketAddress(host: "127.0.0.1", port: 0)) { $0.close() }

    let error = #expect(throws: LoopError.self) {
      try TCPListener(loop, on: first.address) { $0.close() }
    }
    first.close()
    loop.run()

    #expect(error?.name == "EADDRINUSE")
    #expect(error?.description.contains("listening on \(first.address)") == true)
  }

  @Test(
    "a host that is not a literal address is rejected",
    arguments: ["localhost", "", "1.2.3", "1.2.3.4.5", ":"])
  func literal(_ host: String) {
    let loop = EventLoop()

    let error = #expect(throws: LoopError.self) {
      try TCPListener(loop, on: SocketAddress(host: host, port: 0)) { $0.close() }
    }
    loop.run()

    #expect(error?.name == "EINVAL")
  }

  @Test("an address is written as in a URL")
  func description() {
    #expect(SocketAddress(host: "127.0.0.1", port: 80).description == "127.0.0.1:80")
    #expect(SocketAddress(host: "::1", port: 80).description == "[::1]:80")
  }
}
