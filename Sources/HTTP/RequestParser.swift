import CLLHTTP

/// Bytes of one connection in, whole requests out.
///
/// ```
/// bytes ─ lines ─┬─ own checks: CR LF, no folding, request line, limits
///                └─ llhttp: fields, then chunks ─ own checks: Host, length, encoding ─ Message
/// ```
///
/// A line is judged when it is whole, so the verdict never depends on how the bytes were split.
package struct RequestParser: ~Copyable {
  /// What the bytes so far amount to.
  package enum Event {
    /// All bytes are taken; more are needed, of this part of a request.
    case needsMore(Part)
    /// The client waits for `100 Continue` before it sends the body.
    case continueExpected
    /// A request is whole; the position is behind its last byte.
    case message(Message)
  }

  /// Where in a request the bytes so far end.
  package enum Part: Sendable {
    /// Behind the last request, or before the first.
    case none
    /// In the request line or the fields.
    case head
    /// In the body, or in the trailers behind it.
    case body
  }

  /// A whole request with what its answer must respect.
  package struct Message {
    /// The request.
    package var request: Request
    /// Whether the client wants to go on with this connection.
    package let persists: Bool
    /// The digit behind `HTTP/1.`.
    package let minorVersion: Int
  }

  private enum Phase { case start, head, fixedBody, chunks, trailers, failed }

  private let machine = Machine.allocate()
  private let limits: Limits
  private let scheme: String
  private let peer: String
  private let authority: String
  private var phase = Phase.start
  /// Bytes of a head or of trailers that came in pieces.
  private var carried: [UInt8] = []
  /// How many of `carried` are lines already judged.
  private var judged = 0
  /// Bytes of the request line with its end; 0 until it is read.
  private var lineLength = 0
  private var line = RequestLine()
  private var head = RequestHead(method: .get, target: Target(path: ""), headers: Headers())
  private var meaning = Meaning()
  private var persists = false
  private var missing = 0
  private var leading = (lines: 0, hasReturn: false)

  /// A parser for a connection that was reached and comes from these addresses.
  package init(limits: Limits = Limits(), scheme: String = "http", peer: String = "", authority: String = "")
  {
    self.limits = limits
    self.scheme = scheme
    self.peer = peer
    self.authority = authority
    machine.pointee.extensionLimit = limits.chunkExtensions
  }

  deinit {
    Machine.free(machine)
  }

  /// Bytes of the body so far.
  package var bodyBytes: Int { machine.pointee.body.count }

  /// Reads on from the position until something is whole; asks for the body's limit when a head is.
  package mutating func next(
    in input: UnsafeRawBufferPointer, at position: inout Int, bodyLimit: (RequestHead) -> Int
  ) throws(MalformedRequest) -> Event {
    do throws(MalformedRequest) {
      return try advance(input, &position, bodyLimit)
    } catch {
      phase = .failed
      throw error
    }
  }

  private mutating func advance(
    _ input: UnsafeRawBufferPointer, _ position: inout Int, _ bodyLimit: (RequestHead) -> Int
  ) throws(MalformedRequest) -> Event {
    while position < input.count {
      switch phase {
      case .start: try skipEmptyLines(input, &position)
      case .head:
        guard try readLines(input, &position) else { return .needsMore(.head) }
        if let event = try beginBody(bodyLimit) { return event }
      case .fixedBody:
        let count = min(missing, input.count - position)
        machine.pointee.body.append(contentsOf: input[position..<(position + count)])
        position += count
        missing -= count
        if missing == 0 { return .message(finish()) }
      case .chunks: try readChunks(input, &position)
      case .trailers:
        if try readLines(input, &position) { return .message(finish()) }
      case .failed: preconditionFailure("a connection is not read on after a refusal")
      }
    }
    return .needsMore(part)
  }

  private var part: Part {
    switch phase {
    case .start: leading.hasReturn ? .head : .none
    case .head: .head
    case .fixedBody, .chunks, .trailers: .body
    case .failed: .none
    }
  }

  /// Empty lines before a request are forgiven, as RFC 9112, 2.2 asks; two of them, not a stream.
  private mutating func skipEmptyLines(
    _ input: UnsafeRawBufferPointer, _ position: inout Int
  ) throws(MalformedRequest) {
    let byte = input[position]
    switch (byte, leading.hasReturn) {
    case (0x0D, false):
      leading.hasReturn = true
      position += 1
    case (0x0A, true):
      leading = (leading.lines + 1, false)
      guard leading.lines <= 2 else { throw .leadingBytes }
      position += 1
    case (0x0A, false): throw .bareLineFeed
    case (_, true): throw .bareCarriageReturn
    default:
      guard Self.isTokenByte(byte) else { throw .leadingBytes }
      leading = (0, false)
      phase = .head
    }
  }
}

// MARK: - Lines

extension RequestParser {
  /// Judges every whole line of the input; true when the empty one was reached.
  ///
  /// A head that lies in one piece is read where it is; only one that comes in pieces is copied first.
  private mutating func readLines(
    _ input: UnsafeRawBufferPointer, _ position: inout Int
  ) throws(MalformedRequest) -> Bool {
    guard carried.isEmpty, let base = input.baseAddress else { return try readCarriedLines(input, &position) }
    let start = position
    while let end = Self.lineEnd(input, from: position) {
      let isLast = try judge(base + start, from: position - start, to: end - start)
      position = end
      if isLast { return true }
    }
    judged = position - start
    carried.append(contentsOf: input[start...])
    position = input.count
    try checkUnfinishedLine(carried.count)
    return false
  }

  private mutating func readCarriedLines(
    _ input: UnsafeRawBufferPointer, _ position: inout Int
  ) throws(MalformedRequest) -> Bool {
    var lines: [UInt8] = []
    swap(&lines, &carried)
    while let end = Self.lineEnd(input, from: position) {
      lines.append(contentsOf: input[position..<end])
      position = end
      let isLast = try lines.withUnsafeBufferPointer { bytes throws(MalformedRequest) in
        guard let base = bytes.baseAddress else { return false }
        return try judge(base, from: judged, to: bytes.count)
      }
      judged = lines.count
      if isLast { return true }
    }
    lines.append(contentsOf: input[position...])
    position = input.count
    try checkUnfinishedLine(lines.count)
    swap(&lines, &carried)
    return false
  }

  /// The index behind the next LF. Eight bytes at a time: bytes of a head are looked at here first.
  private static func lineEnd(_ input: UnsafeRawBufferPointer, from position: Int) -> Int? {
    var index = position
    while index + 8 <= input.count {
      let word = input.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ 0x0A0A_0A0A_0A0A_0A0A
      let zeros = (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
      if zeros != 0 { return index + UInt64(littleEndian: zeros).trailingZeroBitCount / 8 + 1 }
      index += 8
    }
    while index < input.count {
      if input[index] == 0x0A { return index + 1 }
      index += 1
    }
    return nil
  }

  /// A line may not be longer than its limit even before its end is known.
  private func checkUnfinishedLine(_ count: Int) throws(MalformedRequest) {
    if phase == .head, lineLength == 0, count > longestRequestLine { throw .targetTooLong }
    guard count <= limits.head else { throw .headTooLarge }
  }

  private var longestRequestLine: Int { limits.target + 64 }

  /// Judges one line of a head or of trailers; true when it is the empty line that ends them.
  private mutating func judge(
    _ base: UnsafeRawPointer, from start: Int, to end: Int
  ) throws(MalformedRequest) -> Bool {
    let isRequestLine = phase == .head && lineLength == 0
    if isRequestLine, end > longestRequestLine { throw .targetTooLong }
    guard end <= limits.head else { throw .headTooLarge }
    let bytes = UnsafeRawBufferPointer(start: base + start, count: end - start)
    guard bytes.count >= 2, bytes[bytes.count - 2] == 0x0D else { throw .bareLineFeed }
    if isRequestLine {
      line = try Self.requestLine(UnsafeRawBufferPointer(rebasing: bytes.dropLast(2)), limits: limits)
      lineLength = end
    } else if bytes[0] == 0x20 || bytes[0] == 0x09 {
      throw .foldedLine
    } else if bytes[0] == UInt8(ascii: ":") {
      throw .fieldInvalid
    }
    let isLast = bytes.count == 2
    machine.pointee.origin = base + lineLength
    try Machine.read(line: bytes, endsSection: isLast, machine)
    guard machine.pointee.fields.count <= limits.fieldCount else { throw .tooManyFields }
    if isLast, phase == .head {
      try endHead(lines: UnsafeRawBufferPointer(start: base + lineLength, count: end - 2 - lineLength))
    }
    return isLast
  }
}

// MARK: - Messages

extension RequestParser {
  /// Keeps the head: its lines are copied once, the fields point into the copy.
  private mutating func endHead(lines: UnsafeRawBufferPointer) throws(MalformedRequest) {
    var fields: [Headers.Field] = []
    swap(&fields, &machine.pointee.fields)
    meaning = try Self.meaning(of: fields, in: lines, minorVersion: line.minorVersion)
    persists = llhttp_should_keep_alive(machine.pointee.parser) != 0
    var headers = Headers(bytes: Array(lines), fields: fields)
    if let authority = line.authority {
      headers = headers.with(host: authority)
    } else if meaning.hosts == 0 {
      headers.add("Host", authority)
    }
    head = RequestHead(method: line.method, target: line.target, headers: headers)
    machine.pointee.isInHead = false
  }

  /// Turns to the body as the head delimits it, within what the route allows.
  private mutating func beginBody(
    _ bodyLimit: (RequestHead) -> Int
  ) throws(MalformedRequest) -> Event? {
    judged = 0
    lineLength = 0
    switch meaning.framing {
    case .none: return .message(finish())
    case .length(let length):
      guard length <= bodyLimit(head) else { throw .bodyTooLarge }
      machine.pointee.body.reserveCapacity(min(length, 65_536))
      missing = length
      phase = .fixedBody
    case .chunked:
      machine.pointee.bodyLimit = bodyLimit(head)
      // An upgrade is not taken up: what follows is the body of this request.
      machine.pointee.parser.pointee.upgrade = 0
      llhttp_resume(machine.pointee.parser)
      phase = .chunks
    }
    return meaning.expectsContinue ? .continueExpected : nil
  }

  private mutating func readChunks(
    _ input: UnsafeRawBufferPointer, _ position: inout Int
  ) throws(MalformedRequest) {
    let bytes = UnsafeRawBufferPointer(rebasing: input[position...])
    let code = Machine.run(bytes, machine)
    if let refusal = machine.pointee.refusal { throw refusal }
    switch code {
    case HPE_OK: position = input.count
    case HPE_PAUSED:
      guard machine.pointee.isLastChunk, let stopped = Machine.stop(in: bytes, machine) else { throw .chunkInvalid }
      position += stopped
      llhttp_resume(machine.pointee.parser)
      phase = .trailers
    default: throw .chunkInvalid
    }
  }

  /// Hands the message over and makes ready for the next.
  private mutating func finish() -> Message {
    var body: [UInt8] = []
    swap(&body, &machine.pointee.body)
    let request = Request(
      head.method, head.target, headers: head.headers, body: body, scheme: scheme, peer: peer)
    head = RequestHead(method: .get, target: Target(path: ""), headers: Headers())
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
