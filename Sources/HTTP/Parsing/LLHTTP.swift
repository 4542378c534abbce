import CLLHTTP

/// State that llhttp's callbacks write to. It has a fixed address for as long as its parser lives.
protocol ParserMachine {
  /// Requests or responses.
  static var kind: llhttp_type_t { get }
  /// The callbacks of this kind of message.
  static var table: llhttp_settings_t { get }
  /// llhttp's own state. It needs a separate address, because llhttp changes it during callbacks.
  var parser: UnsafeMutablePointer<llhttp_t> { get }
  /// llhttp keeps the address of this table.
  var callbacks: UnsafeMutablePointer<llhttp_settings_t> { get }

  init()
}

extension ParserMachine {
  /// Allocates a machine that is ready for its first message.
  static func allocate() -> UnsafeMutablePointer<Self> {
    let machine = UnsafeMutablePointer<Self>.allocate(capacity: 1)
    machine.initialize(to: Self())
    let (parser, callbacks) = (machine.pointee.parser, machine.pointee.callbacks)
    callbacks.initialize(to: table)
    parser.initialize(to: llhttp_t())
    llhttp_init(parser, kind, callbacks)
    parser.pointee.data = UnsafeMutableRawPointer(machine)
    return machine
  }

  static func free(_ machine: UnsafeMutablePointer<Self>) {
    machine.pointee.parser.deallocate()
    machine.pointee.callbacks.deallocate()
    machine.deinitialize(count: 1)
    machine.deallocate()
  }

  /// The machine that a callback belongs to.
  static func at(_ parser: UnsafeMutablePointer<llhttp_t>?) -> UnsafeMutablePointer<Self> {
    guard let data = parser?.pointee.data else { preconditionFailure("llhttp lost its parser") }
    return data.assumingMemoryBound(to: Self.self)
  }
}

// Static functions that take the address: callbacks write to the same memory, so `self` must not be borrowed.
extension ParserMachine {
  /// Parses these bytes. All callbacks run before it returns.
  static func run(_ bytes: UnsafeRawBufferPointer, _ machine: UnsafeMutablePointer<Self>) -> llhttp_errno_t {
    guard let base = bytes.baseAddress else { return HPE_OK }
    return llhttp_execute(machine.pointee.parser, base.assumingMemoryBound(to: CChar.self), bytes.count)
  }

  /// How many of these bytes llhttp had read when it paused; nil if it did not pause.
  static func pausePosition(
    in bytes: UnsafeRawBufferPointer, _ machine: UnsafeMutablePointer<Self>
  ) -> Int? {
    guard let base = bytes.baseAddress, let position = machine.pointee.parser.pointee.error_pos else {
      return nil
    }
    return UnsafeRawPointer(position) - base
  }
}
