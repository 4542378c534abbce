import HTTP

private let preface = HTTP2Session.prefaceLine + Array("\r\nSM\r\n\r\n".utf8)

private func session() -> HTTP2Session {
  var settings = HTTP2Session.Settings()
  settings.limits.body = 1_000
  settings.bodiesLimit = 500
  settings.streamLimit = 16
  let session = HTTP2Session(settings)
  session.bodyLimit = { $0.target.path == "/large" ? 4_000 : 0 }
  preface.withUnsafeBytes { session.receive($0, at: 1) }
  return session
}

/// The complete requests as text.
private func requests(in bytes: UnsafeRawBufferPointer, split pieces: [Range<Int>]) -> String {
  let session = session()
  var text = ""
  for piece in pieces { session.receive(UnsafeRawBufferPointer(rebasing: bytes[piece]), at: 1) }
  while let message = session.nextRequest() {
    let request = message.request
    precondition(request.body.count <= 4_000 && request.headers.bytes.count <= 16_384 + 64, "the limits hold")
    precondition(!request.host.isEmpty, "every request has a host")
    text +=
      "\(message.stream) \(request.method) \(request.target.text) \(request.headers.pairs) \(request.body)\n"
  }
  return text + "\(session.hasFailed)"
}

/// A live body that has something every other time.
private func livePieces() -> BodyPieces {
  var hasSomething = false
  func isReady() -> Bool {
    hasSomething.toggle()
    return hasSomething
  }
  return BodyPieces(hasNews: isReady, heartbeat: [0]) { isReady() ? [1, 2, 3] : [] }
}

/// Answers each request at once, in the way that its path asks for.
private func answerAll(of bytes: UnsafeRawBufferPointer, size: Int) {
  let session = session()
  var (position, time, output) = (0, UInt64(1), [UInt8]())
  while position < bytes.count {
    let end = min(position + size, bytes.count)
    session.receive(UnsafeRawBufferPointer(rebasing: bytes[position..<end]), at: time)
    (position, time) = (end, time + 100)
    while let message = session.nextRequest() {
      let isHead = message.request.method == .head
      switch message.request.target.path.utf8.count % 6 {
      case 0: session.respond(Response(204), to: message.stream, isHead: isHead)
      case 1:
        var left = 3
        let pieces = BodyPieces {
          left -= 1
          return left < 0 ? nil : [UInt8](repeating: 7, count: 30_000)
        }
        session.respond(Response(200), pieces, to: message.stream, isHead: isHead)
      case 2:
        session.respond(
          Response(200, body: [1, 2, 3], transport: .truncated(after: 2)), to: message.stream, isHead: isHead)
      case 3: session.respond(Response(426), to: message.stream, isHead: isHead)
      case 4: session.respond(Response(200), livePieces(), to: message.stream, isHead: isHead)
      default: session.respond(Response(200, body: message.request.body), to: message.stream, isHead: isHead)
      }
    }
    session.rejectOldest()
    _ = session.continueLiveBodies(isBeat: end % 2 == 0)
    output.removeAll(keepingCapacity: true)
    session.appendOutput(to: &output, limit: 4_096)
    precondition(session.unsentBytes >= 0 && session.sendingStreams >= 0, "the counts are right")
    precondition(output.count < 4_096 + 32_768, "the output is bounded")
  }
  session.finishLiveBodies()
  session.shutDown()
  session.appendOutput(to: &output, limit: 1 << 20)
}

/// The bytes of a client after its preface. The requests do not depend on how they are split.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHTTP2(_ data: UnsafeRawPointer, _ size: Int) -> CInt {
  let bytes = UnsafeRawBufferPointer(start: data, count: size)
  let whole = requests(in: bytes, split: [0..<size])
  let middle = size == 0 ? 0 : Int(bytes[size - 1]) % size
  requireEqual(whole, requests(in: bytes, split: [0..<middle, middle..<size]), "split at \(middle)")
  if size <= 4_096 {
    requireEqual(whole, requests(in: bytes, split: (0..<size).map { $0..<($0 + 1) }), "byte by byte")
  }
  answerAll(of: bytes, size: size == 0 ? 1 : Int(bytes[0]) + 1)
  return 0
}

private func requireEqual(_ one: String, _ other: String, _ how: String) {
  guard one != other else { return }
  // A release build prints no message of a precondition.
  print("whole: \(one)\n\(how): \(other)")
  preconditionFailure("the requests depend on the pieces")
}
