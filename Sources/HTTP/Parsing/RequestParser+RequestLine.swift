extension RequestParser {
  /// The first line of a request, taken apart.
  struct RequestLine {
    var method = Method.get
    var target = Target(path: "")
    /// The authority of an absolute-form target or of CONNECT, which replaces `Host`.
    var authority: String?
    var origin = RequestOrigin.direct
    var minorVersion = 1
  }

  /// Reads `METHOD SP target SP HTTP/1.x`, given without its line end.
  static func requestLine(
    _ line: UnsafeRawBufferPointer, limits: Limits
  ) throws(MalformedRequest) -> RequestLine {
    guard let methodEnd = line.firstIndex(of: 0x20), methodEnd > 0 else { throw .requestLineShape }
    for index in 0..<methodEnd where !isTokenByte(line[index]) { throw .methodInvalid }
    let afterMethod = methodEnd + 1
    var targetEnd = afterMethod
    while targetEnd < line.count, line[targetEnd] != 0x20 {
      guard isTargetByte(line[targetEnd]) else { throw .targetInvalid }
      targetEnd += 1
    }
    guard targetEnd > afterMethod else { throw .requestLineShape }
    guard targetEnd - afterMethod <= limits.target else { throw .targetTooLong }
    var result = RequestLine()
    result.minorVersion = try minorVersion(UnsafeRawBufferPointer(rebasing: line[targetEnd...]))
    let name = UnsafeRawBufferPointer(rebasing: line[..<methodEnd])
    guard let method = Method(bytes: name) else { throw .methodUnknown }
    result.method = method
    try result.read(target: UnsafeRawBufferPointer(rebasing: line[afterMethod..<targetEnd]))
    return result
  }

  /// Whether a request can begin with this byte; anything else is some other protocol.
  static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
      UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  /// Visible ASCII but `#`: a fragment is never sent.
  private static func isTargetByte(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "#")
  }

  /// The digit behind `HTTP/1.`, from a text that begins with the space before `HTTP`.
  private static func minorVersion(_ text: UnsafeRawBufferPointer) throws(MalformedRequest) -> Int {
    let prefix: StaticString = " HTTP/"
    guard text.count > 0 else { throw .versionMissing }
    guard text.count == 9, text[7] == UInt8(ascii: ".") else { throw .requestLineShape }
    for index in 0..<6 where text[index] != prefix.utf8Start[index] { throw .requestLineShape }
    guard (0x30...0x39).contains(text[6]), (0x30...0x39).contains(text[8]) else { throw .requestLineShape }
    guard text[6] == UInt8(ascii: "1"), text[8] <= UInt8(ascii: "1") else { throw .versionUnknown }
    return Int(text[8] - 0x30)
  }
}

extension RequestParser.RequestLine {
  /// Reads origin-form, absolute-form or, for OPTIONS, the asterisk; for CONNECT authority-form alone.
  fileprivate mutating func read(target bytes: UnsafeRawBufferPointer) throws(MalformedRequest) {
    if method == .connect {
      try read(tunnel: bytes)
    } else if bytes[0] == UInt8(ascii: "/") {
      target = Target(bytes)
    } else if bytes.count == 1, bytes[0] == UInt8(ascii: "*"), method == .options {
      target = Target(path: "*")
    } else {
      try read(absolute: bytes)
    }
  }

  private mutating func read(tunnel bytes: UnsafeRawBufferPointer) throws(MalformedRequest) {
    guard let place = Authority(String(decoding: bytes, as: UTF8.self)), place.port != nil else {
      throw .tunnelShape
    }
    authority = place.description
    target = Target(path: place.description)
    origin = .proxied
  }

  private mutating func read(absolute bytes: UnsafeRawBufferPointer) throws(MalformedRequest) {
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
  /// Splits visible ASCII at the first `?`.
  fileprivate init(_ bytes: UnsafeRawBufferPointer) {
    let mark = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
    self.init(
      path: String(decoding: bytes[..<mark], as: UTF8.self),
      query: mark < bytes.count ? String(decoding: bytes[(mark + 1)...], as: UTF8.self) : "")
  }
}

extension Method {
  /// The method of this name, in capitals as everywhere.
  fileprivate init?(bytes: UnsafeRawBufferPointer) {
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
