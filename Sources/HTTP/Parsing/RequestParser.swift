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
    /// A whole request for a tunnel; what follows it is no request, and this parser reads no further.
    case tunnel(Message)
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

  /// What is read next.
  enum Phase { case start, head, fixedBody, chunks, trailers, over }

  let machine = Machine.allocate()
  let limits: Limits
  /// `http` or `https`: how its requests reached us.
  package var scheme: String
  let peer: String
  let authority: String
  /// How its requests came, unless their lines say otherwise.
  package let origin: RequestOrigin
  var phase = Phase.start
  /// Bytes of a head or of trailers that came in pieces.
  var carried: [UInt8] = []
  /// How many of `carried` are lines already judged.
  var judged = 0
  /// Bytes of the request line with its end; 0 until it is read.
  var lineLength = 0
  var line = RequestLine()
  var head: RequestHead?
  var meaning = Meaning()
  var persists = false
  var missing = 0
  var leading = (lines: 0, hasReturn: false)

  /// A parser for a connection that comes from `peer` and reached us, in this way, as `authority`.
  package init(
    limits: Limits = Limits(), scheme: String = "http", peer: String = "", authority: String = "",
    origin: RequestOrigin = .direct
  ) {
    self.limits = limits
    self.scheme = scheme
    self.peer = peer
    self.authority = authority
    self.origin = origin
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
      phase = .over
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
        if missing == 0 { return .message(takeMessage()) }
      case .chunks: try readChunks(input, &position)
      case .trailers:
        if try readLines(input, &position) { return .message(takeMessage()) }
      case .over: preconditionFailure("what follows a refusal or CONNECT is no request")
      }
    }
    return .needsMore(part)
  }

  private var part: Part {
    switch phase {
    case .start: leading.hasReturn ? .head : .none
    case .head: .head
    case .fixedBody, .chunks, .trailers: .body
    case .over: .none
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
