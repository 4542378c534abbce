import CLLHTTP

/// What llhttp calls back into, at an address that stays the same for as long as its parser lives.
protocol ParserMachine {
  /// What llhttp reads.
  static var kind: llhttp_type_t { get }
  /// What llhttp calls.
  static var table: llhttp_settings_t { get }
  /// llhttp's own state, at an address of its own because llhttp changes it during callbacks.
  var parser: UnsafeMutablePointer<llhttp_t> { get }
  /// llhttp keeps the address of this table.
  var callbacks: UnsafeMutablePointer<llhttp_settings_t> { get }

  init()
}

extension ParserMachine {
  /// A machine at a fixed address, ready for its first message.
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

  /// Gives the memory back.
  static func free(_ machine: UnsafeMutablePointer<Self>) {
    machine.pointee.parser.deallocate()
    machine.pointee.callbacks.deallocate()
    machine.deinitialize(count: 1)
    machine.deallocate()
  }

  /// The machine whose parser calls back.
  static func at(_ parser: UnsafeMutablePointer<llhttp_t>?) -> UnsafeMutablePointer<Self> {
    guard let data = parser?.pointee.data else { preconditionFailure("llhttp lost its parser") }
    return data.assumingMemoryBound(to: Self.self)
  }
}
