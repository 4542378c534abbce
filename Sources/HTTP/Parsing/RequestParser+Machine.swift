import CLLHTTP

extension RequestParser {
  /// The state that llhttp's callbacks collect for one request.
  struct Machine: ParserMachine {
    static let kind = HTTP_REQUEST
    let parser = UnsafeMutablePointer<llhttp_t>.allocate(capacity: 1)
    let callbacks = UnsafeMutablePointer<llhttp_settings_t>.allocate(capacity: 1)
    /// The first byte of the header lines. Offsets of fields count from here.
    var fieldsStart: UnsafeRawPointer?
    /// False for trailers, which are read and dropped.
    var isInHead = true
    var fields: [Headers.Field] = []
    var name: Range<UInt32> = 0..<0
    var value: Range<UInt32> = 0..<0
    var body: [UInt8] = []
    var bodyLimit = 0
    var extensionBytes = 0
    var extensionLimit = 0
    var isLastChunk = false
    /// Set by a callback that stopped llhttp.
    var error: MalformedRequest?

    static var table: llhttp_settings_t {
      var table = llhttp_settings_t()
      table.on_header_field = { Machine.at($0).pointee.found(name: $1, $2) }
      table.on_header_value = { Machine.at($0).pointee.found(value: $1, $2) }
      table.on_header_value_complete = { Machine.at($0).pointee.endField() }
      table.on_headers_complete = { _ in Int32(HPE_PAUSED.rawValue) }
      table.on_body = { Machine.at($0).pointee.found(body: $1, $2) }
      table.on_chunk_header = { Machine.at($0).pointee.startChunk() }
      table.on_chunk_extension_name = { Machine.at($0).pointee.found(extensionPart: $2) }
      table.on_chunk_extension_value = { Machine.at($0).pointee.found(extensionPart: $2) }
      table.on_message_complete = { _ in Int32(HPE_PAUSED.rawValue) }
      return table
    }

    mutating func takeBody() -> [UInt8] {
      let taken = body
      body = []
      return taken
    }

    /// Prepares for the next message of the same connection.
    mutating func reset() {
      llhttp_reset(parser)
      isInHead = true
      fields = []
      body = []
      extensionBytes = 0
      isLastChunk = false
    }

    private func offset(_ at: UnsafePointer<CChar>?) -> UInt32 {
      guard let at, let fieldsStart else { return 0 }
      return UInt32(UnsafeRawPointer(at) - fieldsStart)
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

    /// Removes the trailing blanks that llhttp leaves in a value (RFC 9112, 5).
    private mutating func endField() -> Int32 {
      guard isInHead, let fieldsStart else { return 0 }
      var end = value.upperBound
      while end > value.lowerBound {
        let last = fieldsStart.load(fromByteOffset: Int(end) - 1, as: UInt8.self)
        guard last == 0x20 || last == 0x09 else { break }
        end -= 1
      }
      // Enough for most heads, and cheaper than growing step by step.
      if fields.isEmpty { fields.reserveCapacity(12) }
      fields.append(Headers.Field(name: name, value: value.lowerBound..<end))
      return 0
    }

    private mutating func startChunk() -> Int32 {
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

    private mutating func stop(_ error: MalformedRequest) -> Int32 {
      self.error = error
      return -1
    }
  }
}

extension RequestParser.Machine {
  /// Passes a line to llhttp. Throws unless both agree on the end of the head or trailers.
  static func read(
    line: UnsafeRawBufferPointer, endsSection: Bool, _ machine: UnsafeMutablePointer<Self>
  ) throws(MalformedRequest) {
    let code = run(line, machine)
    if endsSection {
      guard code == HPE_PAUSED, pausePosition(in: line, machine) == line.count else { throw error(for: code) }
    } else {
      guard code == HPE_OK else { throw error(for: code) }
    }
  }

  /// The error for a line that passed our own checks but not llhttp's.
  private static func error(for code: llhttp_errno_t) -> MalformedRequest {
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
