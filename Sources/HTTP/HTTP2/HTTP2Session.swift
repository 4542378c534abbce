internal import CNGHTTP2

/// The frames and streams of one HTTP/2 connection, on the server's side: bytes in, requests out, and back
/// (RFC 9113).
///
/// ```
/// bytes ──receive──────> nghttp2 ──fields, body──> nextRequest
/// bytes <─appendOutput── nghttp2 <─fields, body─── respond
/// ```
/// nghttp2 keeps the rules of frames, streams, flow control and HPACK. The limits are ours. Requests:
/// `HTTP2RequestHead.swift`. Responses: `HTTP2Session+Responses.swift`. Limits: `HTTP2FrameBudget.swift`. A
/// class, because nghttp2 calls it back.
package final class HTTP2Session {
  package struct Settings {
    package var limits = Limits()
    /// Requests that a client may have open at once.
    package var streamLimit = 128
    /// While the bodies of incomplete and unhandled requests have more bytes than this, only the oldest goes
    /// on.
    package var bodiesLimit = 1 << 20
    /// `http` or `https`.
    package var scheme = "http"
    /// The client's address.
    package var peer = ""
    package var origin = RequestOrigin.direct
    package var connection = RequestConnection()

    package init() {}
  }

  /// One request and its response.
  final class Stream {
    let id: Int32
    /// Nil before the end of the head, and after the end of the request.
    var head: RequestHead?
    /// The body of the request so far.
    var body: [UInt8] = []
    var bodyLimit = 0
    /// The value of the request's `content-length`.
    var contentLength: Int?
    /// Bytes of the body that the client may not replace by others yet.
    var unconsumed = 0
    /// True while the request waits in `ready`.
    var isReady = false
    /// True if the response ends before the request. The rest of the request is then ignored.
    var isRejected = false
    /// The part of the response's body that is in memory and unsent.
    var unsent: ArraySlice<UInt8> = []
    var pieces: BodyPieces?
    /// True if the body must seem to break off.
    var isTruncated = false
    /// True from the response to the end of its body.
    var isSending = false

    init(_ id: Int32) { self.id = id }
  }

  let settings: Settings
  private(set) var native: OpaquePointer?
  let reference = UnsafeMutablePointer<Reference>.allocate(capacity: 1)
  var streams: [Int32: Stream] = [:]
  /// The head that is being received. Header blocks never overlap.
  var fields = HTTP2Fields()
  /// Streams whose requests are incomplete, oldest first.
  private(set) var receiving: [Stream] = []
  /// Complete requests. Those before `readyStart` are taken.
  private var ready: [RequestParser.Message?] = []
  private var readyStart = 0
  /// Bytes of the bodies of all requests that are not taken.
  private var bodyBytes = 0
  /// The newest streams, in order.
  private var newestStreams: [Int32] = []
  /// Those of the newest streams that ended before the client had finished its request. More of it may be on
  /// its way.
  private var abandonedStreams: [Int32] = []
  /// The stream that the client has reset last.
  var withdrawnStream: Int32 = 0
  var budget = HTTP2FrameBudget()
  /// Streams whose next piece was left to a later turn.
  var delayedStreams: [Int32] = []
  /// Streams whose live bodies have nothing to send now.
  var waitingStreams: Set<Int32> = []
  /// Streams with a response that is not completely sent.
  package internal(set) var sendingStreams = 0
  /// Bytes of responses' bodies that are in memory and unsent.
  package internal(set) var unsentBytes = 0
  /// Bytes of responses' bodies that were sent.
  package internal(set) var sentBytes: UInt64 = 0
  /// True after an error that ends all reading.
  package private(set) var hasFailed = false
  private var hasShutDown = false

  /// The maximum body size of this route in bytes.
  package var bodyLimit: (RequestHead) -> Int = { _ in 0 }
  /// True if the next piece of a body must wait for a later turn.
  package var isTurnLong: () -> Bool = { false }
  /// The response to a malformed or incomplete request.
  package var rejection: (MalformedRequest, RequestHead?) -> Response = { error, _ in error.response }
  /// Called when a stream ends, for whatever reason.
  package var onStreamEnd: (Int32) -> Void = { _ in }

  package init(_ settings: Settings = Settings()) {
    self.settings = settings
    reference.initialize(to: Reference(session: self))
    native = makeNative()
    var entries = [
      nghttp2_settings_entry(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, settings.streamLimit),
      nghttp2_settings_entry(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, settings.limits.head),
      nghttp2_settings_entry(NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES, 1),
    ]
    nghttp2_submit_settings(native, UInt8(NGHTTP2_FLAG_NONE.rawValue), &entries, entries.count)
  }

  deinit {
    nghttp2_session_del(native)
    reference.deinitialize(count: 1)
    reference.deallocate()
  }

  // MARK: Input

  /// Reads frames. `now` is any clock in milliseconds that only goes forward.
  package func receive(_ bytes: UnsafeRawBufferPointer, at now: UInt64) {
    guard !hasFailed else { return }
    budget.refill(at: now)
    let count = nghttp2_session_mem_recv(
      native, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
    guard count < 0 else { return }
    switch nghttp2_error(rawValue: Int32(count)) {
    case NGHTTP2_ERR_BAD_CLIENT_MAGIC: fail(NGHTTP2_PROTOCOL_ERROR)
    case NGHTTP2_ERR_NOMEM: fail(NGHTTP2_INTERNAL_ERROR)
    default: fail(NGHTTP2_ENHANCE_YOUR_CALM)
    }
  }

  /// True if a complete request waits.
  package var hasRequests: Bool { readyStart < ready.count }

  /// Takes the oldest complete request.
  package func nextRequest() -> RequestParser.Message? {
    while readyStart < ready.count {
      let message = ready[readyStart].take()
      readyStart += 1
      if readyStart == ready.count {
        ready.removeAll(keepingCapacity: true)
        readyStart = 0
      }
      guard let message else { continue }
      if let stream = streams[message.stream] { stream.isReady = false }
      release(message.request.body.count)
      return message
    }
    return nil
  }

  /// True if pieces of bodies were left to a later turn.
  package var hasDelayedPieces: Bool { !delayedStreams.isEmpty }

  /// The state of the oldest incomplete request: its stream, and the bytes of its body.
  package var oldestIncomplete: (stream: Int32, bodyBytes: Int)? {
    receiving.first.map { ($0.id, $0.body.count) }
  }

  /// True in the middle of a header block.
  package var isInHead: Bool { fields.block == .request }

  /// True if responses have more to send now.
  package var isSending: Bool { sendingStreams > waitingStreams.count }

  /// True while requests are unanswered, or answers unsent.
  package var hasStreams: Bool { !streams.isEmpty }

  // MARK: The end

  /// Refuses further requests. Those that have begun are answered.
  package func shutDown() {
    guard !hasShutDown else { return }
    hasShutDown = true
    nghttp2_submit_goaway(
      native, UInt8(NGHTTP2_FLAG_NONE.rawValue), nghttp2_session_get_last_proc_stream_id(native),
      NGHTTP2_NO_ERROR.rawValue, nil, 0)
  }

  /// Ends the session without further answers.
  package func terminate() { nghttp2_session_terminate_session(native, NGHTTP2_NO_ERROR.rawValue) }

  /// Ends the session with an error, unless it has one.
  func fail(_ code: nghttp2_error_code) {
    guard !hasFailed else { return }
    hasFailed = true
    nghttp2_session_terminate_session(native, code.rawValue)
  }

  /// True if nothing is left to read or write.
  package var isFinished: Bool {
    (hasFailed || nghttp2_session_want_read(native) == 0) && nghttp2_session_want_write(native) == 0
  }

  /// True if frames wait to be sent.
  package var hasOutput: Bool { nghttp2_session_want_write(native) != 0 }
}

// MARK: What nghttp2 received

extension HTTP2Session {
  /// The start of a request's header block.
  func beganHead(on id: Int32) {
    fields.begin(.request)
    if newestStreams.count >= 2 * settings.streamLimit { newestStreams.removeFirst(settings.streamLimit) }
    newestStreams.append(id)
  }

  /// The end of a request's header block. Returns false if the request is malformed.
  func receivedHead(on id: Int32, endsRequest: Bool) -> Bool {
    let stream = Stream(id)
    stream.contentLength = fields.contentLength
    do throws(MalformedRequest) {
      guard let head = try fields.head(limits: settings.limits),
        !endsRequest || fields.contentLength ?? 0 == 0
      else { return false }
      streams[id] = stream
      try begin(head, on: stream, endsRequest: endsRequest)
    } catch {
      streams[id] = stream
      reject(stream, error, orIn: fields.salvagedHead)
    }
    return true
  }

  private func begin(_ head: RequestHead, on stream: Stream, endsRequest: Bool) throws(MalformedRequest) {
    // RFC 9113, 8.5: a tunnel. The proxy has HTTP/1.1 only.
    guard head.method != .connect else { return requireHTTP1(on: stream) }
    if endsRequest { return enqueue(head, [], on: stream) }
    stream.head = head
    stream.bodyLimit = try limit(for: head, length: stream.contentLength)
    receiving.append(stream)
    if try head.expectsContinue { submitContinue(to: stream.id) }
  }

  /// Returns false if the body is longer than `content-length`.
  func receivedBody(_ bytes: UnsafeBufferPointer<UInt8>, on id: Int32) -> Bool {
    nghttp2_session_consume_connection(native, bytes.count)
    guard let stream = streams[id], stream.head != nil else {
      nghttp2_session_consume_stream(native, id, bytes.count)
      return true
    }
    guard bytes.count <= (stream.contentLength ?? .max) - stream.body.count else { return false }
    addBody(bytes, to: stream)
    return true
  }

  private func addBody(_ bytes: UnsafeBufferPointer<UInt8>, to stream: Stream) {
    guard bytes.count <= stream.bodyLimit - stream.body.count else { return reject(stream, .bodyTooLarge) }
    stream.body.append(contentsOf: bytes)
    stream.unconsumed += bytes.count
    bodyBytes += bytes.count
    consume(stream)
  }

  /// The end of a request with a body or trailers. Returns false if the body is shorter than
  /// `content-length`.
  func receivedEnd(on id: Int32) -> Bool {
    guard let stream = streams[id], stream.head != nil else { return true }
    guard stream.body.count == stream.contentLength ?? stream.body.count, let head = stream.head.take() else {
      return false
    }
    var body: [UInt8] = []
    swap(&body, &stream.body)
    stopReceiving(stream)
    enqueue(head, body, on: stream)
    return true
  }

  /// Resets a malformed request (RFC 9113, 8.1.1).
  func resetMalformed(_ id: Int32) {
    if let stream = streams[id], stream.head.take() != nil { stopReceiving(stream) }
    reset(id, NGHTTP2_PROTOCOL_ERROR)
  }

  /// The end of a stream, after its response or by a reset.
  func ended(_ id: Int32) {
    if id != withdrawnStream, nghttp2_session_get_stream_remote_close(native, id) == 0 {
      if abandonedStreams.count >= 2 * settings.streamLimit {
        abandonedStreams.removeFirst(settings.streamLimit)
      }
      abandonedStreams.append(id)
    }
    guard let stream = streams.removeValue(forKey: id) else { return }
    if stream.head != nil { stopReceiving(stream) }
    release(stream.body.count)
    if stream.isReady, let index = ready.firstIndex(where: { $0?.stream == id }) {
      release(ready.remove(at: index)?.request.body.count ?? 0)
    }
    finishSending(stream)
    onStreamEnd(id)
  }

  /// True if a header block may begin on this stream: it is new, open, or was open lately.
  func canBegin(_ id: Int32) -> Bool {
    id > newestStreams.last ?? 0 || streams[id] != nil || newestStreams.contains(id)
  }

  /// True if the client itself has closed this stream lately, so that it must send nothing more on it. Of
  /// streams that ended longer ago, nghttp2 ignores what arrives.
  func isClosed(_ id: Int32) -> Bool {
    streams[id] == nil && newestStreams.contains(id) && !abandonedStreams.contains(id)
  }

  /// Answers the oldest incomplete request with 408.
  package func rejectOldest() {
    if let oldest = receiving.first { reject(oldest, .requestTimeout) }
  }

  /// Answers an incomplete or invalid request. The rest of it is ignored.
  /// `salvaged` is what is known if the error is in the head.
  private func reject(_ stream: Stream, _ error: MalformedRequest, orIn salvaged: RequestHead? = nil) {
    let head = stream.head.take()
    if head != nil { stopReceiving(stream) }
    release(stream.body.count)
    stream.body = []
    stream.isRejected = true
    respond(rejection(error, head ?? salvaged), to: stream.id, isHead: false)
  }

  private func enqueue(_ head: RequestHead, _ body: [UInt8], on stream: Stream) {
    let request = Request(
      head.method, head.target, headers: head.headers, body: body, scheme: settings.scheme,
      peer: settings.peer, via: settings.origin, connection: settings.connection)
    stream.isReady = true
    ready.append(.init(request: request, keepAlive: true, minorVersion: 1, stream: stream.id))
  }

  /// Finding the route is expensive, so only bodies over the general limit or of unknown length pay for it.
  private func limit(for head: RequestHead, length: Int?) throws(MalformedRequest) -> Int {
    guard let length else { return max(settings.limits.body, bodyLimit(head)) }
    if length <= settings.limits.body { return settings.limits.body }
    guard length <= bodyLimit(head) else { throw .bodyTooLarge }
    return length
  }

  private func stopReceiving(_ stream: Stream) {
    receiving.removeAll { $0 === stream }
    consume()
  }

  private func release(_ count: Int) {
    guard count > 0 else { return }
    bodyBytes -= count
    consume()
  }

  private func consume() {
    for stream in receiving where stream.unconsumed > 0 { consume(stream) }
  }

  /// Lets the client send more: on all streams while the bodies are small, else only on the oldest.
  private func consume(_ stream: Stream) {
    guard bodyBytes <= settings.bodiesLimit || stream === receiving.first else { return }
    nghttp2_session_consume_stream(native, stream.id, stream.unconsumed)
    stream.unconsumed = 0
  }
}

extension nghttp2_settings_entry {
  fileprivate init(_ id: nghttp2_settings_id, _ value: Int) {
    self.init(settings_id: Int32(id.rawValue), value: UInt32(clamping: value))
  }
}
