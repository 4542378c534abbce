/// What devices, and the people who hold them, have to say to a step.
extension Fallbacks {
  /// The steps of a verification in their order, as they stand.
  package func steps(of verification: Verification) throws -> [Step] {
    try rows(of: verification.ordinal).map { $0.settled(by: verification) }
  }

  /// The step whose turn it is; nil where the verification waits no longer.
  package func current(of verification: Verification) throws -> Step? {
    guard verification.isLive(at: sandbox.clock.now) else { return nil }
    return try rows(of: verification.ordinal).first { $0.isUnderWay }
  }

  /// The message that a step has sent.
  package func message(of step: Step) throws -> Message? {
    try step.message.flatMap { try sandbox.messages.find($0) }
  }

  /// Takes up an offered step: the device that was asked has stirred.
  package func takeUp(_ step: Step) throws -> Step {
    guard step.state == .offered else { return step }
    var step = step
    step.state = .ongoing
    return try keep(step)
  }

  /// Writes down what the device has reported of what it was sent, which takes the step up.
  package func note(_ receipt: DeliveryReceipt.State, of step: Step) throws -> Step {
    var step = step
    step.receipt = receipt
    if step.state == .offered { step.state = .ongoing }
    return try keep(step)
  }

  /// Ends the step under way without a proof: the next one begins at once. `time` is when that came out, now where
  /// nothing is said of it.
  package func fail(
    _ step: Step, of verification: Verification, for failure: Step.Failure, at time: Timestamp? = nil
  ) throws {
    let time = time ?? sandbox.clock.now
    try end(step, of: verification, for: failure, at: max(time, step.begunAt ?? time))
  }

  private func keep(_ step: Step) throws -> Step {
    var step = step
    step.changedAt = sandbox.clock.now
    try update(step)
    return step
  }
}
