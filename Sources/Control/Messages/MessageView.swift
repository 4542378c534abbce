struct MessageView: Sendable {
  private let message: Message
  private let call: CallView?
  private let push: PushView?
  private let encoding: TextEncoding
  private let now: Timestamp
  /// Those of the carrier so far.
  private let receipts: ArraySlice<DeliveryReceipt>
  private let holder: HolderView?
  private let codeCandidates: [String]
  /// Of a text from a handset.
  private let why: String?

  init(_ message: Message, in sandbox: Sandbox) throws {
    self.message = message
    now = sandbox.clock.now
    receipts = message.receipts(by: now)
    encoding = TextEncoding(of: message.text)
    codeCandidates = try sandbox.messages.codeCandidates(of: message)
    let elapsed = now - message.submittedAt
    let call = message.channel == .call ? try sandbox.calls.find(message.ordinal) : nil
    self.call = call.map { CallView(call: $0, elapsed: elapsed) }
    push = try PushView(message, in: sandbox)
    holder = try message.hasArrived(by: now) ? HolderView(of: message, in: sandbox) : nil
    why = message.isFromHandset ? sandbox.deliveryNotes[message.ordinal]?.cause : nil
  }

  static let page = PageSchema<MessageView, Int>("messages", schema, "The messages, oldest first.")

  static let schema = Schema<MessageView>(
    "Message", "A message to a handset, or from one.",
    [
      .readOnly("id", .string, "The id.") { $0.message.id },
      .readOnly("channel", .word, "The channel.") { $0.message.channel },
      .readOnly("to", .string, "The phone number or email address.") { $0.message.destination },
      .readOnly("from", .string, "The sender: a number, a short code or a name.") { $0.message.sender },
      .readOnly("provider", .string, "The provider; empty for a text to no provider.") {
        $0.message.provider
      },
      .readOnly("verificationId", .string, "The provider's id of the verification.") { $0.message.reference },
      .readOnly("text", .string, "The text, as the handset shows it or as the call reads it.") {
        $0.message.text
      },
      .readOnly("code", .string, "The code in the text.") { $0.message.code },
      .readOnly("codeFrom", .string, Message.codeFromSummary) { $0.message.codeFrom },
      .readOnly("codeCandidates", .array(of: .string), "What could be the code, in the order of the text.") {
        $0.codeCandidates
      },
      .readOnly("encoding", .word, "The text's encoding.") { $0.encoding.alphabet },
      .readOnly("segments", .integer, "The number of charged parts.") { $0.encoding.segments },
      .readOnly("submittedAt", .preciseTimestamp, "When the provider submitted the message.") {
        $0.message.submittedAt
      },
      .readOnly("arrivedAt", .preciseTimestamp, "When the handset showed it; null if it does not.") {
        $0.message.hasArrived(by: $0.now) ? $0.message.arrivesAt : nil
      },
      .readOnlyIfPresent(
        "holder", .object(HolderView.schema),
        "Who has the message: whoever had the phone number when it arrived."
      ) { $0.holder },
      .readOnly("state", .word, "The state of the latest receipt.") { $0.receipts.state },
      .readOnly("receipts", .objects(receipt), "The carrier's receipts so far.") {
        Array($0.receipts)
      },
      .readOnlyIfPresent("why", .string, "Why a text from a handset has no effect.") { $0.why },
      .readOnlyIfPresent("call", .object(CallView.schema), "The call, for the channel call.") { $0.call },
      .readOnlyIfPresent("push", .object(PushView.messagePart), "The push, for the channel push.") {
        $0.push
      },
    ])

  private static let receipt = Schema<DeliveryReceipt>(
    nil, "",
    [
      .readOnly("state", .word, "The state.") { $0.state },
      .readOnly("atMs", .integer, "Milliseconds since the submission.") { Int($0.after.milliseconds) },
      .readOnlyIfPresent("err", .integer, "The carrier's error number.") { $0.error == 0 ? nil : $0.error },
    ])
}

/// Who has a message.
struct HolderView: Sendable {
  private let holder: Holder
  private let isPresent: Bool
  /// False for messages to an app.
  private let isOnSIMCard: Bool

  /// Nil for emails and pushes, which do not come to a phone number.
  init?(of message: Message, in sandbox: Sandbox) throws {
    guard Set<Channel>.ofNumber.contains(message.channel), let number = PhoneNumber(message.destination)
    else { return nil }
    holder = try message.formerHolder ?? sandbox.subscribers[number].holder
    isPresent = message.formerHolder == nil
    isOnSIMCard = Set<Channel>.ofSIMCard.contains(message.channel)
  }

  static let schema = Schema<HolderView>(
    "Holder", "Who has a message.",
    [
      .readOnly(
        "subscriber", .position, "The person: the place in the record's subscriberPeriods, counted from 1."
      ) { $0.holder.subscriber },
      .readOnlyIfPresent(
        "iccid", .string, "The number of their SIM card, for the channels sms, call and rcs."
      ) { $0.isOnSIMCard ? $0.holder.iccid : nil },
      .readOnly("present", .boolean, "True if they have the phone number now.") { $0.isPresent },
    ])
}

extension Message {
  fileprivate func hasArrived(by time: Timestamp) -> Bool { arrivesAt.map { $0 <= time } ?? false }
}

/// A call, as far as it has been heard.
struct CallView: Sendable {
  let call: Call
  let elapsed: Duration

  static let schema = Schema<CallView>(
    "Call", "A call that reads a text out.",
    [
      .readOnly("result", .word, "How the call ends.") { $0.call.result },
      .readOnly("language", .string, "The language, by the provider's name for it.") {
        $0.call.speech.language
      },
      .readOnly("repeats", .integer, "How often the text is read out.") { $0.call.speech.repeats },
      .readOnly("key", .word, "Whether the call asked for a key, and whether one was pressed.") {
        $0.call.key
      },
      .readOnly("keys", .string, "The keys that were pressed.") { $0.call.keys },
      .readOnly("transcript", .objects(line), "The transcript so far.") {
        $0.call.transcript(by: $0.elapsed)
      },
    ])

  private static let line = Schema<TranscriptLine>(
    nil, "",
    [
      .readOnly("atMs", .integer, "Milliseconds since the call's start.") { Int($0.after.milliseconds) },
      .readOnly("who", .word, "The speaker.") { $0.speaker },
      .readOnly("text", .string, "The words or the sound.") { $0.text },
    ])
}
