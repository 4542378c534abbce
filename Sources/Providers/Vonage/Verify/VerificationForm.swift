import ProviderKit

/// The body of a start. All its faults are in one answer. Source: contract 3.
struct VerificationForm {
  private(set) var stored = StoredRequest()
  /// False: the velocity rule does not apply.
  private(set) var checksFraud = true

  init(_ context: RequestContext) throws {
    let faults = Faults()
    let body = Reader(fields: try context.request.json, faults: faults)
    stored.brand = Self.brand(body) ?? ""
    stored.locale =
      body.text("locale", "a locale such as en-us", where: Self.isLocale)?.lowercased() ?? stored.locale
    stored.channelTimeout = body.integer("channel_timeout", 15...900) ?? context.settings.channelTimeout
    let hasHyphens = context.settings.clientRefHyphens == .accept
    stored.clientRef = body.text(
      "client_ref", "1 to 40 letters\(hasHyphens ? ", digits and hyphens" : " and digits")"
    ) {
      (1...40).contains($0.utf8.count)
        && $0.utf8.allSatisfy { $0.isAlphanumeric || hasHyphens && $0 == UInt8(ascii: "-") }
    }
    stored.codeLength = body.integer("code_length", 4...10) ?? context.settings.codeLength
    stored.customCode = body.text("code", "4 to 10 letters and digits") {
      (4...10).contains($0.utf8.count) && $0.utf8.allSatisfy { $0.isAlphanumeric }
    }
    stored.templateID = body.text("template_id", "a UUID", where: UUIDText.isValid)?.lowercased()
    checksFraud = body.flag("fraud_check") ?? true
    stored.application = context.caller.application
    let rules = WorkflowRules(context: context, faults: faults)
    stored.workflow = try rules.workflow(body)
    if stored.customCode != nil, stored.workflow.contains(where: { $0.channel == .silent }) {
      body.note("code", "a custom code is not supported for silent_auth")
    }
    if let id = stored.templateID, try Template.find(id, in: context.sandbox) == nil {
      body.note("template_id", "no such template")
    }
    try faults.check()
  }

  /// True for text of the form of a language tag.
  static func isLocale(_ text: String) -> Bool { text.utf8.count <= 35 && LanguageTag.isValid(text) }

  private static func brand(_ body: Reader) -> String? {
    body.text("brand", "1 to 18 characters, and none of / \\ { } : $", required: true) {
      (1...18).contains($0.unicodeScalars.count)
        && !$0.unicodeScalars.contains { "/\\{}:$".unicodeScalars.contains($0) }
    }
  }
}

/// Reads the list of channels. Source: contract 3.
private struct WorkflowRules {
  let context: RequestContext
  let faults: Faults

  func workflow(_ body: Reader) throws -> [WorkflowEntry] {
    let items: [Fields]
    do {
      items = try body.fields.optionalObjects("workflow") ?? []
    } catch {
      body.note("workflow", "expected a list of channels")
      return []
    }
    guard (1...3).contains(items.count) else {
      body.note("workflow", items.isEmpty ? "Workflow is required" : "expected 1 to 3 channels")
      return []
    }
    return try items.enumerated().map { place, fields in
      try entry(Reader(fields: fields, faults: faults, place: "workflow[\(place)]."), isFirst: place == 0)
    }
  }

  private func entry(_ reader: Reader, isFirst: Bool) throws -> WorkflowEntry {
    var entry = WorkflowEntry()
    let word = reader.text("channel", "one of \(WorkflowChannel.words)", required: true) {
      WorkflowChannel(rawValue: $0) != nil
    }
    guard let channel = word.flatMap(WorkflowChannel.init) else { return entry }
    entry.channel = channel
    if channel == .silent, !isFirst { reader.note("channel", "silent_auth must be the first channel") }
    entry.destination = try channel == .email ? address(reader) : number(reader, of: channel)
    entry.reusesCode = reader.flag("reuse_code") ?? false
    switch channel {
    case .silent: readSilent(reader, into: &entry)
    case .sms: readSMS(reader, into: &entry)
    case .rcs:
      entry.sender = reader.text("from", "1 to 15 characters", required: true) { (1...15).contains($0.count) }
    case .whatsapp:
      entry.sender = reader.text("from", "1 to 50 characters") { (1...50).contains($0.count) }
      _ = reader.text("mode", "otp_code or zero_tap") { ["otp_code", "zero_tap"].contains($0) }
    case .email: entry.sender = reader.text("from", "1 character at least") { !$0.isEmpty }
    case .interactive, .voice: break
    }
    return entry
  }

  private func readSilent(_ reader: Reader, into entry: inout WorkflowEntry) {
    entry.redirectURL = reader.text("redirect_url", "an http or https URL") { AbsoluteURL($0) != nil }
    entry.checksCoverage = reader.flag("coverage_check") ?? true
    entry.isAdvanced =
      reader.text("mode", "standard or advanced") { ["standard", "advanced"].contains($0) } == "advanced"
    entry.isSimulated = reader.flag("sandbox") ?? false
  }

  private func readSMS(_ reader: Reader, into entry: inout WorkflowEntry) {
    entry.sender = reader.text("from", "up to 11 letters and digits, or up to 15 digits") {
      (1...15).contains($0.count) && ($0.count <= 11 || $0.utf8.allSatisfy { $0.isDigit })
    }
    for name in ["entity_id", "content_id"] {
      _ = reader.text(name, "1 to 20 characters") { (1...20).contains($0.count) }
    }
    entry.appHash = reader.text("app_hash", "11 characters") { $0.count == 11 }
  }

  private func address(_ reader: Reader) -> String {
    reader.text("to", "an email address", required: true, where: EmailAddress.isValid)?.lowercased() ?? ""
  }

  /// A number without a plus sign, in E.164.
  private func number(_ reader: Reader, of channel: WorkflowChannel) throws -> String {
    let expected = "a phone number in E.164 without a leading + or 00"
    guard let text = reader.text("to", expected, required: true, where: { (1...50).contains($0.utf8.count) })
    else { return "" }
    let hasPlus = text.hasPrefix("+")
    guard !hasPlus || context.settings.leadingPlus == .accept,
      let number = PhoneNumber(hasPlus ? text : "+\(text)")
    else {
      reader.note("to", "expected \(expected)")
      return ""
    }
    if !SilentURL.isVirtual(number),
      let why = try context.sandbox.numbers.refusal(of: number, provider: VonageProvider.name)
    {
      reader.note("to", "is not a valid phone number: \(why)")
    }
    return number.description
  }
}
