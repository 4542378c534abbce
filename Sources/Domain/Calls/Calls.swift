import Database
import JSON

/// The calls of a sandbox.
package struct Calls {
  /// What came of keys being pressed.
  package enum KeysOutcome {
    /// The call took them.
    case taken(Message)
    /// There is no such call.
    case unknown
    /// Nobody is on the line: it never was answered by a person, or is over.
    case over(CallPlan.Result)
  }

  let sandbox: Sandbox

  /// The call of a message.
  package func find(_ ordinal: Int) throws -> Call? {
    let record = try sandbox.database.first(
      "SELECT record FROM calls WHERE sandbox = ? AND ordinal = ?", sandbox.id, ordinal
    ) { $0.text(0) }
    return try record.map { try Call(ordinal: ordinal, Fields(Array($0.utf8))) }
  }

  /// Presses keys during a call: the one that was asked for lets the words be said.
  package func press(_ keys: String, during ordinal: Int) throws -> KeysOutcome {
    guard let message = try sandbox.messages.find(ordinal), var call = try find(ordinal) else {
      return .unknown
    }
    let elapsed = sandbox.clock.now - message.submittedAt
    guard call.result == .answered, elapsed < call.endsAfter else { return .over(call.result) }
    if call.pressedAfter == nil || !call.isHeard { call.pressedAfter = max(elapsed, call.settledAfter) }
    call.keys += keys
    try sandbox.database.run(
      "UPDATE calls SET record = ? WHERE sandbox = ? AND ordinal = ?", call.record, sandbox.id, ordinal)
    guard call.isHeard else { return .taken(message) }
    return .taken(try sandbox.messages.reveal(call.words, code: call.code, in: message))
  }

  func insert(_ call: Call) throws {
    try sandbox.database.run(
      "INSERT INTO calls (sandbox, ordinal, record) VALUES (?, ?, ?)", sandbox.id, call.ordinal, call.record)
  }
}
