import CLLHTTP

extension RequestParser {
  /// Keeps the head: its lines are copied once, the fields point into the copy.
  mutating func endHead(lines: UnsafeRawBufferPointer) throws(MalformedRequest) {
    var fields: [Headers.Field] = []
    swap(&fields, &machine.pointee.fields)
    meaning = try Self.meaning(of: fields, in: lines, minorVersion: line.minorVersion)
    if case .connect = line.method, !meaning.framing.isEmpty { throw .tunnelWithBody }
    persists = llhttp_should_keep_alive(machine.pointee.parser) != 0
    var headers = Headers(bytes: Array(lines), fields: fields)
    if let authority = line.authority {
      headers = headers.with(host: authority)
    } else if meaning.hosts == 0 {
      headers.add("Host", authority)
    }
    head = RequestHead(method: line.method, target: line.target, headers: headers)
    line.target = Target(path: "")
    machine.pointee.isInHead = false
  }

  /// Turns to the body as the head delimits it, within what the route allows.
  mutating func beginBody(
    _ bodyLimit: (RequestHead) -> Int
  ) throws(MalformedRequest) -> Event? {
    judged = 0
    lineLength = 0
    switch meaning.framing {
    case .none:
      guard case .connect = line.method else { return .message(takeMessage()) }
      defer { phase = .over }
      return .tunnel(takeMessage())
    case .length(let length):
      // Only a body over the general limit is worth finding its route for.
      guard length <= limits.body || length <= limit(bodyLimit) else { throw .bodyTooLarge }
      machine.pointee.body.reserveCapacity(min(length, 65_536))
      missing = length
      phase = .fixedBody
    case .chunked:
      machine.pointee.bodyLimit = max(limits.body, limit(bodyLimit))
      // An upgrade is not taken up: what follows is the body of this request.
      machine.pointee.parser.pointee.upgrade = 0
      llhttp_resume(machine.pointee.parser)
      phase = .chunks
    }
    return meaning.expectsContinue ? .continueExpected : nil
  }

  private func limit(_ bodyLimit: (RequestHead) -> Int) -> Int {
    guard let head else { preconditionFailure("a body follows a head") }
    return bodyLimit(head)
  }

  /// Reads chunks up to the last one's size line.
  mutating func readChunks(
    _ input: UnsafeRawBufferPointer, _ position: inout Int
  ) throws(MalformedRequest) {
    let bytes = UnsafeRawBufferPointer(rebasing: input[position...])
    let code = Machine.run(bytes, machine)
    if let refusal = machine.pointee.refusal { throw refusal }
    switch code {
    case HPE_OK: position = input.count
    case HPE_PAUSED:
      guard machine.pointee.isLastChunk, let stopped = Machine.stop(in: bytes, machine) else {
        throw .chunkInvalid
      }
      position += stopped
      llhttp_resume(machine.pointee.parser)
      phase = .trailers
    default: throw .chunkInvalid
    }
  }

  /// Hands the message over and makes ready for the one behind it.
  mutating func takeMessage() -> Message {
    guard let head = head.take() else { preconditionFailure("a message has a head") }
    var request = Request(
      head.method, head.target, headers: head.headers, body: machine.pointee.takeBody(), scheme: scheme,
      peer: peer)
    if case .direct = origin { request.via = line.origin } else { request.via = origin }
    machine.pointee.reset()
    judged = 0
    lineLength = 0
    phase = .start
    return Message(request: request, persists: persists, minorVersion: line.minorVersion)
  }
}

extension Headers {
  /// The same fields with this one `Host`, in front.
  fileprivate func with(host: String) -> Headers {
    var changed: Headers = ["Host": host]
    for (name, value) in pairs where name.lowercased() != "host" { changed.add(name, value) }
    return changed
  }
}
