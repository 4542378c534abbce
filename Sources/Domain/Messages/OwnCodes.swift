package import JSON

/// How the codes are found that an app made itself. Source: `senders.md` 10 and 11.
package struct OwnCodes: Equatable, Sendable {
  package enum Mode: String, CaseIterable, Sendable {
    case on, off
  }

  package var mode = Mode.on
  /// Words beside which a code stands, in addition to `WrittenCode.words`.
  package var words: [String] = []

  package static let schema = Schema<OwnCodes>(
    "InboxSettings", "How the inbox finds codes that an app made itself.",
    [
      .field("ownCodes", \.mode, .word, default: .on, "off: it shows the codes of verifications only."),
      .field(
        "codeWords", \.words, .array(of: .string(1...50), maxItems: 100), default: [],
        "Words that stand beside a code, in addition to the known ones such as code, OTP and PIN."),
    ])

  package init() {}

  /// The member of seeds, and the name of the record.
  static let key = "inbox"
  private static let section = RecordStore.Section(provider: "sandbox", kind: key)
  private static let defaults = Shared(OwnCodes())

  static func settings(in sandbox: Sandbox) throws -> OwnCodes {
    try
      (sandbox.records.read(key, in: section) { item in
        var settings = OwnCodes()
        try schema.merge(Fields(Array(item.record.utf8)), into: &settings)
        return settings
      } ?? defaults).value
  }

  /// Changes what a seed names.
  static func load(_ fields: Fields, into sandbox: Sandbox) throws {
    var settings = try settings(in: sandbox)
    try schema.merge(fields, into: &settings)
    // Not `nextOrdinal()`: a seed must not change the ids of what comes later.
    let item = RecordStore.Item(
      ordinal: 0, key: key, record: String(decoding: schema.encode(settings), as: UTF8.self))
    try sandbox.records.save(item, of: "", in: section)
  }
}

extension Messages {
  /// The code that an app wrote into a draft without a code of the provider.
  func ownCode(in draft: MessageDraft) throws -> (code: String, source: CodeSource)? {
    if let code = WrittenCode(of: draft.variables).code, try OwnCodes.settings(in: sandbox).mode == .on {
      return (code, .variables)
    }
    let isSpoken = draft.channel == .call
    return try ownCode(in: draft.text, isSpoken: isSpoken, parties: [draft.destination, draft.sender])
      .map { ($0, isSpoken ? .speech : .text) }
  }

  /// `parties` are sender and receiver.
  func ownCode(in text: String, isSpoken: Bool, parties: [String]) throws -> String? {
    let settings = try OwnCodes.settings(in: sandbox)
    guard settings.mode == .on else { return nil }
    return WrittenCode(in: text, isSpoken: isSpoken, parties: parties, words: settings.words).code
  }

  /// What could be the code of a message, in the order of its text.
  package func codeCandidates(of message: Message) throws -> [String] {
    if let code = message.code, message.codeSource == nil || message.codeSource == .variables {
      return [code]
    }
    guard message.channel.hasWrittenCodes, try OwnCodes.settings(in: sandbox).mode == .on else { return [] }
    return WrittenCode(
      in: message.text, isSpoken: message.channel == .call, parties: [message.destination, message.sender]
    ).candidates
  }
}

extension Channel {
  var hasWrittenCodes: Bool { self != .push && self != .silent }
}
