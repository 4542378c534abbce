/// Collects the fields of one request's header block, and makes its head of them.
struct HTTP2Fields {
  /// True from the first to the last frame of a header block.
  private(set) var isOpen = false
  private var method: [UInt8] = []
  private var path: [UInt8] = []
  private var authority: [UInt8]?
  private var host: [UInt8]?
  private var cookie: [UInt8] = []
  private var headers = Headers()
  private var error: MalformedRequest?
  /// Bytes of all fields, as lines of HTTP/1.1.
  private var size = 0

  /// Prepares for another head.
  mutating func begin() {
    self = HTTP2Fields()
    isOpen = true
    headers.reserve(512, fields: 12)
  }

  /// Adds a field. After an error, fields are only counted: HPACK needs the whole block. Returns false if the block is
  /// so long that the client cannot mean it.
  mutating func add(
    _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>, limits: Limits
  ) -> Bool {
    size += name.count + value.count + 4
    guard size <= limits.head, error == nil else {
      error = error ?? .headTooLarge
      return size <= limits.head * Self.tolerance
    }
    if name.first == UInt8(ascii: ":") {
      addPseudoHeader(name, value, limits)
    } else if name.elementsEqual("cookie".utf8) {
      // RFC 9113, 8.2.3
      if !cookie.isEmpty { cookie += [UInt8(ascii: ";"), 0x20] }
      cookie += value
    } else if name.elementsEqual("host".utf8) {
      if host != nil { error = .hostTwice }
      host = Array(value)
      if authority == nil { headers.add(name, value) }
    } else if name.count > limits.fieldName {
      error = .fieldNameTooLong
    } else if headers.count >= limits.fieldCount {
      error = .tooManyFields
    } else {
      headers.add(name, value)
    }
    return true
  }

  private static let host: StaticString = "host"
  private static let cookie: StaticString = "cookie"
  /// Heads up to this many times the limit are read to their end and answered.
  private static let tolerance = 8

  private mutating func addPseudoHeader(
    _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>, _ limits: Limits
  ) {
    if name.elementsEqual(":path".utf8) {
      if value.count > limits.target { error = .targetTooLong } else { path = Array(value) }
    } else if name.elementsEqual(":method".utf8) {
      method = Array(value)
    } else if name.elementsEqual(":authority".utf8) {
      authority = Array(value)
      Self.host.withUTF8Buffer { headers.add($0, value) }
    }
  }

  /// Ends a header block that nghttp2 has rejected.
  mutating func close() { isOpen = false }

  /// The head after its last field.
  mutating func head(limits: Limits) throws(MalformedRequest) -> RequestHead {
    isOpen = false
    if let error { throw error }
    guard let method = method.withUnsafeBytes({ Method(bytes: $0) }) else { throw .methodUnknown }
    let target = try path.withUnsafeBufferPointer { bytes throws(MalformedRequest) in
      try Target(requested: UnsafeRawBufferPointer(bytes), with: method)
    }
    guard let host = authority ?? host else { throw .hostMissing }
    guard host.withUnsafeBytes({ Authority.isValid($0) }) else { throw .hostInvalid }
    if let other = self.host, other != host { throw .hostTwice }
    if !cookie.isEmpty {
      Self.cookie.withUTF8Buffer { name in cookie.withUnsafeBufferPointer { headers.add(name, $0) } }
    }
    return RequestHead(method: method, target: target, headers: headers)
  }
}

extension RequestHead {
  var expectsContinue: Bool {
    get throws(MalformedRequest) {
      guard let value = headers["expect"] else { return false }
      guard value.lowercased() == "100-continue" else { throw .expectationUnknown }
      return true
    }
  }
}
