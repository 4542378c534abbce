package import Basics
import Database
import JSON

/// What a provider decides while a call lasts: what it says, when it waits for keys, and when it ends.
package struct Conversation: Equatable, Sendable {
  /// What was said and pressed, in order. Times in the future are those of a text that is being read.
  package internal(set) var lines: [TranscriptLine] = []
  /// True while the provider waits for keys.
  package internal(set) var awaitsKeys = false
  /// True once it has waited for keys.
  var hasAskedForKeys = false
  /// The keys that the person still presses when asked; nil: those that are asked for.
  var plannedKeys: String?
  /// When the provider ended it, counted from the call's start.
  var endsAfter: Duration?

  init(plannedKeys: String?) { self.plannedKeys = plannedKeys }

  /// In lines and in bytes; what is said later is dropped.
  private static let limits = (lines: 1000, bytes: 32_768)
  /// Shorter than the transcript, because it is searched for codes.
  private static let textLimit = 8000

  /// What was not said yet, never is.
  mutating func interrupt(at elapsed: Duration) {
    lines.removeAll { $0.after > elapsed }
    awaitsKeys = false
  }

  mutating func add(_ more: [TranscriptLine]) {
    var bytes = lines.reduce(0) { $0 + $1.text.utf8.count }
    for line in more {
      bytes += line.text.utf8.count
      guard lines.count < Self.limits.lines, bytes <= Self.limits.bytes else { return }
      lines.append(line)
    }
  }

  /// What the caller has said, one line for each text.
  var text: String {
    let spoken = lines.lazy.filter { $0.speaker == .caller }.map(\.text)
    return String(spoken.joined(separator: "\n").prefix(Self.textLimit))
  }
}

extension Calls {
  /// Adds lines to a conversation that has not ended. The message shows what is said, and its code.
  package func add(_ lines: [TranscriptLine], to ordinal: Int) throws {
    try change(ordinal) { $0.add(lines) }
  }

  /// Begins or ends waiting for keys.
  package func awaitKeys(_ awaitsKeys: Bool, during ordinal: Int) throws {
    try change(ordinal) {
      $0.awaitsKeys = awaitsKeys
      if awaitsKeys { $0.hasAskedForKeys = true }
    }
  }

  /// Takes the keys that the person presses when asked for some, at most `limit`, or up to one of those that
  /// end the input: the keys of the scenario, else the `usual` ones. A machine presses none.
  package func takeKeys(
    usual: String, limit: Int?, endedBy ends: String, during ordinal: Int
  ) throws -> String {
    guard let call = try find(ordinal), call.result == .answered else { return "" }
    guard let planned = call.conversation?.plannedKeys else { return usual }
    let end = planned.firstIndex(where: ends.contains).map { planned.index(after: $0) } ?? planned.endIndex
    let keys = String(planned[..<end].prefix(limit ?? planned.count))
    try change(ordinal) { $0.plannedKeys = String(planned.dropFirst(keys.count)) }
    return keys
  }

  /// Ends a conversation now.
  package func end(_ ordinal: Int) throws {
    guard let message = try sandbox.messages.find(ordinal) else { return }
    let elapsed = sandbox.clock.now - message.submittedAt
    try change(ordinal) {
      $0.interrupt(at: elapsed)
      $0.endsAfter = elapsed
    }
  }

  /// Ends what is being said and the waiting for keys, because the provider says something else.
  package func interrupt(_ ordinal: Int) throws {
    guard let message = try sandbox.messages.find(ordinal) else { return }
    let elapsed = sandbox.clock.now - message.submittedAt
    try change(ordinal) { $0.interrupt(at: elapsed) }
  }

  /// Reports `DomainEvent.callContinues` to the provider at a time.
  package func continueLater(_ ordinal: Int, step: Int, at time: Timestamp) throws {
    try sandbox.agenda.schedule(.continueCall, on: ordinal, detail: step, at: time)
  }

  func continueCall(_ item: Agenda.Item) throws {
    guard let message = try sandbox.messages.find(item.subject) else { return }
    try sandbox.report(.callContinues(message, step: item.detail), to: message.provider)
  }

  /// Presses keys for which the provider waits. They end what is being said.
  func press(
    _ keys: String, in conversation: Conversation, of call: Call, _ message: Message
  ) throws -> KeysOutcome {
    guard conversation.awaitsKeys else { return .notAsked }
    let elapsed = sandbox.clock.now - message.submittedAt
    let taken = String(keys.prefix(Keys.perCall - call.keys.count))
    guard !taken.isEmpty else { return .notAsked }
    try change(call.ordinal, pressing: taken) {
      $0.lines.removeAll { $0.after > elapsed }
      $0.add([TranscriptLine(after: elapsed, speaker: .person, text: "(presses \(taken))")])
    }
    try sandbox.report(.keysPressed(taken, during: message), to: message.provider)
    return .accepted(try sandbox.messages.find(call.ordinal) ?? message)
  }

  private func change(
    _ ordinal: Int, pressing keys: String = "", _ change: (inout Conversation) -> Void
  ) throws {
    guard var call = try find(ordinal), var conversation = call.conversation,
      conversation.endsAfter == nil
    else { return }
    let text = call.isHeard ? conversation.text : ""
    change(&conversation)
    call.conversation = conversation
    call.keys += keys
    try save(call)
    guard call.isHeard, conversation.text != text, let message = try sandbox.messages.find(ordinal) else {
      return
    }
    try sandbox.messages.rewrite(conversation.text, of: message)
  }
}

extension Call {
  func transcript(of conversation: Conversation) -> [TranscriptLine] {
    var lines = (opening + conversation.lines).filter { $0.after <= endsAfter }
    if conversation.endsAfter != nil, result.isTaken {
      let isHungUp = result == .hungUp && endsAfter >= settledAfter
      lines.append(
        TranscriptLine(
          after: endsAfter, speaker: isHungUp ? .person : .network,
          text: isHungUp ? "(hangs up)" : "(the call ends)"))
    }
    return lines
  }
}

// MARK: Storage

extension Conversation {
  init(_ fields: Fields) throws {
    self.init(plannedKeys: try fields.optionalString("plannedKeys"))
    lines = try fields.objects("lines", atMost: Self.limits.lines).map { line in
      guard let speaker = TranscriptLine.Speaker(rawValue: try line.string("who")) else {
        throw line.mismatch("who", expected: "a speaker")
      }
      return TranscriptLine(
        after: .milliseconds(try line.int("after")), speaker: speaker, text: try line.string("text"))
    }
    awaitsKeys = try fields.bool("awaitsKeys")
    hasAskedForKeys = try fields.bool("hasAskedForKeys")
    endsAfter = try fields.optionalInt("endsAfter").map { .milliseconds($0) }
  }

  func encode(to json: inout JSONWriter) {
    json.array("lines", lines) { json, line in
      json.value { json in
        json.member("after", line.after.milliseconds)
        json.member("who", line.speaker.rawValue)
        json.member("text", line.text)
      }
    }
    json.member("awaitsKeys", awaitsKeys)
    json.member("hasAskedForKeys", hasAskedForKeys)
    json.member("plannedKeys", plannedKeys)
    json.member("endsAfter", endsAfter?.milliseconds)
  }
}
