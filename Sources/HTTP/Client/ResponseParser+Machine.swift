import CLLHTTP

extension ResponseParser {
  /// What llhttp calls back into for answers.
  struct Machine: ParserMachine {
    static let kind = HTTP_RESPONSE
    let parser = UnsafeMutablePointer<llhttp_t>.allocate(capacity: 1)
    let callbacks = UnsafeMutablePointer<llhttp_settings_t>.allocate(capacity: 1)
    var limits = Limits()
    var headBytes = 0
    var isHeadComplete = false
    /// Whether the body has reached its limit; the rest is not read.
    var isFull = false
    /// Why a callback stopped llhttp.
    var refusal: MalformedResponse?
    private var interim = 0
    private var name: [UInt8] = []
    private var value: [UInt8] = []
    private var headers = Headers()
    private var body: [UInt8] = []

    /// How many interim answers (100 to 199) may come before the real one.
    private static let interimLimit = 8

    static var table: llhttp_settings_t {
      var table = llhttp_settings_t()
      table.on_status = { Machine.at($0).pointee.found(inHead: $2) }
      table.on_header_field = { Machine.at($0).pointee.found(name: $1, $2) }
      table.on_header_value = { Machine.at($0).pointee.found(value: $1, $2) }
      table.on_header_value_complete = { Machine.at($0).pointee.endField() }
      table.on_headers_complete = { Machine.at($0).pointee.endHead() }
      table.on_body = { Machine.at($0).pointee.found(body: $1, $2) }
      table.on_message_complete = { _ in Int32(HPE_PAUSED.rawValue) }
      return table
    }

    /// The status of the head that was read last.
    var status: Int { Int(parser.pointee.status_code) }

    /// Whether the real answer is still to come.
    var isInterim: Bool { (100...199).contains(status) }

    /// What was read; nil where the status is none of HTTP's.
    var response: Response? {
      Status(status).map { Response($0, headers: headers, body: body) }
    }

    /// Makes ready for the answer behind an interim one.
    mutating func forgetInterim() throws(MalformedResponse) {
      interim += 1
      guard interim <= Self.interimLimit else { throw .tooManyInterim }
      llhttp_reset(parser)
      (headers, headBytes, isHeadComplete) = ([:], 0, false)
    }

    private mutating func found(name at: UnsafePointer<CChar>?, _ count: Int) -> Int32 {
      guard !isHeadComplete else { return 0 }
      name.append(contentsOf: UnsafeRawBufferPointer(start: at, count: count))
      return found(inHead: count)
    }

    private mutating func found(value at: UnsafePointer<CChar>?, _ count: Int) -> Int32 {
      guard !isHeadComplete else { return 0 }
      value.append(contentsOf: UnsafeRawBufferPointer(start: at, count: count))
      return found(inHead: count)
    }

    private mutating func found(inHead count: Int) -> Int32 {
      headBytes += count
      return headBytes > limits.head ? stop(.headTooLarge) : 0
    }

    /// A field of the head; those behind the body are dropped.
    private mutating func endField() -> Int32 {
      guard !isHeadComplete else { return 0 }
      guard headers.count < limits.fieldCount else { return stop(.tooManyFields) }
      headers.add(String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
      name.removeAll(keepingCapacity: true)
      value.removeAll(keepingCapacity: true)
      return 0
    }

    private mutating func endHead() -> Int32 {
      guard (100...599).contains(status) else {
        return stop(MalformedResponse("the answer's status is \(status)"))
      }
      guard status != 101 else { return stop(.upgraded) }
      isHeadComplete = true
      return 0
    }

    private mutating func found(body at: UnsafePointer<CChar>?, _ count: Int) -> Int32 {
      let taken = min(count, limits.body - body.count)
      body.append(contentsOf: UnsafeRawBufferPointer(start: at, count: taken))
      guard body.count < limits.body else {
        isFull = true
        return -1
      }
      return 0
    }

    private mutating func stop(_ refusal: MalformedResponse) -> Int32 {
      self.refusal = refusal
      return -1
    }
  }
}

// Static, with the address instead of `self`: llhttp calls back into the same memory.
extension ResponseParser.Machine {
  /// Gives llhttp these bytes, which are called back about before it returns.
  static func run(_ bytes: UnsafeRawBufferPointer, _ machine: UnsafeMutablePointer<Self>) -> llhttp_errno_t {
    guard let base = bytes.baseAddress else { return HPE_OK }
    return llhttp_execute(machine.pointee.parser, base.assumingMemoryBound(to: CChar.self), bytes.count)
  }

  /// How many of these bytes llhttp had read when it paused.
  static func stop(in bytes: UnsafeRawBufferPointer, _ machine: UnsafeMutablePointer<Self>) -> Int {
    guard let base = bytes.baseAddress, let stopped = machine.pointee.parser.pointee.error_pos else {
      return bytes.count
    }
    return UnsafeRawPointer(stopped) - base
  }

  /// Whether the answer is whole when nothing more comes.
  static func finish(_ machine: UnsafeMutablePointer<Self>) -> Bool {
    guard machine.pointee.isHeadComplete, !machine.pointee.isInterim else { return false }
    let code = llhttp_finish(machine.pointee.parser)
    return code == HPE_OK || code == HPE_PAUSED
  }

  /// llhttp's words for what it refuses.
  static func reason(_ machine: UnsafeMutablePointer<Self>) -> String {
    llhttp_get_error_reason(machine.pointee.parser).map { String(cString: $0) } ?? "unreadable"
  }
}
