import ProviderKit

/// What a Service, an account and a destination allow: the rules of a creation beyond its form.
struct CreationRules {
  private let context: RequestContext
  private var service: Service { _read { yield context.service } }
  private var settings: Settings { _read { yield context.settings } }
  private var sandbox: Sandbox { context.sandbox }

  init(_ context: RequestContext) { self.context = context }

  func check(_ form: VerificationForm) throws {
    try requireAmountAndPayee(in: form)
    try rejectLandline(form)
    try AcceptedNumbers(of: context).check(form.to, parameter: "To")
    if settings.restrictions.affectCreations { try checkRestrictions(form) }
  }

  /// The channel of the form. `auto` is silent if the line's operator supports it and the account may,
  /// except for payments. Source: contract 4.1.
  func channel(for form: VerificationForm) throws -> Channel {
    guard form.isAuto, !(service.psd2Enabled ?? false), let number = PhoneNumber(form.to),
      !settings.restrictions.disabledChannels.contains(Channel.silent.twilioName)
    else { return form.channel }
    return try sandbox.subscribers[number].coversSilent ? .silent : form.channel
  }

  func customCode(of form: VerificationForm) throws(APIError) -> String? {
    guard let code = form.customCode, !(service.customCodeEnabled ?? false) else { return form.customCode }
    guard settings.customCodeWhenDisabled == .ignore else {
      throw .featureNotSupported.because(
        "CustomCode has \(code.count) characters, but the Service has CustomCodeEnabled off")
    }
    return nil
  }

  private func requireAmountAndPayee(in form: VerificationForm) throws(APIError) {
    guard service.psd2Enabled ?? false else { return }
    guard form.amount != nil, form.payee != nil else { throw .amountAndPayeeRequired }
    guard form.channel != .call else { throw .callNotSupportedWithPSD2 }
    guard form.channel != .silent else { throw .silentNotSupportedWithPSD2 }
  }

  private func rejectLandline(_ form: VerificationForm) throws {
    guard form.channel == .sms, service.lookupEnabled ?? false, service.skipSmsToLandlines ?? false,
      let number = PhoneNumber(form.to), try sandbox.subscribers[number].lineType == .landline
    else { return }
    throw APIError.smsToLandline.because(
      "\(number) is a landline in this sandbox",
      change: "Send the code with Channel=call, or to a mobile number.")
  }
}

/// The settings' restrictions. Source: contract 13.1, 13.2 and 13.4.
extension CreationRules {
  /// In an order of our own: the account, the channel, the destination, then what was sent before.
  private func checkRestrictions(_ form: VerificationForm) throws {
    let restrictions = settings.restrictions
    let number = PhoneNumber(form.to)
    try rejectAccount(restrictions, number)
    if restrictions.disabledChannels.contains(form.channel.twilioName) {
      throw APIError.channelDisabled(form.channel.twilioName)
        .because("the setting disabledChannels has \(form.channel.twilioName)")
    }
    try rejectMissingSetup(restrictions.missingSetup, form, number)
    try restrictions.check(form.customFriendlyName, of: "CustomFriendlyName")
    if let number { try rejectBlocked(number, restrictions, form) }
    try rejectConcurrent(form, within: restrictions.concurrencyWindow)
    try DailySends(of: context).check()
  }

  private func rejectConcurrent(_ form: VerificationForm, within window: Duration) throws {
    guard window > .zero,
      let latest = try sandbox.verifications.latest(ServiceVerifications(context).claim(to: form.to)),
      let last = latest.attempts.all.last?.sentAt,
      last <= sandbox.clock.now, sandbox.clock.now < last + window
    else { return }
    throw APIError(code: 60212).because("within concurrencyWindowMs of the last send, \(last.iso8601Exact)")
  }

  private func rejectAccount(_ restrictions: Restrictions, _ number: PhoneNumber?) throws(APIError) {
    switch restrictions.accountType {
    case .full: break
    case .trial:
      guard let number, !restrictions.verifiedNumbers.contains(number.description) else { break }
      throw APIError(code: 21608).because("the setting verifiedNumbers does not have \(number)")
    case .trialWithoutVerify:
      throw APIError(code: 575001).because("the setting accountType is trialWithoutVerify")
    }
  }

  private func rejectMissingSetup(
    _ missing: [Restrictions.Setup], _ form: VerificationForm, _ number: PhoneNumber?
  ) throws(APIError) {
    let country = number.flatMap(\.country)
    let isNeeded: (Restrictions.Setup) -> Bool = { [service] setup in
      switch setup {
      case .mailer, .mailerTemplate, .mailerPlaceholders, .mailerSender, .mailerCredits, .mailerUser:
        form.channel == .email
      case .chinaUseCase: country == "CN"
      case .chinaFriendlyName: country == "CN" && form.customFriendlyName == nil
      case .whatsappTemplate: form.channel == .whatsapp
      case .customMessages: form.customMessage != nil
      case .australianSender: country == "AU" && form.channel == .sms
      case .whatsappSender: form.channel == .whatsapp && service.whatsappMsgServiceSid == nil
      }
    }
    guard let setup = missing.first(where: isNeeded) else { return }
    throw APIError(code: setup.errorCode).because("the setting missingSetup has \(setup.rawValue)")
  }

  private func rejectBlocked(
    _ number: PhoneNumber, _ restrictions: Restrictions, _ form: VerificationForm
  ) throws {
    let channel = form.channel.twilioName
    if let country = number.country, restrictions.blockedCountries.contains(country) {
      throw APIError.countryBlocked(country, channel).because("the setting blockedCountries has \(country)")
    }
    if let prefix = number.prefix(in: restrictions.blockedSignups) {
      throw APIError(code: 60412).because("the setting blockedSignups has \(prefix)")
    }
    let (fraud, blocked) = (
      number.prefix(in: restrictions.blockedPrefixes), number.prefix(in: restrictions.blockedNumbers)
    )
    guard fraud != nil || blocked != nil, form.hasRiskCheck,
      try !SafeNumber.covers(number, of: context.caller.account, in: sandbox)
    else { return }
    if let fraud {
      throw APIError.fraudBlocked(fraud, channel).because("the setting blockedPrefixes has \(fraud)")
    }
    throw APIError(code: 60238).because("the setting blockedNumbers has \(blocked ?? "")")
  }
}

extension PhoneNumber {
  /// The first of these texts that the number begins with.
  fileprivate func prefix(in prefixes: [String]) -> String? {
    prefixes.first { description.hasPrefix($0) }
  }
}

extension Restrictions.Setup {
  fileprivate var errorCode: Int {
    switch self {
    case .mailer: 60217
    case .mailerTemplate: 60218
    case .mailerPlaceholders: 60219
    case .mailerSender: 60222
    case .mailerCredits: 60603
    case .mailerUser: 60604
    case .chinaUseCase: 60220
    case .chinaFriendlyName: 60226
    case .whatsappTemplate: 60242
    case .customMessages: 60243
    case .australianSender: 60250
    case .whatsappSender: 68008
    }
  }
}
