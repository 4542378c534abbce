import ProviderKit

/// What happens when a channel begins. Source: contract 4.
enum Channels {
  /// Sends the code. Silent authentication waits for the phone.
  static func begin(_ step: Step, of verification: Verification, in sandbox: Sandbox) throws {
    if let stored = try StoredRequest(of: verification), let entry = stored.entry(of: step) {
      try begin(step, entry, of: verification, stored, in: sandbox)
    } else if let legacy = try LegacyRequest(of: verification) {
      try legacy.begin(step, of: verification, in: sandbox)
    }
  }

  private static func begin(
    _ step: Step, _ entry: WorkflowEntry, of verification: Verification, _ stored: StoredRequest,
    in sandbox: Sandbox
  ) throws {
    if stored.isBlocked {
      return try sandbox.fallbacks.fail(step, of: verification, for: .unreachable)
    }
    if let number = entry.silentNumber {
      try sandbox.verifications.replaceCode(of: verification, with: "")
      if try !SilentURL.isOffered(entry, to: number, in: sandbox) {
        try sandbox.fallbacks.fail(step, of: verification, for: .unreachable)
      }
      return
    }
    let code = try code(for: step, entry, of: verification, stored, in: sandbox)
    try sandbox.verifications.replaceCode(of: verification, with: code)
    let message = try ChannelMessage(stored: stored, entry: entry, code: code, in: sandbox)
    let settings = try Settings.current(in: sandbox)
    try sandbox.fallbacks.send(
      message.draft(of: RequestID.of(verification, in: sandbox)), in: step, of: verification,
      rules: settings.verificationRules, fallsBackOnLoss: settings.failFast)
  }

  /// The caller's code, that of the channel before, or a new one; none for a question.
  private static func code(
    for step: Step, _ entry: WorkflowEntry, of verification: Verification, _ stored: StoredRequest,
    in sandbox: Sandbox
  ) throws -> String {
    if entry.channel == .interactive { return "" }
    if let custom = stored.customCode { return custom }
    let before = stored.workflow[safe: step.position - 2]?.channel
    if entry.reusesCode, let before, before != .silent, !verification.code.isEmpty {
      return verification.code
    }
    let subscriber = try entry.number.map { try sandbox.subscribers[$0] }
    return sandbox.codes.code(
      for: verification.claim, series: verification.series, attempt: step.position, length: stored.codeLength,
      subscriber: subscriber)
  }

  /// An answer to the question of `whatsapp_interactive`: `yes` completes the request, `no` starts the next
  /// channel. Source: contract 13, V28.
  static func receive(_ text: Message, to answered: Message?, in sandbox: Sandbox) throws {
    guard let answered, let found = try RequestID.verification(answered.reference, in: sandbox),
      let stored = try StoredRequest(of: found), let step = try sandbox.fallbacks.activeStep(of: found),
      stored.entry(of: step)?.channel == .interactive, step.message == answered.ordinal
    else { return }
    switch Language.answer(in: text.text) {
    case true?: _ = try sandbox.verifications.finish(found, as: .approved)
    case false?: try sandbox.fallbacks.fail(step, of: found, for: .denied)
    case nil: break
    }
  }
}

private struct ChannelMessage {
  let entry: WorkflowEntry
  private let text: String
  private let code: String
  private let brand: String
  private let language: Language

  init(stored: StoredRequest, entry: WorkflowEntry, code: String, in sandbox: Sandbox) throws {
    self.entry = entry
    self.code = code
    brand = stored.brand
    language = Language(ofTag: stored.locale)
    let template = try Self.template(for: stored, entry, in: sandbox)
    if entry.channel == .interactive {
      text = language.question(from: brand)
    } else if let template {
      let seconds = stored.timeout(of: entry, try Settings.current(in: sandbox)).wholeSeconds
      text = template.filled(code: code, brand: brand, seconds: seconds)
    } else {
      text = language.message(from: brand, code: code)
    }
  }

  func draft(of reference: String) -> MessageDraft {
    let end = entry.appHash.map { "\n\($0)" } ?? ""
    var draft = MessageDraft(
      provider: VonageProvider.name, reference: reference, channel: entry.channel.channel,
      destination: entry.destination, sender: entry.sender ?? brand, text: text + end,
      code: code.isEmpty ? nil : code)
    draft.speech.language = language.tag
    draft.speech.repeats = 2
    return draft
  }

  /// A custom template is for SMS and RCS; a default one for calls too.
  private static func template(
    for stored: StoredRequest, _ entry: WorkflowEntry, in sandbox: Sandbox
  ) throws -> Fragment? {
    let kind: Fragment.Kind
    switch entry.channel {
    case .sms, .rcs: kind = .sms
    case .voice: kind = .voice
    case .silent, .whatsapp, .interactive, .email: return nil
    }
    let chosen = try stored.templateID.flatMap { try Template.find($0, in: sandbox) }
    guard let template = try chosen ?? Template.default(in: sandbox) else { return nil }
    return try template.fragments(in: sandbox).first { $0.channel == kind && $0.locale == stored.locale }
  }
}
