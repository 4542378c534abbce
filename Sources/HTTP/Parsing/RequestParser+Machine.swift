import CLLHTTP

extension RequestParser {
  /// What llhttp calls back into for requests.
  struct Machine: ParserMachine {
    static let kind = HTTP_REQUEST
    let parser = UnsafeMutablePointer<llhttp_t>.allocate(capacity: 1)
    let callbacks = UnsafeMutablePointer<llhttp_settings_t>.allocate(capacity: 1)
    /// The first byte of the header lines: offsets of fields count from here.
    var origin: UnsafeRawPointer?
    /// Whether header callbacks belong to the head; trailers are read and dropped.
    var isInHead = true
    var fields: [Headers.Field] = []
    var name: Range<UInt32> = 0..<0
    var value: Range<UInt32> = 0..<0
    var body: [UInt8] = []
    var bodyLimit = 0
    var extensionBytes = 0
    var extensionLimit = 0
    var isLastChunk = false
    /// Why a callback stopped llhttp.
    var refusal: MalformedRequest?

    static var table: llhttp_settings_t {
      var table = llhttp_settings_t()
      table.on_header_field = { Machine.at($0).pointee.found(name: $1, $2) }
      table.on_header_value = { Machine.at($0).pointee.found(value: $1, $2) }
      table.on_header_value_complete = { Machine.at($0).pointee.endField() }
      table.on_headers_complete = { _ in Int32(HPE_PAUSED.rawValue) }
      table.on_body = { Machine.at($0).pointee.found(body: $1, $2) }
      table.on_chunk_header = { Machine.at($0).pointee.beginChunk() }
      table.on_chunk_extension_name = { Machine.at($0).pointee.found(extensionPart: $2) }
      table.on_chunk_extension_value = { Machine.at($0).pointee.found(extensionPart: $2) }
      table.on_message_complete = { _ in Int32(HPE_PAUSED.rawValue) }
      return table
    }

    /// Hands over the body.
    mutating func takeBody() -> [UInt8] {
      let taken = body
      body = []
      return taken
    }

    /// Makes ready for the next message of the same connection.
    mutating func reset() {
      llhttp_reset(parser)
      isInHead = true
      fields = []
      body = []
      extensionBytes = 0
      isLastChunk = false
    }

    private func offset(_ at: UnsafePointer<CChar>?) -> UInt32 {
      guard let at, let origin else { return 0 }
      return UInt32(UnsafeRawPointer(at) - origin)
    }

    private mutating func found(name at: UnsafePointer<CChar>?, _ count: Int) -> Int32 {
      guard isInHead else { return 0 }
      let start = offset(at)
      name = start..<(start + UInt32(count))
      value = name.upperBound..<name.upperBound
      return 0
    }

    private mutating func found(value at: UnsafePointer<CChar>?, _ count: Int) -> Int32 {
      guard isInHead else { return 0 }
      let start = offset(at)
      value = start..<(start + UInt32(count))
      return 0
    }

    /// llhttp leaves blanks at the end of a value; they are no part of it (RFC 9112, 5).
    private mutating func endField() -> Int32 {
      guard isInHead, let origin else { return 0 }
      var end = value.upperBound
      while end > value.lowerBound {
        let last = origin.load(fromByteOffset: Int(end) - 1, as: UInt8.self)
        guard last == 0x20 || last == 0x09 else { break }
        end -= 1
      }
      // Most heads fit; growing step by step would cost more than the room.
      if fields.isEmpty { fields.reserveCapacity(12) }
      fields.append(Headers.Field(name: name, value: value.lowerBound..<end))
      return 0
    }

    private mutating func beginChunk() -> Int32 {
      isLastChunk = parser.pointee.content_length == 0
      if isLastChunk { return Int32(HPE_PAUSED.rawValue) }
      guard parser.pointee.content_length <= UInt64(max(0, bodyLimit - body.count)) else {
        return stop(.bodyTooLarge)
      }
      return 0
    }

    private mutating func found(extensionPart count: Int) -> Int32 {
      extensionBytes += count
      return extensionBytes > extensionLimit ? stop(.chunkExtensionsTooLong) : 0
    }

    private mutating func found(body at: UnsafePointer<CChar>?, _ count: Int) -> Int32 {
      body.append(contentsOf: UnsafeRawBufferPointer(start: at, count: count))
      return 0
    }

    private mutating func stop(_ refusal: MalformedRequest) -> Int32 {
      self.refusal = refusal
      return -1
    }
  }
}

// Static, with the address instead of `self`: llhttp calls back into the same memory.
extension RequestParser.Machine {
  /// Shows llhttp a line; it must agree with us where a head or its trailers end.
  static func read(
    line: UnsafeRawBufferPointer, endsSection: Bool, _ machine: UnsafeMutablePointer<Self>
  ) throws(MalformedRequest) {
    let code = run(line, machine)
    if endsSection {
      guard code == HPE_PAUSED, stop(in: line, machine) == line.count else { throw refusal(of: code) }
    } else {
      guard code == HPE_OK else { throw refusal(of: code) }
    }
  }

  /// Gives llhttp these bytes, which are called back about before it returns.
  static func run(
    _ bytes: UnsafeRawBufferPointer, _ machine: UnsafeMutablePointer<Self>
  ) -> llhttp_errno_t {
    guard let base = bytes.baseAddress else { return HPE_OK }
    return llhttp_execute(machine.pointee.parser, base.assumingMemoryBound(to: CChar.self), bytes.count)
  }

  /// How many of these bytes llhttp had read when it paused.
  static func stop(in bytes: UnsafeRawBufferPointer, _ machine: UnsafeMutablePointer<Self>) -> Int? {
    guard let base = bytes.baseAddress, let stopped = machine.pointee.parser.pointee.error_pos
    else { return nil }
    return UnsafeRawPointer(stopped) - base
  }

  /// What llhttp refuses in a head or in trailers that passed our own checks.
  private static func refusal(of code: llhttp_errno_t) -> MalformedRequest {
    switch code {
    case HPE_UNEXPECTED_CONTENT_LENGTH: .contentLengthTwice
    case HPE_INVALID_CONTENT_LENGTH: .contentLengthInvalid
    case HPE_INVALID_TRANSFER_ENCODING: .transferEncodingInvalid
    case HPE_LF_EXPECTED, HPE_CR_EXPECTED: .bareCarriageReturn
    case HPE_INVALID_VERSION: .versionUnknown
    default: .fieldInvalid
    }
  }
}
