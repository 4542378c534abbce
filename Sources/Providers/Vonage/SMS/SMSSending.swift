import ProviderKit

// `/sms/{format}` and `/sc/us/2fa/{format}`. Source: `senders.md` 5.

func sendText(_ context: LegacyContext) throws -> Response {
  try send(context) { try SMSForm(context.fields) }
}

func sendShortCodeText(_ context: LegacyContext) throws -> Response {
  try send(context) {
    guard context.settings.shortCodes == .accept else {
      throw LegacyError(sms: .noCampaign).because("the setting shortCodes is refuse")
    }
    return try SMSForm(shortCode: context.fields)
  }
}

private func send(_ context: LegacyContext, _ read: () throws -> SMSForm) throws -> Response {
  let number = try SMSForm.receiver(context)
  let digits = String(number.description.dropFirst())
  do {
    let form = try read()
    let line = try checkedLine(of: number, form, context)
    let sms = try submit(form, to: line, digits, context)
    var response = SMSAnswer(messages: try entries(of: sms, form, context)).response(
      isXML: context.request.target.path.hasSuffix("/xml"))
    response.why = form.note
    return response
  } catch var error as LegacyError {
    error.receiver = digits
    throw error
  }
}

/// Fails for a text that the account may not send.
private func checkedLine(of number: PhoneNumber, _ form: SMSForm, _ context: LegacyContext) throws
  -> Subscriber
{
  let (sandbox, settings) = (context.sandbox, context.settings)
  guard
    try RequestCount.add(
      "sms \(context.account)", of: VonageProvider.name, limit: settings.throughput, in: sandbox)
  else {
    throw LegacyError(sms: .throttled).because("the setting throughput is \(settings.throughput)")
  }
  if let why = try sandbox.numbers.refusal(of: number, provider: VonageProvider.name) {
    throw LegacyError(sms: .unroutable).because("to: \(why)")
  }
  if settings.barred.contains(number) {
    throw LegacyError(sms: .barredNumber).because("the setting barred has \(number)")
  }
  guard settings.demo.isEmpty || settings.demo.contains(number) else {
    throw LegacyError(sms: .demoAccount).because("the setting demo does not have \(number)")
  }
  let line = try sandbox.subscribers[number]
  if let country = line.country, settings.numericSenderCountries.contains(country),
    !form.sender.utf8.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: "+") })
  {
    throw LegacyError(sms: .sender).because(
      "from: expected a number; the setting numericSenderCountries has \(country)")
  }
  return line
}

private func submit(
  _ form: SMSForm, to line: Subscriber, _ digits: String, _ context: LegacyContext
) throws -> StoredSMS {
  let (sandbox, settings) = (context.sandbox, context.settings)
  var sms = StoredSMS(parts: form.parts, form: settings.smsMessageID, in: sandbox)
  sms.account = context.account
  sms.sender = form.sender
  sms.receiver = digits
  sms.network = line.mcc + line.mnc
  sms.price = settings.smsPrice
  sms.clientReference = form.clientReference
  let url = form.callback ?? (settings.deliveryURL.isEmpty ? nil : settings.deliveryURL)
  sms.receiptURL = form.wantsReceipt ? url : nil
  let balance = try Balance(of: context.account, settings, in: sandbox)
  guard balance.covers(form.parts) else {
    throw LegacyError(sms: .quota).because("the setting balance does not suffice")
  }
  let now = sandbox.clock.now
  let draft = MessageDraft(
    provider: VonageProvider.name, reference: sms.ids[0], channel: .sms,
    destination: line.number.description, sender: form.sender, text: form.text, code: nil)
  let carried = try sandbox.messages.submit(draft, to: line, expiring: now + form.validity)
  if let refusal = carried.receipts.all.first, refusal.state == .refused {
    throw LegacyError(sms: SMSStatus(refusal)).because("the carrier has not accepted the text")
  }
  try balance.pay(form.parts, in: sandbox)
  try sms.save(in: sandbox)
  try SMSReceipt.enqueue(for: sms, carried, to: line, in: sandbox)
  return sms
}

/// Each part has its price, so the balance falls from entry to entry.
private func entries(
  of sms: StoredSMS, _ form: SMSForm, _ context: LegacyContext
) throws -> [[(name: String, value: String)]] {
  let balance = try Balance(of: context.account, context.settings, in: context.sandbox).remaining
  let price = Euros(context.settings.smsPrice)
  return sms.ids.enumerated().map { index, id in
    let left = balance + price * (sms.ids.count - 1 - index)
    var members = [
      (name: "to", value: sms.receiver), (name: "message-id", value: id), (name: "status", value: "0"),
      (name: "remaining-balance", value: left.description), (name: "message-price", value: sms.price),
      (name: "network", value: sms.network),
    ]
    if let reference = form.clientReference { members.append((name: "client-ref", value: reference)) }
    if let reference = form.accountReference { members.append((name: "account-ref", value: reference)) }
    return members
  }
}
