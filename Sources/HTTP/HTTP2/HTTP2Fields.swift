internal import CNGHTTP2
import JSON

/// Collects and checks the fields of one header block, and makes a request's head of them (RFC 9113, 8.2 and
/// 8.3).
///
/// nghttp2 could check them too, but refuses `:scheme: https:`. An official client for Node sends it, and its
/// provider accepts it (decision 0041).
struct HTTP2Fields {
  /// What kind of header block is being received.
  enum Block { case none, request, trailers }

  private(set) var block = Block.none
  /// True if the message must be reset with PROTOCOL_ERROR.
  private(set) var isMalformed = false
  /// The value of `content-length`.
  private(set) var contentLength: Int?
  private var method: [UInt8]?
  private var scheme: [UInt8]?
  private var path: [UInt8]?
  private var authority: [UInt8]?
  private var host: [UInt8]?
  private var cookie: [UInt8] = []
  /// True after the first field that is no pseudo-header.
  private var hasFields = false
  private var headers = Headers()
  /// The response to a valid request that cannot be handled.
  private var error: MalformedRequest?
  /// Bytes of all fields, as lines of HTTP/1.1.
  private var size = 0

  mutating func begin(_ block: Block) {
    self = HTTP2Fields()
    self.block = block
    if block == .request { headers.reserve(512, fields: 12) }
  }

  /// Ends the block. What was collected stays.
  mutating func close() { block = .none }

  /// Adds a field. After an error, fields are only counted: HPACK needs the whole block. Returns false if the
  /// block is so long that the client cannot mean it.
  mutating func add(
    _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>, limits: Limits
  ) -> Bool {
    size += name.count + value.count + 4
    guard size <= limits.head, error == nil, !isMalformed else {
      error = error ?? .headTooLarge
      return size <= limits.head * Self.tolerance
    }
    guard nghttp2_check_header_name(name.baseAddress, name.count) != 0, !name.contains(where: \.isCapital),
      nghttp2_check_header_value_rfc9113(value.baseAddress, value.count) != 0
    else {
      isMalformed = true
      return true
    }
    if name[0] == UInt8(ascii: ":") {
      isMalformed = block == .trailers || hasFields || !addPseudoHeader(name, value)
    } else {
      hasFields = true
      isMalformed = Self.isForbidden(name, value)
      if block == .request, !isMalformed { addField(name, value, limits) }
    }
    return true
  }

  /// Heads up to this many times the limit are read to their end and answered.
  private static let tolerance = 8

  /// Returns false for an unknown or repeated one.
  private mutating func addPseudoHeader(
    _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    if name.elementsEqual(":method".utf8) { return Self.set(&method, value) }
    if name.elementsEqual(":scheme".utf8) { return Self.set(&scheme, value) }
    if name.elementsEqual(":path".utf8) { return Self.set(&path, value) }
    guard name.elementsEqual(":authority".utf8) else { return false }
    Self.host.withUTF8Buffer { headers.add($0, value) }
    return Self.set(&authority, value)
  }

  private static func set(_ place: inout [UInt8]?, _ value: UnsafeBufferPointer<UInt8>) -> Bool {
    guard place == nil else { return false }
    place = Array(value)
    return true
  }

  private mutating func addField(
    _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>, _ limits: Limits
  ) {
    if name.elementsEqual("cookie".utf8) {
      // RFC 9113, 8.2.3
      if !cookie.isEmpty { cookie += [UInt8(ascii: ";"), 0x20] }
      cookie += value
      return
    }
    if name.elementsEqual("host".utf8) {
      if !Self.set(&host, value) { error = .hostTwice }
      if authority != nil { return }
    } else if name.elementsEqual("content-length".utf8) {
      isMalformed = contentLength != nil || !(1...18).contains(value.count) || !value.allSatisfy(\.isDigit)
      contentLength = Int(String(decoding: value, as: UTF8.self))
    }
    if name.count > limits.fieldName {
      error = .fieldNameTooLong
    } else if headers.count >= limits.fieldCount {
      error = .tooManyFields
    } else {
      headers.add(name, value)
    }
  }

  /// True for fields of the connection, which HTTP/2 does not have (RFC 9113, 8.2.2).
  private static func isForbidden(
    _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    if isConnectionSpecific(name) { return true }
    return name.elementsEqual("te".utf8) && !value.lazy.map(\.lowered).elementsEqual("trailers".utf8)
  }

  /// Also for names in capitals.
  static func isConnectionSpecific(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    switch name.count {
    case 7: name.spells("upgrade")
    case 10: name.spells("connection") || name.spells("keep-alive")
    case 16: name.spells("proxy-connection")
    case 17: name.spells("transfer-encoding")
    default: false
    }
  }

  /// The head after its last field; nil if it is malformed.
  mutating func head(limits: Limits) throws(MalformedRequest) -> RequestHead? {
    guard !isMalformed else { return nil }
    if let error { throw error }
    let isTunnel = method?.elementsEqual("CONNECT".utf8) == true
    guard let method, let host = authority ?? host, !host.isEmpty, isTunnel == (path == nil),
      path?.isEmpty != true,
      isTunnel ? scheme == nil : Self.isValid(scheme: scheme ?? [])
    else { return nil }
    let path = path ?? []
    guard path.count <= limits.target else { throw .targetTooLong }
    guard let method = method.withUnsafeBytes({ Method(bytes: $0) }) else { throw .methodUnknown }
    let target = try path.withUnsafeBufferPointer { bytes throws(MalformedRequest) in
      try Target(requested: UnsafeRawBufferPointer(bytes), with: method)
    }
    guard host.withUnsafeBytes({ Authority.isValid($0) }) else { throw .hostInvalid }
    if let other = self.host, other != host { throw .hostTwice }
    if !cookie.isEmpty {
      Self.cookie.withUTF8Buffer { name in cookie.withUnsafeBufferPointer { headers.add(name, $0) } }
    }
    return RequestHead(method: method, target: target, headers: headers)
  }

  /// What is known of a head that is too large: see `RequestHead.init(salvaging:)`.
  var salvagedHead: RequestHead? {
    guard let path, let host = authority ?? host else { return nil }
    let lines = Array("GET ".utf8) + path + Array("\r\nHost: ".utf8) + host
    return lines.withUnsafeBytes { RequestHead(salvaging: $0) }
  }

  private static let host: StaticString = "host"
  private static let cookie: StaticString = "cookie"

  /// True for letters, digits, `+`, `-` and `.` after a letter (RFC 3986, 3.1), with a colon or without.
  private static func isValid(scheme: [UInt8]) -> Bool {
    let name = scheme.last == UInt8(ascii: ":") ? scheme.dropLast() : scheme[...]
    guard let first = name.first, first.isAlphanumeric, !first.isDigit else { return false }
    return name.allSatisfy { $0.isAlphanumeric || "+-.".utf8.contains($0) }
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

extension UInt8 {
  fileprivate var isCapital: Bool { self >= 0x41 && self <= 0x5A }
}

extension UnsafeBufferPointer<UInt8> {
  /// True if the bytes are this word in any case. The word must be lower-case and of the same length.
  fileprivate func spells(_ word: StaticString) -> Bool {
    for offset in 0..<count where self[offset].lowered != word.utf8Start[offset] { return false }
    return true
  }
}
