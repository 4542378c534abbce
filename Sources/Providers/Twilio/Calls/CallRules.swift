import ProviderKit

/// Who can be called, and from which number: the rules of a creation beyond its form.
struct CallRules {
  let form: CallForm
  let context: RequestContext

  /// Fails for a call that the provider does not make. Nil for a receiver that is no phone number.
  func receiver() throws -> PhoneNumber? {
    let number = try number()
    try checkSender()
    if let number { try checkAccount(number) }
    let limit = context.settings.callsPerSecond
    guard
      try RequestCount.add(
        "calls of \(context.caller.account)", of: TwilioProvider.name, limit: limit, in: context.sandbox)
    else { throw fail(20429, "the setting callsPerSecond is \(limit)") }
    return number
  }

  private func fail(_ code: Int, _ why: String) -> APIError {
    .call(code, to: form.to, from: form.from).because(why)
  }

  private func number() throws -> PhoneNumber? {
    if Self.isNoPhone(form.to) { return nil }
    let code = context.settings.invalidToCode.rawValue
    switch MagicNumber.receiverError(form.to) {
    case 21211: throw fail(code, "\(form.to) is a test number")
    case 21408: throw fail(21215, "\(form.to) is a test number")
    case 21610: throw fail(21216, "\(form.to) is a test number")
    default: break
    }
    guard let number = PhoneNumber(form.to) else {
      throw fail(code, PhoneNumber.refusal(of: form.to, in: "To"))
    }
    if !MagicNumber.contains(number),
      let why = try context.sandbox.numbers.refusal(of: number, provider: TwilioProvider.name)
    {
      throw fail(code, why)
    }
    return number
  }

  /// A client or a SIP address.
  static func isNoPhone(_ text: String) -> Bool { text.hasPrefix("client:") || text.hasPrefix("sip:") }

  private func checkSender() throws(APIError) {
    if Self.isNoPhone(form.from) { return }
    if MagicNumber.senderError(form.from) == 21212 { throw fail(21212, "\(form.from) is a test number") }
    guard PhoneNumber(form.from) != nil else {
      throw fail(21212, PhoneNumber.refusal(of: form.from, in: "From"))
    }
    guard !context.caller.isTest || form.from == MagicNumber.sender else {
      throw fail(21210, "test credentials can call from \(MagicNumber.sender) only")
    }
    guard context.settings.senders.isEmpty || context.settings.senders.contains(form.from) else {
      throw fail(21210, "the setting senders does not have \(form.from)")
    }
  }

  private func checkAccount(_ number: PhoneNumber) throws(APIError) {
    let restrictions = context.settings.restrictions
    if let country = number.country, restrictions.blockedCountries.contains(country) {
      throw fail(21215, "the setting blockedCountries has \(country)")
    }
    if let blocked = restrictions.blockedNumbers.first(where: { number.description.hasPrefix($0) }) {
      throw fail(21216, "the setting blockedNumbers has \(blocked)")
    }
    if restrictions.accountType != .full, !restrictions.verifiedNumbers.contains(number.description) {
      throw fail(21219, "a trial account, and the setting verifiedNumbers does not have \(number)")
    }
  }
}
