import CLLHTTP

/// Turns the bytes of one connection into one response. The body is cut off at the limit.
package struct ResponseParser: ~Copyable {
  private let machine = Machine.allocate()
  private var hasBytes = false
  /// True if another response may follow on the connection.
  package private(set) var mayContinue = false

  /// Uses the limits for the head, the number of fields and the body.
  package init(limits: Limits = Limits()) {
    machine.pointee.limits = limits
  }

  deinit {
    Machine.free(machine)
  }

  /// Returns the response once it is complete or its body has reached the limit.
  package mutating func read(_ bytes: UnsafeRawBufferPointer) throws(MalformedResponse) -> Response? {
    var position = 0
    while position < bytes.count {
      hasBytes = true
      let rest = UnsafeRawBufferPointer(rebasing: bytes[position...])
      let code = Machine.run(rest, machine)
      if let error = machine.pointee.error { throw error }
      if machine.pointee.isFull { return machine.pointee.response }
      switch code {
      case HPE_OK: position = bytes.count
      case HPE_PAUSED:
        // llhttp pauses after a complete message.
        let count = Machine.pausePosition(in: rest, machine) ?? rest.count
        guard machine.pointee.isInterim else {
          mayContinue = count == rest.count && llhttp_should_keep_alive(machine.pointee.parser) != 0
          return machine.pointee.response
        }
        position += count
        try machine.pointee.discardInterim()
      default: throw MalformedResponse("invalid HTTP/1.1 response: \(Machine.reason(machine))")
      }
      try checkHead(rest.count)
    }
    return nil
  }

  /// Returns the response after the server closed the connection.
  package mutating func finish() throws(MalformedResponse) -> Response? {
    guard hasBytes else { throw .empty }
    guard Machine.finish(machine) else { throw .cutOff }
    return machine.pointee.response
  }

  /// Counts all bytes of the head, because llhttp skips any number of blanks without a callback.
  private mutating func checkHead(_ count: Int) throws(MalformedResponse) {
    guard !machine.pointee.isHeadComplete else { return }
    machine.pointee.headBytes += count
    if machine.pointee.headBytes > machine.pointee.limits.head { throw .headTooLarge }
  }
}

/// A response that cannot be parsed.
package struct MalformedResponse: Error, Equatable, CustomStringConvertible {
  package let description: String

  init(_ description: String) {
    self.description = description
  }

  static let headTooLarge = Self("the response head is too large")
  static let tooManyFields = Self("the response has too many header fields")
  static let tooManyInterim = Self("the server sent too many interim responses")
  static let upgraded = Self("the server switched protocols without being asked")
  static let cutOff = Self("the connection closed before the end of the response")
  static let empty = Self("the connection closed without a response")
}

extension ResponseParser {
  /// The state that llhttp's callbacks collect for one response.
  struct Machine: ParserMachine {
    static let kind = HTTP_RESPONSE
    let parser = UnsafeMutablePointer<llhttp_t>.allocate(capacity: 1)
    let callbacks = UnsafeMutablePointer<llhttp_settings_t>.allocate(capacity: 1)
    var limits = Limits()
    var headBytes = 0
    var isHeadComplete = false
    /// True if the body has reached its limit. The rest is not read.
    var isFull = false
    /// Set by a callback that stopped llhttp.
    var error: MalformedResponse?
    private var interim = 0
    private var name: [UInt8] = []
    private var value: [UInt8] = []
    private var headers = Headers()
    private var body: [UInt8] = []

    /// The maximum number of interim responses (100 to 199).
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

    /// The status of the last head.
    var status: Int { Int(parser.pointee.status_code) }

    /// True if the final response is still to come.
    var isInterim: Bool { (100...199).contains(status) }

    /// Nil if the status is invalid.
    var response: Response? {
      Status(status).map { Response($0, headers: headers, body: body) }
    }

    /// Prepares for the response after an interim one.
    mutating func discardInterim() throws(MalformedResponse) {
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

    /// Stores a field of the head. Trailers are dropped.
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
        return stop(MalformedResponse("invalid response status \(status)"))
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

    private mutating func stop(_ error: MalformedResponse) -> Int32 {
      self.error = error
      return -1
    }
  }
}

extension ResponseParser.Machine {
  /// True if the response is complete at the end of the connection.
  static func finish(_ machine: UnsafeMutablePointer<Self>) -> Bool {
    guard machine.pointee.isHeadComplete, !machine.pointee.isInterim else { return false }
    let code = llhttp_finish(machine.pointee.parser)
    return code == HPE_OK || code == HPE_PAUSED
  }

  /// llhttp's error message.
  static func reason(_ machine: UnsafeMutablePointer<Self>) -> String {
    llhttp_get_error_reason(machine.pointee.parser).map { String(cString: $0) } ?? "unreadable"
  }
}
