import ProviderKit

/// Who sends a text. Source: `senders.md` 5.
enum SMSCaller {
  /// The account's key.
  static func account(of request: Request, _ fields: LegacyFields, in sandbox: Sandbox) throws -> String {
    if let signature = try fields["sig"] { return try signer(signature, fields, in: sandbox) }
    if BasicAuthentication(request.headers) == nil {
      for name in ["api_key", "api_secret"] where try fields[name] == nil {
        throw LegacyError(sms: .missing, "Missing \(name)")
      }
    }
    do {
      return try Caller(of: request, by: [.basic, .fields], in: sandbox).account
    } catch let error as APIError {
      throw LegacyError(sms: .credentials).because(error.why ?? error.detail)
    }
  }

  private static func signer(
    _ signature: String, _ fields: LegacyFields, in sandbox: Sandbox
  ) throws -> String {
    guard try fields["api_secret"] == nil else { throw LegacyError(sms: .signatureAndSecret) }
    guard let key = try fields["api_key"] else { throw LegacyError(sms: .missing, "Missing api_key") }
    guard let known = try sandbox.accounts.find(key, of: VonageProvider.name), known.account == key else {
      if sandbox.acceptsUnknownAccounts { return key }
      throw LegacyError(sms: .credentials).because("no account \(key) in sandbox \(sandbox.name)")
    }
    try requireRecent(fields["timestamp"], at: sandbox.clock)
    let why = try SMSSignature.mistake(
      in: signature, of: fields.pairs.filter { $0.name != "sig" },
      by: Settings.current(in: sandbox).signatureMethod, AccountSecrets(known))
    if let why { throw LegacyError(sms: .signature).because("wrong signature in sig: \(why)") }
    return key
  }

  /// Clients sign with the machine's time, so that is right, too, when a test has moved the sandbox's.
  private static func requireRecent(_ text: String?, at clock: SandboxClock) throws {
    guard let seconds = text.flatMap({ Int64($0) }), (0...99_999_999_999).contains(seconds) else {
      throw LegacyError(sms: .signature).because("timestamp: expected seconds since 1970")
    }
    let time = Timestamp(milliseconds: seconds * 1000)
    let isRecent = [clock.now, clock.machineTime].contains { max($0 - time, time - $0) <= .seconds(300) }
    guard isRecent else {
      throw LegacyError(sms: .signature).because(
        "timestamp: expected a time within 5 minutes of \(clock.now.iso8601); found \(time.iso8601)")
    }
  }
}
