import ProviderKit

/// How an app is told about a text that a person has sent to one of its senders. Source: `senders.md` 4
struct InboundMessage {
  enum Kind: String, CaseIterable {
    case first = "message.inbound"
    /// To the URL for failures.
    case fallback = "message.inboundFallback"
  }

  let message: StoredMessage
  private let main: Address
  private let fallback: Address
  private let sandbox: Sandbox

  /// Nil if nobody wants to be told. A number's own URL wins over that of its Messaging Service.
  init?(_ message: StoredMessage, in sandbox: Sandbox) throws {
    let number = try OwnNumber.find(MessageAddress(message.to).name, in: sandbox)
    let service = try message.messagingService.flatMap { try MessagingService.find($0, in: sandbox) }
    if let number, !number.message.url.isEmpty {
      (main, fallback) = (number.message, number.messageFallback)
    } else if let service, !service.inbound.url.isEmpty {
      (main, fallback) = (service.inbound, service.fallback)
    } else {
      return nil
    }
    self.message = message
    self.sandbox = sandbox
  }

  /// Tells the app about a new message.
  static func report(_ message: StoredMessage, in sandbox: Sandbox) throws {
    guard let inbound = try InboundMessage(message, in: sandbox) else {
      return sandbox.deliveryNotes.explain(message.carrierOrdinal, try whyNobody(about: message, in: sandbox))
    }
    try inbound.call(inbound.main, .first)
  }

  private static func whyNobody(about message: StoredMessage, in sandbox: Sandbox) throws -> String {
    let sender = MessageAddress(message.to).name
    let why = "no app is told: \(sender) has no URL for messages"
    guard PhoneNumber(sender) != nil else { return why }
    let number = try OwnNumber.find(sender, in: sandbox)
    let update =
      number.map { "POST …/IncomingPhoneNumbers/\($0.sid(in: sandbox)).json with SmsUrl, or " } ?? ""
    return "\(why); set it by \(update)smsUrl in the seed twilio.numbers"
  }

  /// Calls the URL for failures, if there is one.
  func callFallback(_ error: TwiMLError, of url: String) throws {
    guard !fallback.url.isEmpty else { return }
    try call(fallback, .fallback, ["ErrorCode": String(error.code.rawValue), "ErrorUrl": url])
  }

  /// Calls another document with the same message. False if there were too many already.
  func call(_ receiver: Address, as kind: Kind) throws -> Bool {
    let calls = try sandbox.webhooks.ordinals(about: message.ordinal, by: TwilioProvider.name)
    guard calls.count < Self.maxDocuments else { return false }
    try call(receiver, kind)
    return true
  }

  /// The sandbox's decision, as for calls. Source: `senders.md` 2
  static let maxDocuments = 50

  private func call(
    _ receiver: Address, _ kind: Kind, _ more: KeyValuePairs<String, String?> = [:]
  ) throws {
    try sandbox.webhooks.enqueue(
      parameters.adding(more)
        .draft(to: receiver, kind: kind.rawValue, subject: message.ordinal, of: message.account))
  }

  /// Without connection overrides, an app is called once.
  static func retries(of webhook: Webhook) throws -> RetrySchedule {
    var schedule = try ConnectionOverrides(of: webhook.draft.url, retries: 0).schedule
    schedule.acknowledgements = 200...399
    return schedule
  }
}

/// The order is that of recorded requests. Source: `senders.md` 4; for WhatsApp, applications in public
/// repositories that list what they get.
extension InboundMessage {
  private var parameters: SignedBody {
    get throws {
      let (from, to) = (MessageAddress(message.from ?? ""), MessageAddress(message.to))
      return try from.channel == .sms ? texted(from, to) : written(from)
    }
  }

  /// Of places, only the countries are known here.
  private func texted(_ from: MessageAddress, _ to: MessageAddress) throws -> SignedBody {
    let isNamed = try Settings.current(in: sandbox).optOutType
    return SignedBody(form: [
      "ToCountry": to.number?.country ?? "", "ToState": "", "SmsMessageSid": message.sid, "NumMedia": "0",
      "ToCity": "", "FromZip": "", "SmsSid": message.sid, "FromState": "", "SmsStatus": "received",
      "FromCity": "", "Body": message.body, "FromCountry": from.number?.country ?? "", "To": message.to,
      "MessagingServiceSid": message.messagingService, "ToZip": "",
      "OptOutType": isNamed ? OptOutType(message.body)?.rawValue : nil,
      "NumSegments": String(message.segments), "MessageSid": message.sid, "AccountSid": message.account,
      "From": from.text, "ApiVersion": "2010-04-01",
    ])
  }

  /// In a chat app.
  private func written(_ from: MessageAddress) throws -> SignedBody {
    let person = try from.number.flatMap { try sandbox.subscribers[$0].kyc.shownName }
    return SignedBody(form: [
      "SmsMessageSid": message.sid, "NumMedia": "0", "ProfileName": person ?? "", "MessageType": "text",
      "SmsSid": message.sid,
      "WaId": from.channel == .whatsapp ? String(from.name.drop { $0 == "+" }) : nil,
      "SmsStatus": "received", "Body": message.body, "To": message.to,
      "MessagingServiceSid": message.messagingService, "NumSegments": String(message.segments),
      "ReferralNumMedia": "0", "MessageSid": message.sid, "AccountSid": message.account,
      "From": from.text, "ApiVersion": "2010-04-01",
    ])
  }
}

/// What a text such as STOP means, for accounts with Advanced Opt-Out.
/// Source: https://www.twilio.com/docs/messaging/tutorials/advanced-opt-out
private enum OptOutType: String {
  case stop = "STOP"
  case start = "START"
  case help = "HELP"

  init?(_ text: String) {
    switch StopWord(text) {
    case .stop: self = .stop
    case .start: self = .start
    case nil:
      let word = text.split(whereSeparator: \.isWhitespace).joined(separator: " ").uppercased()
      guard ["HELP", "INFO"].contains(word) else { return nil }
      self = .help
    }
  }
}
