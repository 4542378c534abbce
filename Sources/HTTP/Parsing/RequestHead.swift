import JSON

/// The part of a request that is known before its body.
package struct RequestHead {
  package let method: Method
  package let target: Target
  /// Exactly one `Host` field is present.
  package let headers: Headers

  package init(method: Method, target: Target, headers: Headers) {
    (self.method, self.target, self.headers) = (method, target, headers)
  }
}

extension RequestHead {
  /// What can be read of a head that is too large or malformed: its path, as far as it is one, and its first
  /// host. Only for the choice of an error's format. Nil if there is no path.
  init?(salvaging bytes: UnsafeRawBufferPointer) {
    let lines = bytes.prefix(Self.salvageLimit).split(separator: 0x0A, maxSplits: Self.salvagedLines)
    guard let line = lines.first, let blank = line.firstIndex(of: 0x20) else { return nil }
    let path = line[(blank + 1)...].prefix { RequestLine.isTargetByte($0) && $0 != UInt8(ascii: "?") }
    guard path.first == UInt8(ascii: "/") else { return nil }
    let method = Method(bytes: UnsafeRawBufferPointer(rebasing: line[..<blank])) ?? .get
    var headers = Headers()
    for line in lines.dropFirst() {
      let text = String(decoding: line.prefix(300), as: UTF8.self).lowercased()
      guard text.hasPrefix("host:"), let host = Authority(text.dropFirst(5).filter { !$0.isWhitespace })
      else {
        continue
      }
      headers.add("Host", host.description)
      break
    }
    self.init(method: method, target: Target(path: String(decoding: path, as: UTF8.self)), headers: headers)
  }

  private static let salvageLimit = 16_384
  private static let salvagedLines = 100
}

extension Headers {
  /// The same fields with exactly one `Host`, in front.
  func replacingHost(with host: String) -> Headers {
    var changed: Headers = ["Host": host]
    for (name, value) in pairs where name.lowercased() != "host" { changed.add(name, value) }
    return changed
  }

  var withoutUpgrade: Headers {
    guard bytes(of: "Upgrade") != nil else { return self }
    var changed: Headers = [:]
    for (name, value) in pairs where name.lowercased() != "upgrade" { changed.add(name, value) }
    return changed
  }
}

// MARK: Request line

/// The first line of a request: `METHOD SP target SP HTTP/1.x`.
struct RequestLine {
  var method = Method.get
  var target = Target(path: "")
  /// The authority of an absolute URL or of CONNECT. It replaces `Host`.
  var authority: String?
  var origin = RequestOrigin.direct
  var minorVersion = 1

  init() {}

  /// Parses a line without its line end.
  init(_ line: UnsafeRawBufferPointer, limits: Limits) throws(MalformedRequest) {
    guard let methodEnd = line.firstIndex(of: 0x20), methodEnd > 0 else { throw .requestLineShape }
    for index in 0..<methodEnd where !Self.isTokenByte(line[index]) { throw .methodInvalid }
    let targetStart = methodEnd + 1
    var targetEnd = targetStart
    while targetEnd < line.count, line[targetEnd] != 0x20 {
      guard Self.isTargetByte(line[targetEnd]) else { throw .targetInvalid }
      targetEnd += 1
    }
    guard targetEnd > targetStart else { throw .requestLineShape }
    guard targetEnd - targetStart <= limits.target else { throw .targetTooLong }
    minorVersion = try Self.minorVersion(UnsafeRawBufferPointer(rebasing: line[targetEnd...]))
    let name = UnsafeRawBufferPointer(rebasing: line[..<methodEnd])
    guard let method = Method(bytes: name) else { throw .methodUnknown }
    self.method = method
    try parse(target: UnsafeRawBufferPointer(rebasing: line[targetStart..<targetEnd]))
  }

  /// True for bytes of a method name (RFC 9110, 5.6.2). Any other first byte belongs to another protocol.
  static func isTokenByte(_ byte: UInt8) -> Bool {
    if byte.isAlphanumeric { return true }
    return switch byte {
    case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
      UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  /// True for visible ASCII except `#`, because fragments are never sent.
  static func isTargetByte(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "#")
  }

  /// Parses ` HTTP/1.x`, with the leading space.
  private static func minorVersion(_ text: UnsafeRawBufferPointer) throws(MalformedRequest) -> Int {
    let prefix: StaticString = " HTTP/"
    guard text.count > 0 else { throw .versionMissing }
    guard text.count == 9, text[7] == UInt8(ascii: ".") else { throw .requestLineShape }
    for index in 0..<6 where text[index] != prefix.utf8Start[index] { throw .requestLineShape }
    guard text[6].isDigit, text[8].isDigit else { throw .requestLineShape }
    guard text[6] == UInt8(ascii: "1"), text[8] <= UInt8(ascii: "1") else { throw .versionUnknown }
    return Int(text[8] - 0x30)
  }

  /// Parses a path, an absolute URL, `*` (OPTIONS only), or `host:port` (CONNECT only).
  private mutating func parse(target bytes: UnsafeRawBufferPointer) throws(MalformedRequest) {
    if method == .connect {
      try parse(hostAndPort: bytes)
    } else if bytes[0] == UInt8(ascii: "/") {
      target = Target(bytes)
    } else if bytes.count == 1, bytes[0] == UInt8(ascii: "*"), method == .options {
      target = Target(path: "*")
    } else {
      try parse(absoluteURL: bytes)
    }
  }

  private mutating func parse(hostAndPort bytes: UnsafeRawBufferPointer) throws(MalformedRequest) {
    guard let destination = Authority(String(decoding: bytes, as: UTF8.self)), destination.port != nil else {
      throw .tunnelShape
    }
    authority = destination.description
    target = Target(path: destination.description)
    origin = .proxied
  }

  private mutating func parse(absoluteURL bytes: UnsafeRawBufferPointer) throws(MalformedRequest) {
    guard let schemeEnd = bytes.firstIndex(of: UInt8(ascii: ":")), schemeEnd + 2 < bytes.count,
      bytes[schemeEnd + 1] == UInt8(ascii: "/"), bytes[schemeEnd + 2] == UInt8(ascii: "/")
    else { throw .targetShape }
    let scheme = String(decoding: bytes[..<schemeEnd], as: UTF8.self).lowercased()
    guard scheme == "http" || scheme == "https" else { throw .targetShape }
    let rest = bytes[(schemeEnd + 3)...]
    let end =
      rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
    guard end > rest.startIndex, Authority.isValid(UnsafeRawBufferPointer(rebasing: rest[..<end])) else {
      throw .targetShape
    }
    authority = String(decoding: rest[..<end], as: UTF8.self)
    origin = scheme == "https" ? .proxiedSecurely : .proxied
    target = Target(UnsafeRawBufferPointer(rebasing: rest[end...]))
    if target.path.isEmpty { target.path = method == .options && target.query.isEmpty ? "*" : "/" }
  }
}

extension Target {
  /// The `:path` of HTTP/2: a path, or `*` (OPTIONS only). CONNECT has none.
  init(requested bytes: UnsafeRawBufferPointer, with method: Method) throws(MalformedRequest) {
    guard bytes.allSatisfy(RequestLine.isTargetByte) else { throw .targetInvalid }
    let isAsterisk = bytes.count == 1 && bytes[0] == UInt8(ascii: "*") && method == .options
    guard bytes.first == UInt8(ascii: "/") || isAsterisk || method == .connect else { throw .targetShape }
    self.init(bytes)
  }

  /// Splits visible ASCII at the first `?`.
  fileprivate init(_ bytes: UnsafeRawBufferPointer) {
    let mark = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
    self.init(
      path: String(decoding: bytes[..<mark], as: UTF8.self),
      query: mark < bytes.count ? String(decoding: bytes[(mark + 1)...], as: UTF8.self) : "")
  }
}

extension Method {
  /// Parses an upper-case method name.
  init?(bytes: UnsafeRawBufferPointer) {
    for method in Method.allCases where bytes.elementsEqual(method.name) {
      self = method
      return
    }
    return nil
  }

  private var name: UnsafeBufferPointer<UInt8> {
    let text: StaticString =
      switch self {
      case .get: "GET"
      case .head: "HEAD"
      case .post: "POST"
      case .put: "PUT"
      case .patch: "PATCH"
      case .delete: "DELETE"
      case .options: "OPTIONS"
      case .connect: "CONNECT"
      }
    return UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }
}

// MARK: Framing fields

/// The fields that delimit and address a message: `Host`, `Content-Length`, `Transfer-Encoding`, `Expect`.
struct MessageFraming {
  /// How the body is delimited.
  enum Body {
    case none
    case length(Int)
    case chunked

    var isNone: Bool { if case .none = self { true } else { false } }
  }

  var body = Body.none
  /// How many `Host` fields there are.
  var hosts = 0
  var expectsContinue = false
  private var lengths = 0
  private var encodings = 0
  private var length = 0

  init() {}

  /// Rejects messages that two parsers could read in two ways. llhttp has parsed the same lines; these checks
  /// are stricter.
  init(
    of fields: [Headers.Field], in lines: UnsafeRawBufferPointer, minorVersion: Int
  ) throws(MalformedRequest) {
    for field in fields {
      switch field.name.count {
      case 4 where lines.spells("host", at: field.name):
        hosts += 1
        guard Authority.isValid(UnsafeRawBufferPointer(rebasing: lines[field.value])) else {
          throw .hostInvalid
        }
      case 6 where lines.spells("expect", at: field.name):
        guard lines.spells("100-continue", at: field.value) else { throw .expectationUnknown }
        expectsContinue = minorVersion > 0
      case 14 where lines.spells("content-length", at: field.name):
        lengths += 1
        length = try Self.contentLength(lines[field.value])
      case 17 where lines.spells("transfer-encoding", at: field.name):
        encodings += 1
        guard lines.spells("chunked", at: field.value) else {
          throw Self.transferEncodingError(lines[field.value])
        }
      default: break
      }
    }
    try checkTogether(minorVersion: minorVersion)
    body = encodings == 1 ? .chunked : length > 0 ? .length(length) : .none
  }

  /// Checks the rules that involve several fields.
  private func checkTogether(minorVersion: Int) throws(MalformedRequest) {
    guard hosts <= 1 else { throw .hostTwice }
    guard hosts == 1 || minorVersion == 0 else { throw .hostMissing }
    guard lengths <= 1 else { throw .contentLengthTwice }
    guard encodings <= 1 else { throw .transferEncodingTwice }
    guard encodings == 0 || lengths == 0 else { throw .lengthAndEncoding }
    guard encodings == 0 || minorVersion > 0 else { throw .transferEncodingInOldVersion }
  }

  private static func contentLength(_ value: Slice<UnsafeRawBufferPointer>) throws(MalformedRequest) -> Int {
    guard (1...18).contains(value.count) else { throw .contentLengthInvalid }
    var length = 0
    for byte in value {
      guard byte.isDigit else { throw .contentLengthInvalid }
      length = length * 10 + Int(byte - 0x30)
    }
    return length
  }

  /// 501 for known codings followed by `chunked`, 400 for anything else.
  private static func transferEncodingError(_ value: Slice<UnsafeRawBufferPointer>) -> MalformedRequest {
    let codings = value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map {
      $0.map(\.lowered).trimmingSpaces
    }
    let known = ["gzip", "x-gzip", "deflate", "compress", "x-compress"].map { Array($0.utf8)[...] }
    guard codings.count > 1, codings.last?.elementsEqual("chunked".utf8) == true,
      codings.dropLast().allSatisfy(known.contains)
    else {
      return .transferEncodingInvalid
    }
    return .transferEncodingUnknown
  }
}

extension [UInt8] {
  fileprivate var trimmingSpaces: ArraySlice<UInt8> {
    var rest = self[...]
    while rest.first == 0x20 { rest.removeFirst() }
    while rest.last == 0x20 { rest.removeLast() }
    return rest
  }
}

extension UnsafeRawBufferPointer {
  fileprivate subscript(range: Range<UInt32>) -> Slice<UnsafeRawBufferPointer> {
    self[Int(range.lowerBound)..<Int(range.upperBound)]
  }

  /// True if the range holds this word in any case. The word must be lower-case.
  fileprivate func spells(_ word: StaticString, at range: Range<UInt32>) -> Bool {
    guard range.count == word.utf8CodeUnitCount else { return false }
    let start = Int(range.lowerBound)
    for offset in 0..<word.utf8CodeUnitCount where self[start + offset].lowered != word.utf8Start[offset] {
      return false
    }
    return true
  }
}
