import ProviderKit

/// A call in its course: it rings, is answered or not, follows the app's documents, and ends.
///
/// ```
/// initiated ──50 ms──> ringing ──> answered ──> documents ──> completed
///                         └──> busy, no-answer, failed, canceled
/// ```
struct CallCourse {
  var call: StoredCall
  /// The carrier's side.
  let carried: Message
  let sandbox: Sandbox

  /// The steps that are not the script's.
  private static let (ring, settle) = (0, 1)
  /// Those of the script are higher.
  static let firstStep = 1

  /// Of a new call, which the carrier has.
  static func begin(_ call: StoredCall, _ carried: Message, in sandbox: Sandbox) throws {
    var course = CallCourse(call: call, carried: carried, sandbox: sandbox)
    try course.report(.initiated, as: CallEvent.initiated.rawValue)
    let result = try course.result
    if let result, result != .unreachable { try course.plan(ring, after: StoredCall.ringsAfter) }
    let settledAfter = try sandbox.calls.find(carried.ordinal)?.settledAfter
    try course.plan(settle, after: settledAfter ?? carried.receipts.last?.after ?? .zero)
    try course.save()
  }

  /// Nil for a call of which the carrier has no message any more.
  init?(of call: StoredCall, in sandbox: Sandbox) throws {
    guard let carried = try sandbox.messages.find(call.carrierOrdinal) else { return nil }
    self.init(call: call, carried: carried, sandbox: sandbox)
  }

  private init(call: StoredCall, carried: Message, sandbox: Sandbox) {
    (self.call, self.carried, self.sandbox) = (call, carried, sandbox)
  }

  private init?(of carried: Message, in sandbox: Sandbox) throws {
    guard let call = try StoredCall.table.find(carried.reference, in: sandbox), call.endedAt == nil,
      call.carrierOrdinal == carried.ordinal
    else { return nil }
    self.init(call: call, carried: carried, sandbox: sandbox)
  }

  static func handle(_ event: DomainEvent, in sandbox: Sandbox) throws {
    switch event {
    case .callContinues(let carried, let step):
      guard var course = try CallCourse(of: carried, in: sandbox) else { return }
      switch step {
      case ring: try course.report(.ringing, as: StoredCall.Status.ringing.rawValue)
      case settle: try course.becomeSettled()
      case course.call.script.step: return try course.takeStep()
      default: return
      }
      try course.save()
    case .keysPressed(let keys, let carried):
      guard var course = try CallCourse(of: carried, in: sandbox) else { return }
      try course.press(keys)
      try course.save()
    case .webhookEnded(let webhook, let answer):
      guard webhook.draft.kind == CallRequest.documentKind,
        let carried = try sandbox.messages.find(webhook.draft.subject),
        var course = try CallCourse(of: carried, in: sandbox), course.call.script.request == webhook.ordinal
      else { return }
      try course.read(answer, of: webhook)
      try course.save()
    default: break
    }
  }

  /// Nil if the carrier has refused the call.
  private var result: CallPlan.Result? {
    get throws { try sandbox.calls.find(carried.ordinal)?.result }
  }

  var elapsed: Duration { sandbox.clock.now - carried.submittedAt }

  func save() throws { try call.save(in: sandbox) }

  private func plan(_ step: Int, after span: Duration) throws {
    try sandbox.calls.continueLater(carried.ordinal, step: step, at: carried.submittedAt + span)
  }

  /// Plans the next step of the script, at a time counted from the start of the call.
  mutating func planStep(after span: Duration) throws {
    call.script.step += 1
    try plan(call.script.step, after: span)
  }

  // MARK: The beginning and the end

  /// The phone was answered, or will not be.
  private mutating func becomeSettled() throws {
    let result = try result
    guard let result, result.isTaken else { return try finish(Self.status(of: result, carried)) }
    call.answeredAt = sandbox.clock.now
    if call.detectsMachines { call.answeredBy = result == .voicemail ? .machine : .human }
    try report(.answered, as: StoredCall.Status.inProgress.rawValue)
    if let digits = call.sendDigits { try say([(.network, "(sends the keys \(digits))")]) }
    // The person hangs up before anything is said.
    if result == .hungUp { return try planStep(after: elapsed + .seconds(2)) }
    try beginScript()
  }

  private static func status(of result: CallPlan.Result?, _ carried: Message) -> StoredCall.Status {
    let named = carried.receipts.last?.providerStatus.flatMap(StoredCall.Status.init)
    if let named, [.busy, .failed, .noAnswer, .canceled].contains(named) { return named }
    return switch result {
    case .busy: .busy
    case .noAnswer, .declined: .noAnswer
    case .unreachable, nil, .answered, .hungUp, .voicemail: .failed
    }
  }

  /// The error of SIP with which the call has failed; nil if it has not.
  private var sipCode: String? {
    get throws {
      switch call.finalStatus {
      case .busy: "486"
      case .noAnswer: try result == .noAnswer ? "487" : "480"
      case .failed: "404"
      case .canceled: "487"
      case .completed, .queued, .ringing, .inProgress, nil: nil
      }
    }
  }

  mutating func finish(_ status: StoredCall.Status) throws {
    call.endedAt = sandbox.clock.now
    call.finalStatus = status
    call.script.leaveDocument()
    try sandbox.calls.end(carried.ordinal)
    try report(.completed, as: status.rawValue)
  }

  /// Sends a status callback, if the app has subscribed to the event.
  private mutating func report(_ event: CallEvent, as status: String) throws {
    let number = call.events
    call.events += 1
    call.changedAt = sandbox.clock.now
    guard let callback = call.statusCallback, call.statusEvents.contains(event) else { return }
    let parameters = CallRequest.parameters(
      of: call, status: status, at: sandbox.clock.now, sequenceNumber: number, sipCode: try sipCode)
    _ = try CallRequest.enqueue(
      parameters, to: callback, kind: CallRequest.statusKind, of: call, in: sandbox)
  }

  func say(_ lines: [(TranscriptLine.Speaker, String)]) throws {
    try sandbox.calls.add(
      lines.map { TranscriptLine(after: elapsed, speaker: $0.0, text: $0.1) }, to: carried.ordinal)
  }

  /// Notes in the journal what an app would find in the provider's console.
  func note(_ code: TwiMLError.Code?, _ why: String, at url: String, status: Int = 0) {
    let number = code.map { "error \($0.rawValue): " } ?? ""
    sandbox.journal.record(
      Journal.Exchange(
        at: sandbox.clock.now, owner: TwilioProvider.name, route: nil,
        method: (call.script.requested?.method ?? .post).rawValue, target: Webhook.masked(url),
        requestHead: [], requestBody: [], status: status, responseHead: [], responseBody: [],
        why: "\(number)\(why) (call \(call.sid))", unread: [], nearest: []))
  }
}
