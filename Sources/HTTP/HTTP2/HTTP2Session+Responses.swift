internal import CNGHTTP2

// MARK: Responses

extension HTTP2Session {
  /// Queues a response, or the part that its `transport` allows. With `pieces`, they are the body. Does
  /// nothing if the client has withdrawn the request.
  package func respond(_ response: Response, _ pieces: BodyPieces? = nil, to id: Int32, isHead: Bool) {
    guard let stream = streams[id] else { return }
    // RFC 9113, 8.6: HTTP/2 has no upgrades. Clients repeat the request with HTTP/1.1.
    guard response.status.code != 426 else { return requireHTTP1(on: stream) }
    let hasBody = !isHead && !response.status.isBodiless
    if hasBody {
      stream.pieces = pieces
      if pieces == nil { stream.unsent = response.body[...] }
      if case .truncated(let count) = response.transport {
        stream.unsent = stream.unsent.prefix(max(0, count))
        stream.isTruncated = true
      }
    }
    let hasData = !stream.unsent.isEmpty || stream.pieces != nil || stream.isTruncated
    stream.isSending = true
    sendingStreams += 1
    unsentBytes += stream.unsent.count
    let length = pieces == nil && !response.status.isBodiless ? response.body.count : nil
    submit(response.status, response.headers, length: length, hasData: hasData, to: id)
  }

  /// Refuses a request that needs HTTP/1.1.
  func requireHTTP1(on stream: Stream) { reset(stream.id, NGHTTP2_HTTP_1_1_REQUIRED) }

  /// The interim response to `Expect: 100-continue`.
  func submitContinue(to id: Int32) {
    var status = Array("100".utf8)
    status.withUnsafeMutableBufferPointer { digits in
      var field = nghttp2_nv(Self.status, UnsafeBufferPointer(digits))
      nghttp2_submit_headers(native, UInt8(NGHTTP2_FLAG_NONE.rawValue), id, nil, &field, 1, nil)
    }
  }

  /// nghttp2 copies the fields, and writes their names in lower case.
  private func submit(_ status: Status, _ headers: Headers, length: Int?, hasData: Bool, to id: Int32) {
    var digits: [UInt8] = []
    digits.append(decimal: status.code)
    let statusEnd = digits.count
    if let length { digits.append(decimal: length) }
    digits.withUnsafeBufferPointer { digits in
      headers.bytes.withUnsafeBufferPointer { bytes in
        var fields: [nghttp2_nv] = []
        fields.reserveCapacity(headers.fields.count + 2)
        fields.append(nghttp2_nv(Self.status, UnsafeBufferPointer(rebasing: digits[..<statusEnd])))
        for field in headers.fields {
          let name = UnsafeBufferPointer(rebasing: bytes[field.name])
          if HTTP2Fields.isConnectionSpecific(name) { continue }
          fields.append(nghttp2_nv(name, UnsafeBufferPointer(rebasing: bytes[field.value])))
        }
        if length != nil {
          fields.append(nghttp2_nv(Self.contentLength, UnsafeBufferPointer(rebasing: digits[statusEnd...])))
        }
        var source = nghttp2_data_provider()
        source.read_callback = Self.readBody
        if hasData {
          nghttp2_submit_response(native, id, fields, fields.count, &source)
        } else {
          nghttp2_submit_response(native, id, fields, fields.count, nil)
        }
      }
    }
  }

  private static let status: StaticString = ":status"
  private static let contentLength: StaticString = "content-length"

  func reset(_ id: Int32, _ code: nghttp2_error_code) {
    nghttp2_submit_rst_stream(native, UInt8(NGHTTP2_FLAG_NONE.rawValue), id, code.rawValue)
  }
}

// MARK: Output

extension HTTP2Session {
  /// True if a response is a live body.
  package var hasLiveBodies: Bool { streams.values.contains { $0.pieces?.isLive == true } }

  /// Continues with live bodies that have more now, and returns their cost. With `isBeat`, those that were
  /// quiet for long get a heartbeat.
  package func continueLiveBodies(isBeat: Bool) -> Int {
    var cost = 0
    for id in waitingStreams {
      guard let pieces = streams[id]?.pieces else { continue }
      if isBeat { pieces.beat() }
      guard pieces.hasNews else { continue }
      waitingStreams.remove(id)
      nghttp2_session_resume_data(native, id)
      cost += pieces.cost
    }
    return cost
  }

  /// Ends all live bodies, which would otherwise go on for ever.
  package func finishLiveBodies() {
    for stream in streams.values where stream.pieces?.isLive == true { stream.pieces?.finish() }
    _ = continueLiveBodies(isBeat: false)
  }

  /// Appends frames until the output has `limit` bytes, or a few more.
  package func appendOutput(to output: inout [UInt8], limit: Int) {
    if !delayedStreams.isEmpty, !isTurnLong() {
      for id in delayedStreams { nghttp2_session_resume_data(native, id) }
      delayedStreams.removeAll(keepingCapacity: true)
    }
    while output.count < limit {
      var bytes: UnsafePointer<UInt8>?
      let count = nghttp2_session_mem_send(native, &bytes)
      guard count > 0 else { return }
      output.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
    }
  }

  /// Copies the next part of a body. Called by nghttp2 when the client's windows allow it.
  private static let readBody: nghttp2_data_source_read_callback = { _, id, buffer, size, flags, _, session in
    HTTP2Session.at(session).readBody(
      of: id, to: UnsafeMutableRawBufferPointer(start: buffer, count: size), flags)
  }

  private func readBody(
    of id: Int32, to buffer: UnsafeMutableRawBufferPointer, _ flags: UnsafeMutablePointer<UInt32>?
  ) -> Int {
    guard let stream = streams[id] else { return Self.failure }
    if stream.unsent.isEmpty, let pieces = stream.pieces {
      guard !isTurnLong() else {
        delayedStreams.append(id)
        return Int(NGHTTP2_ERR_DEFERRED.rawValue)
      }
      do {
        switch try pieces.next(size: buffer.count, until: isTurnLong) {
        case .bytes(let piece):
          stream.unsent = piece[...]
          unsentBytes += piece.count
        case .later:
          if pieces.isLive { waitingStreams.insert(id) } else { delayedStreams.append(id) }
          return Int(NGHTTP2_ERR_DEFERRED.rawValue)
        case .end:
          flags?.pointee = NGHTTP2_DATA_FLAG_EOF.rawValue
          return 0
        }
      } catch {
        return Self.failure
      }
    }
    let part = stream.unsent.prefix(buffer.count)
    if part.isEmpty, stream.isTruncated { return Self.failure }
    part.withUnsafeBytes { buffer.copyMemory(from: $0) }
    stream.unsent = stream.unsent.dropFirst(part.count)
    unsentBytes -= part.count
    sentBytes += UInt64(part.count)
    budget.earnBytes(part.count)
    if stream.unsent.isEmpty, stream.pieces == nil, !stream.isTruncated {
      flags?.pointee = NGHTTP2_DATA_FLAG_EOF.rawValue
    }
    return part.count
  }

  /// Resets the stream, so that the client sees that the body is incomplete.
  private static let failure = Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)

  /// The last frame of a response was sent.
  func sentResponse(on id: Int32) {
    budget.earnResponse()
    guard let stream = streams[id] else { return }
    finishSending(stream)
    // RFC 9113, 8.1
    if stream.isRejected { reset(id, NGHTTP2_NO_ERROR) }
  }

  func finishSending(_ stream: Stream) {
    guard stream.isSending else { return }
    stream.isSending = false
    sendingStreams -= 1
    waitingStreams.remove(stream.id)
    unsentBytes -= stream.unsent.count
    stream.unsent = []
    stream.pieces = nil
  }
}

extension nghttp2_nv {
  fileprivate init(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
    self.init(
      name: UnsafeMutablePointer(mutating: name.baseAddress),
      value: UnsafeMutablePointer(mutating: value.baseAddress), namelen: name.count, valuelen: value.count,
      flags: UInt8(NGHTTP2_NV_FLAG_NONE.rawValue))
  }

  fileprivate init(_ name: StaticString, _ value: UnsafeBufferPointer<UInt8>) {
    self.init(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount), value)
  }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate subscript(range: Range<UInt32>) -> Slice<Self> {
    self[Int(range.lowerBound)..<Int(range.upperBound)]
  }
}
