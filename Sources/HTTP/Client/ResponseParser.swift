import CLLHTTP

/// The bytes of a connection in, one answer out: of a body no more than the limit.
///
/// What llhttp calls back lies at an address of its own, as llhttp keeps that.
package struct ResponseParser: ~Copyable {
  private let machine = Machine.allocate()
  private var hasBytes = false

  /// A parser for the answer to one POST; of `limits` the head's, the fields' and the body's count.
  package init(limits: Limits = Limits()) {
    machine.pointee.limits = limits
  }

  deinit {
    Machine.free(machine)
  }

  /// Reads on; answers when the answer is whole or its body has reached the limit, which is then cut there.
  package mutating func read(_ bytes: UnsafeRawBufferPointer) throws(MalformedResponse) -> Response? {
    var position = 0
    while position < bytes.count {
      hasBytes = true
      let rest = UnsafeRawBufferPointer(rebasing: bytes[position...])
      let code = Machine.run(rest, machine)
      if let refusal = machine.pointee.refusal { throw refusal }
      if machine.pointee.isFull { return machine.pointee.response }
      switch code {
      case HPE_OK: position = bytes.count
      case HPE_PAUSED:
        // Behind a whole message.
        guard machine.pointee.isInterim else { return machine.pointee.response }
        position += Machine.stop(in: rest, machine)
        try machine.pointee.forgetInterim()
      default: throw MalformedResponse("the answer is no HTTP/1.1: \(Machine.reason(machine))")
      }
      try checkHead(rest.count)
    }
    return nil
  }

  /// The answer when the other side has ended the connection.
  package mutating func finish() throws(MalformedResponse) -> Response? {
    guard hasBytes else { throw .empty }
    guard Machine.finish(machine) else { throw .cutOff }
    return machine.pointee.response
  }

  /// Also counts what llhttp skips: blanks without end.
  private mutating func checkHead(_ count: Int) throws(MalformedResponse) {
    guard !machine.pointee.isHeadComplete else { return }
    machine.pointee.headBytes += count
    if machine.pointee.headBytes > machine.pointee.limits.head { throw .headTooLarge }
  }
}
