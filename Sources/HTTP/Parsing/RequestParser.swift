import CLLHTTP

/// Turns the bytes of one connection into complete requests.
///
/// ```
/// bytes ─> lines ─┬─ own checks: CR LF, no folding, request line, limits
///                 └─ llhttp: fields, then chunks ─> own checks: Host, length, encoding ─> Message
/// ```
///
/// Lines are checked only when they are complete. So the result never depends on how the bytes were split.
package struct RequestParser: ~Copyable {
  package enum Event {
    /// All bytes are consumed. More are needed for this part of a request.
    case needsMore(Part)
    /// The client waits for `100 Continue` before it sends the body.
    case continueExpected
    /// A complete request. The position is after its last byte.
    case message(Message)
    /// A complete CONNECT request. This parser must not be used again, because no request follows.
    case tunnel(Message)
    /// The first line of HTTP/2's preface (RFC 9113, 3.4). The position is after it. This parser must not be
    /// used again.
    case http2Preface
  }

  /// The part of a request that the input ends in.
  package enum Part: Sendable {
    /// Between requests.
    case none
    /// The request line or the fields.
    case head
    /// The body or its trailers.
    case body
  }

  /// A complete request, with the properties that its response depends on.
  package struct Message {
    package var request: Request
    /// True if the client wants to keep the connection open.
    package let keepAlive: Bool
    /// The digit after `HTTP/1.`.
    package let minorVersion: Int
    /// The stream of HTTP/2; 0 for HTTP/1.
    package var stream: Int32 = 0
  }

  enum Phase { case start, head, fixedBody, chunks, trailers, finished }

  let machine = Machine.allocate()
  let limits: Limits
  /// `http` or `https`.
  package var scheme: String
  /// The client's address.
  package let peer: String
  package let connection: RequestConnection
  /// The `Host` of requests that have none (HTTP/1.0).
  let authority: String
  /// How requests arrive. An absolute URL on the request line overrides `direct`.
  package let origin: RequestOrigin
  /// True if the connection may begin with HTTP/2's preface instead of a request.
  private var acceptsHTTP2: Bool
  var phase = Phase.start
  /// Bytes of an incomplete head or of incomplete trailers.
  var partialLines: [UInt8] = []
  /// How many bytes of `partialLines` belong to lines that were already checked.
  var checkedBytes = 0
  /// Bytes of the request line with its line end; 0 until it was read.
  var requestLineSize = 0
  var line = RequestLine()
  var head: RequestHead?
  var framing = MessageFraming()
  var keepAlive = false
  /// Bytes missing in a body of fixed length.
  var missing = 0
  /// Empty lines before a request.
  var leading = (lines: 0, hasReturn: false)

  /// `peer` is the client's address, `authority` the server's.
  package init(
    limits: Limits = Limits(), scheme: String = "http", peer: String = "", authority: String = "",
    origin: RequestOrigin = .direct, acceptsHTTP2: Bool = false
  ) {
    self.limits = limits
    self.scheme = scheme
    self.peer = peer
    self.authority = authority
    connection = RequestConnection(to: Authority(authority))
    self.origin = origin
    self.acceptsHTTP2 = acceptsHTTP2
    machine.pointee.extensionLimit = limits.chunkExtensions
  }

  deinit {
    Machine.free(machine)
  }

  /// The head of a request whose rest has not arrived, or is not acceptable.
  package var unfinishedHead: RequestHead? { head }

  /// Bytes of the current body so far.
  package var bodyBytes: Int { machine.pointee.body.count }

  /// Parses from the position to the next event. Calls `bodyLimit` for chunked bodies, and for those larger
  /// than the general limit.
  package mutating func next(
    in input: UnsafeRawBufferPointer, at position: inout Int, bodyLimit: (RequestHead) -> Int
  ) throws(MalformedRequest) -> Event {
    let start = position
    do throws(MalformedRequest) {
      return try advance(input, &position, bodyLimit)
    } catch {
      if error == .http2Preface { return finish(.http2Preface) }
      // What is known of an unfinished head tells whose error it is.
      if phase == .head, head == nil {
        head =
          partialLines.isEmpty
          ? RequestHead(salvaging: UnsafeRawBufferPointer(rebasing: input[start...]))
          : partialLines.withUnsafeBytes { RequestHead(salvaging: $0) }
      }
      phase = .finished
      throw error
    }
  }

  private mutating func finish(_ event: Event) -> Event {
    phase = .finished
    return event
  }

  private mutating func advance(
    _ input: UnsafeRawBufferPointer, _ position: inout Int, _ bodyLimit: (RequestHead) -> Int
  ) throws(MalformedRequest) -> Event {
    while position < input.count {
      switch phase {
      case .start: try skipEmptyLines(input, &position)
      case .head:
        guard try readLines(input, &position) else { return .needsMore(.head) }
        if let event = try startBody(bodyLimit) { return event }
      case .fixedBody:
        let count = min(missing, input.count - position)
        machine.pointee.body.append(contentsOf: input[position..<(position + count)])
        position += count
        missing -= count
        if missing == 0 { return .message(takeMessage()) }
      case .chunks: try readChunks(input, &position)
      case .trailers:
        if try readLines(input, &position) { return .message(takeMessage()) }
      case .finished: preconditionFailure("no request follows an error or CONNECT")
      }
    }
    return .needsMore(part)
  }

  private var part: Part {
    switch phase {
    case .start: leading.hasReturn ? .head : .none
    case .head: .head
    case .fixedBody, .chunks, .trailers: .body
    case .finished: .none
    }
  }

  /// Skips up to two empty lines before a request, as RFC 9112, 2.2 recommends.
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
      guard RequestLine.isTokenByte(byte) else { throw .leadingBytes }
      leading = (0, false)
      phase = .head
    }
  }
}

// MARK: Lines

extension RequestParser {
  /// Checks every complete line of the input. Returns true after the empty line.
  ///
  /// A head in one piece is read in place. Only a head in several pieces is copied first.
  private mutating func readLines(
    _ input: UnsafeRawBufferPointer, _ position: inout Int
  ) throws(MalformedRequest) -> Bool {
    guard partialLines.isEmpty, let base = input.baseAddress else {
      return try continueLines(input, &position)
    }
    let start = position
    while let end = Self.lineEnd(input, from: position) {
      let lineStart = position - start
      position = end
      let isLast = try checkLine(base + start, from: lineStart, to: end - start)
      if isLast { return true }
    }
    checkedBytes = position - start
    partialLines.append(contentsOf: input[start...])
    position = input.count
    try checkUnfinishedLine(partialLines.count)
    return false
  }

  private mutating func continueLines(
    _ input: UnsafeRawBufferPointer, _ position: inout Int
  ) throws(MalformedRequest) -> Bool {
    var lines: [UInt8] = []
    swap(&lines, &partialLines)
    do throws(MalformedRequest) {
      return try continueLines(&lines, input, &position)
    } catch {
      swap(&lines, &partialLines)
      throw error
    }
  }

  private mutating func continueLines(
    _ lines: inout [UInt8], _ input: UnsafeRawBufferPointer, _ position: inout Int
  ) throws(MalformedRequest) -> Bool {
    while let end = Self.lineEnd(input, from: position) {
      lines.append(contentsOf: input[position..<end])
      position = end
      let isLast = try lines.withUnsafeBufferPointer { bytes throws(MalformedRequest) in
        guard let base = bytes.baseAddress else { return false }
        return try checkLine(base, from: checkedBytes, to: bytes.count)
      }
      checkedBytes = lines.count
      if isLast { return true }
    }
    lines.append(contentsOf: input[position...])
    position = input.count
    try checkUnfinishedLine(lines.count)
    swap(&lines, &partialLines)
    return false
  }

  /// The index after the next LF. Compares eight bytes at a time, because it reads every byte of a head.
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

  /// Applies the limits to a line whose end has not arrived.
  private func checkUnfinishedLine(_ count: Int) throws(MalformedRequest) {
    if phase == .head, requestLineSize == 0, count > requestLineLimit { throw .targetTooLong }
    guard count <= limits.head else { throw .headTooLarge }
  }

  private var requestLineLimit: Int { limits.target + 64 }

  /// Checks one line of a head or of trailers. Returns true for the empty line at the end.
  private mutating func checkLine(
    _ base: UnsafeRawPointer, from start: Int, to end: Int
  ) throws(MalformedRequest) -> Bool {
    let isRequestLine = phase == .head && requestLineSize == 0
    if isRequestLine, end > requestLineLimit { throw .targetTooLong }
    guard end <= limits.head else { throw .headTooLarge }
    let bytes = UnsafeRawBufferPointer(start: base + start, count: end - start)
    guard bytes.count >= 2, bytes[bytes.count - 2] == 0x0D else { throw .bareLineFeed }
    if isRequestLine {
      let text = UnsafeRawBufferPointer(rebasing: bytes.dropLast(2))
      if acceptsHTTP2, text.elementsEqual(HTTP2Session.prefaceLine.dropLast(2)) { throw .http2Preface }
      acceptsHTTP2 = false
      line = try RequestLine(text, limits: limits)
      requestLineSize = end
    } else if bytes[0] == 0x20 || bytes[0] == 0x09 {
      throw .foldedLine
    } else if bytes[0] == UInt8(ascii: ":") {
      throw .fieldInvalid
    }
    let isLast = bytes.count == 2
    machine.pointee.fieldsStart = base + requestLineSize
    try Machine.read(line: bytes, endsSection: isLast, machine)
    guard machine.pointee.fields.count <= limits.fieldCount else { throw .tooManyFields }
    if isLast, phase == .head {
      let count = end - 2 - requestLineSize
      try endHead(lines: UnsafeRawBufferPointer(start: base + requestLineSize, count: count))
    }
    return isLast
  }
}

// MARK: Head, body, message

extension RequestParser {
  /// Stores the head. Its lines are copied once, and the fields point into the copy.
  private mutating func endHead(lines: UnsafeRawBufferPointer) throws(MalformedRequest) {
    var fields: [Headers.Field] = []
    swap(&fields, &machine.pointee.fields)
    for field in fields where field.name.count > limits.fieldName { throw .fieldNameTooLong }
    framing = try MessageFraming(of: fields, in: lines, minorVersion: line.minorVersion)
    if case .connect = line.method, !framing.body.isNone { throw .tunnelWithBody }
    keepAlive = llhttp_should_keep_alive(machine.pointee.parser) != 0
    var headers = Headers(bytes: Array(lines), fields: fields)
    if let authority = line.authority {
      headers = headers.replacingHost(with: authority)
    } else if framing.hosts == 0 {
      headers.add("Host", authority)
    }
    // RFC 9110, 7.8
    if line.minorVersion == 0 { headers = headers.withoutUpgrade }
    head = RequestHead(method: line.method, target: line.target, headers: headers)
    line.target = Target(path: "")
    machine.pointee.isInHead = false
  }

  /// Prepares for the body. Returns an event if the request has no body or the client waits for `100
  /// Continue`.
  private mutating func startBody(
    _ bodyLimit: (RequestHead) -> Int
  ) throws(MalformedRequest) -> Event? {
    checkedBytes = 0
    requestLineSize = 0
    switch framing.body {
    case .none:
      guard case .connect = line.method else { return .message(takeMessage()) }
      defer { phase = .finished }
      return .tunnel(takeMessage())
    case .length(let length):
      // Finding the route is expensive, so only bodies over the general limit pay for it.
      guard length <= limits.body || length <= limit(bodyLimit) else { throw .bodyTooLarge }
      machine.pointee.body.reserveCapacity(min(length, 65_536))
      missing = length
      phase = .fixedBody
    case .chunked:
      machine.pointee.bodyLimit = max(limits.body, limit(bodyLimit))
      // Upgrades are ignored: the bytes after the head are the body of this request.
      machine.pointee.parser.pointee.upgrade = 0
      llhttp_resume(machine.pointee.parser)
      phase = .chunks
    }
    return framing.expectsContinue ? .continueExpected : nil
  }

  private func limit(_ bodyLimit: (RequestHead) -> Int) -> Int {
    guard let head else { preconditionFailure("a body follows a head") }
    return bodyLimit(head)
  }

  /// Reads chunks up to the size line of the last one.
  private mutating func readChunks(
    _ input: UnsafeRawBufferPointer, _ position: inout Int
  ) throws(MalformedRequest) {
    let bytes = UnsafeRawBufferPointer(rebasing: input[position...])
    let code = Machine.run(bytes, machine)
    if let error = machine.pointee.error { throw error }
    switch code {
    case HPE_OK: position = input.count
    case HPE_PAUSED:
      guard machine.pointee.isLastChunk, let count = Machine.pausePosition(in: bytes, machine) else {
        throw .chunkInvalid
      }
      position += count
      llhttp_resume(machine.pointee.parser)
      phase = .trailers
    default: throw .chunkInvalid
    }
  }

  /// Returns the message and prepares for the next one.
  private mutating func takeMessage() -> Message {
    guard let head = head.take() else { preconditionFailure("a message has a head") }
    let via = if case .direct = origin { line.origin } else { origin }
    let request = Request(
      head.method, head.target, headers: head.headers, body: machine.pointee.takeBody(), scheme: scheme,
      peer: peer, via: via, connection: connection)
    machine.pointee.reset()
    checkedBytes = 0
    requestLineSize = 0
    phase = .start
    return Message(request: request, keepAlive: keepAlive, minorVersion: line.minorVersion)
  }
}
