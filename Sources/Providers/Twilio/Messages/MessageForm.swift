import ProviderKit

/// Sender or receiver of a message: a number, a short code or a name, on a channel.
struct MessageAddress {
  /// As in the request.
  let text: String
  let channel: Channel
  /// Without the prefix of the channel.
  let name: String

  init(_ text: String) {
    self.text = text
    let prefixes: [(String, Channel)] = [("whatsapp:", .whatsapp), ("rcs:", .rcs)]
    let known = prefixes.first { text.hasPrefix($0.0) }
    channel = known?.1 ?? .sms
    name = String(text.dropFirst(known?.0.count ?? 0))
  }

  var number: PhoneNumber? { PhoneNumber(name) }

  /// A number, a short code of 3 to 6 digits, or a name: 1 to 11 letters, digits and spaces, with a letter.
  var isSender: Bool {
    if number != nil { return true }
    if name.utf8.allSatisfy({ $0.isDigit }) { return (3...6).contains(name.utf8.count) }
    return (1...11).contains(name.count)
      && name.utf8.allSatisfy { $0.isAlphanumeric || " -_+&.".utf8.contains($0) }
      && name.utf8.contains { $0.isLetter }
  }
}

/// The form of a creation, each parameter valid by itself. Source: contract 16.2.
struct MessageForm {
  let to: MessageAddress
  let from: MessageAddress?
  let messagingService: String?
  let body: String
  /// The values of the content's variables.
  let variables: [String]
  let mediaURLs: [String]
  let statusCallback: String?
  let validity: Duration
  let sendsAt: Timestamp?

  init(_ form: Form, in sandbox: Sandbox) throws {
    form.declare(Self.parameters)
    guard let to = form.text("To") else { throw APIError(code: 21604) }
    // A Messaging Service may also be in From. Source: error 35118 of the provider's dictionary.
    let sender = form.text("From")
    let isService = sender.map { SidKind.messagingService.matches($0) } ?? false
    let service = form.text("MessagingServiceSid") ?? (isService ? sender : nil)
    guard sender != nil || service != nil else { throw APIError(code: 21603) }
    let content = try MessageContent(form)
    let media = form.all("MediaUrl").filter { !$0.isEmpty }
    self.to = MessageAddress(to)
    let text = try form.text("Body") ?? content?.text(over: self.to.channel, in: sandbox)
    guard let body = text ?? (media.isEmpty ? nil : "") else { throw APIError(code: 21602) }
    guard body.count <= 1600 else { throw APIError(code: 21617) }
    if let service, !SidKind.messagingService.matches(service) { throw APIError(code: 21705) }
    from = isService ? nil : sender.map { MessageAddress($0) }
    messagingService = service
    self.body = body
    variables = content?.variables.map(\.value) ?? []
    mediaURLs = try Self.media(media)
    statusCallback = form.text("StatusCallback")
    if let url = statusCallback, AbsoluteURL(url) == nil { throw APIError(code: 21609) }
    validity = .seconds(try form.number("ValidityPeriod", 1...36_000) ?? 36_000)
    sendsAt = try Self.schedule(form, service, at: sandbox.clock.now)
    guard from.map({ $0.channel == self.to.channel }) ?? true else { throw APIError(code: 21910) }
  }

  private static func media(_ urls: [String]) throws(APIError) -> [String] {
    guard urls.count <= StoredMessage.maxMedia else { throw APIError(code: 21623) }
    guard urls.allSatisfy({ AbsoluteURL($0) != nil }) else { throw APIError(code: 21620) }
    return urls
  }

  /// The time of a scheduled message, 15 minutes to 35 days ahead. Source: errors 35111, 35114 and 35118 of
  /// the provider's dictionary, https://www.twilio.com/docs/api/errors, read 2026-11-22.
  private static func schedule(
    _ form: Form, _ service: String?, at now: Timestamp
  ) throws(APIError) -> Timestamp? {
    guard let kind = form.text("ScheduleType") else { return nil }
    guard kind == "fixed" else { throw .invalidParameter("ScheduleType", expected: "fixed") }
    guard service != nil else { throw APIError(code: 35118) }
    guard let text = form.text("SendAt") else { throw APIError(code: 35111) }
    guard let time = Timestamp(rfc3339: text), time >= now + .seconds(900),
      time <= now + .seconds(35 * 86_400)
    else {
      throw APIError(code: 35114).because("SendAt: expected a time from 15 minutes to 35 days ahead; \(text)")
    }
    return time
  }

  private static let parameters = [
    "To", "From", "MessagingServiceSid", "Body", "MediaUrl", "ContentSid", "ContentVariables",
    "StatusCallback", "ApplicationSid", "MaxPrice", "ProvideFeedback", "Attempt", "ValidityPeriod",
    "ForceDelivery", "ContentRetention", "AddressRetention", "SmartEncoded", "PersistentAction",
    "TrafficType", "ShortenUrls", "ScheduleType", "SendAt", "SendAsMms", "RiskCheck", "FallbackFrom",
  ]
}
