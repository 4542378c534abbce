internal import CNGHTTP2

// MARK: nghttp2's callbacks

extension HTTP2Session {
  /// The first line of the preface, with its line end (RFC 9113, 3.4).
  package static let prefaceLine = Array("PRI * HTTP/2.0\r\n".utf8)

  /// What nghttp2 passes to its callbacks.
  struct Reference {
    unowned let session: HTTP2Session
  }

  static func at(_ data: UnsafeMutableRawPointer?) -> HTTP2Session {
    guard let data else { preconditionFailure("nghttp2 lost its session") }
    return data.assumingMemoryBound(to: Reference.self).pointee.session
  }

  func makeNative() -> OpaquePointer? {
    var callbacks: OpaquePointer?
    var options: OpaquePointer?
    var native: OpaquePointer?
    guard nghttp2_session_callbacks_new(&callbacks) == 0, nghttp2_option_new(&options) == 0 else {
      preconditionFailure("nghttp2 has no memory")
    }
    defer {
      nghttp2_session_callbacks_del(callbacks)
      nghttp2_option_del(options)
    }
    Self.register(callbacks)
    // Windows of streams are opened by `consume`.
    nghttp2_option_set_no_auto_window_update(options, 1)
    nghttp2_option_set_no_closed_streams(options, 1)
    // nghttp2 counts a CONTINUATION once for each piece in which its nine first bytes arrive.
    nghttp2_option_set_max_continuations(options, 9 * 9)
    // `HTTP2Fields` checks them.
    nghttp2_option_set_no_http_messaging(options, 1)
    let code = nghttp2_session_server_new2(&native, callbacks, reference, options)
    precondition(code == 0, "nghttp2 has no memory")
    return native
  }

  private static func register(_ callbacks: OpaquePointer?) {
    nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks) { _, header, session in
      guard let header else { return 0 }
      return HTTP2Session.at(session).mayBegin(header.pointee) ? 0 : stop
    }
    nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, frame, session in
      guard let frame else { return 0 }
      let session = HTTP2Session.at(session)
      if frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST {
        session.beganHead(on: frame.pointee.hd.stream_id)
      } else {
        session.fields.begin(.trailers)
      }
      return 0
    }
    nghttp2_session_callbacks_set_on_header_callback(callbacks) {
      _, _, name, nameSize, value, size, _, session in
      let session = HTTP2Session.at(session)
      let isAcceptable = session.fields.add(
        UnsafeBufferPointer(start: name, count: nameSize), UnsafeBufferPointer(start: value, count: size),
        limits: session.settings.limits)
      return isAcceptable ? 0 : stop
    }
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, session in
      guard let frame else { return 0 }
      return HTTP2Session.at(session).received(frame.pointee) ? 0 : stop
    }
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, id, bytes, count, session in
      let session = HTTP2Session.at(session)
      let bytes = UnsafeBufferPointer(start: bytes, count: count)
      return session.receivedBody(bytes, on: id) || session.endMalformed(id) ? 0 : stop
    }
    nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks) { _, _, _, session in
      let session = HTTP2Session.at(session)
      session.fields.close()
      return session.budget.spend(.reset) ? 0 : stop
    }
    nghttp2_session_callbacks_set_on_frame_send_callback(callbacks) { _, frame, session in
      guard let header = frame?.pointee.hd, header.endsStream else { return 0 }
      HTTP2Session.at(session).sentResponse(on: header.stream_id)
      return 0
    }
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, id, _, session in
      HTTP2Session.at(session).ended(id)
      return 0
    }
  }

  /// Checks what nghttp2 does not: priorities, which it ignores, streams that the client has left out (RFC
  /// 9113, 5.1.1), and requests on streams that the client itself has closed (5.1).
  private func mayBegin(_ header: nghttp2_frame_hd) -> Bool {
    let isValid: Bool
    switch nghttp2_frame_type(UInt32(header.type)) {
    case NGHTTP2_PRIORITY:
      guard budget.spend(.frame) else { return false }
      isValid = header.stream_id != 0
    case NGHTTP2_HEADERS where isClosed(header.stream_id):
      fail(NGHTTP2_STREAM_CLOSED)
      return false
    case NGHTTP2_HEADERS: isValid = header.stream_id == 0 || canBegin(header.stream_id)
    default: isValid = true
    }
    if !isValid { fail(NGHTTP2_PROTOCOL_ERROR) }
    return isValid
  }

  /// Handles a complete frame. Returns false if the client has used up its budget.
  private func received(_ frame: nghttp2_frame) -> Bool {
    let header = frame.hd
    let id = header.stream_id
    switch nghttp2_frame_type(UInt32(header.type)) {
    case NGHTTP2_HEADERS:
      defer { fields.close() }
      let isValid =
        frame.headers.cat == NGHTTP2_HCAT_REQUEST
        ? receivedHead(on: id, endsRequest: header.endsStream)
        // Trailers end the request (RFC 9113, 8.1).
        : !fields.isMalformed && header.endsStream && receivedEnd(on: id)
      return isValid || endMalformed(id)
    case NGHTTP2_DATA where header.endsStream: return receivedEnd(on: id) || endMalformed(id)
    case NGHTTP2_DATA: return header.length > 0 || budget.spend(.frame)
    case NGHTTP2_RST_STREAM:
      withdrawnStream = id
      return budget.spend(.reset)
    case NGHTTP2_PRIORITY: return true  // `mayBegin` has counted it.
    default: return budget.spend(.frame)
    }
  }

  /// Resets a malformed request. Returns false if the client has used up its budget.
  private func endMalformed(_ id: Int32) -> Bool {
    resetMalformed(id)
    return budget.spend(.reset)
  }
}

/// Makes nghttp2 stop reading.
private let stop = NGHTTP2_ERR_CALLBACK_FAILURE.rawValue

extension nghttp2_frame_hd {
  /// True for the last frame of a request or response.
  fileprivate var endsStream: Bool {
    let kind = nghttp2_frame_type(UInt32(type))
    return (kind == NGHTTP2_DATA || kind == NGHTTP2_HEADERS)
      && flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
  }
}
