import Domain
import JSON
import ProviderKit

/// What all receivers of a request get. Source: contract 10.
struct NotifyContent {
  let input: NotifyRequest
  let template: Template
  let text: String
  let createdAt: Timestamp
  let sendsAt: Timestamp
  let expiresAt: Timestamp
}

/// A message of Notify to one receiver. Source: contract 10.
struct NotifyMessage {
  let ordinal: Int
  let content: NotifyContent
  let to: PhoneNumber
  /// Nil: the vendor's own sender.
  let sender: String?
  let channel: Channel
  /// Overrides the carrier's scenario.
  let scenario: Scenario?

  func send(in sandbox: Sandbox) throws {
    var outgoing = OutgoingMessage(
      ordinal: ordinal, to: to, channel: channel, sender: sender, text: content.text, at: content.createdAt)
    outgoing.category = content.template.category
    outgoing.templateID = content.template.id
    outgoing.variables = content.input.variables
    outgoing.callbackURL = content.input.callbackURL
    outgoing.correlationID = content.input.correlationID
    outgoing.sendsAt = content.sendsAt
    outgoing.expiresAt = content.expiresAt
    outgoing.scenario = scenario
    try outgoing.send(in: sandbox)
  }
}

extension RequestContext {
  /// Validates a request without its receivers. Source: contract 10, in the order of 11.3.
  func content(of input: NotifyRequest) throws -> NotifyContent {
    let now = sandbox.clock.now
    let sendsAt = input.scheduleAt ?? now
    let expiresAt = input.expiresAt ?? sendsAt + Self.day
    guard sendsAt >= now, sendsAt <= now + Self.day * 90 else {
      throw APIError.invalid("schedule_at", expected: "a time from now to 90 days ahead")
    }
    guard expiresAt > sendsAt else { throw APIError(.expiresInPast, param: "expires_at") }
    guard expiresAt <= sendsAt + Self.day else { throw APIError(.expiresTooLate, param: "expires_at") }
    let template = try requireTemplate(input.templateID)
    guard let text = template.text(with: input.variables) else {
      throw APIError(.invalidTemplateVariables, param: "variables")
    }
    try rejectUnapprovedSender(input.sender)
    return NotifyContent(
      input: input, template: template, text: text, createdAt: now, sendsAt: sendsAt, expiresAt: expiresAt)
  }

  /// The message to one receiver, not sent yet.
  func message(_ content: NotifyContent, to receiver: String) throws -> NotifyMessage {
    let number = try requirePhoneNumber(receiver, param: "to")
    let subscriber = try sandbox.subscribers[number]
    let scenario = try scenario(for: number)
    try requireAllowed(content.template, to: subscriber)
    try throwError(of: scenario)
    let isMarketing = content.template.category == .marketing
    let line = isMarketing ? try SubscriptionConfig.line(for: subscriber.country, in: sandbox) : nil
    return NotifyMessage(
      ordinal: sandbox.nextOrdinal(), content: content, to: number, sender: content.input.sender ?? line,
      channel: channel(content.input.preferredChannel, to: subscriber), scenario: scenario.carrierScenario)
  }

  /// A template of a seed or, unless the setting `templates` says otherwise, any.
  private func requireTemplate(_ id: String) throws -> Template {
    if let known = try Template.find(id, in: sandbox) { return known }
    guard settings.templates == .open else {
      throw APIError(.templateNotFound, param: "template_id")
        .because(
          "no seed has the template \(id), and the setting templates is \(settings.templates.rawValue)")
    }
    return Template(id: id)
  }

  /// A sender that was never submitted is allowed.
  private func rejectUnapprovedSender(_ sender: String?) throws {
    guard let sender, let known = try SenderID.find(sender, in: sandbox), known.status != .approved
    else { return }
    throw APIError(.invalidSenderID, param: "from").because("\(sender) is \(known.status.rawValue)")
  }

  /// Scenarios that concern only verifications are ignored.
  private func throwError(of scenario: TestScenario) throws(APIError) {
    switch scenario {
    case .unsupportedCountry: throw APIError(.unsupportedCountry, param: "to")
    case .insufficientBalance: throw APIError(.insufficientBalance)
    case .internalError: throw APIError(.internal)
    default: break
    }
  }

  private func requireAllowed(_ template: Template, to subscriber: Subscriber) throws {
    let number = subscriber.number
    guard template.countries.isEmpty || template.countries.contains(subscriber.country ?? "") else {
      throw APIError(.templateNotRegistered, param: "template_id")
    }
    guard subscriber.lineType.takesTexts else {
      throw APIError(.invalidLineType, param: "to")
        .because("the line of \(number) is \(subscriber.lineType.rawValue)")
    }
    if template.category == .marketing, try SubscriptionConfig.isUnsubscribed(number, in: sandbox) {
      throw APIError(.unsubscribed, param: "to")
    }
  }

  /// SMS if the receiver does not have the preferred channel. Source: contract 10.
  private func channel(
    _ preferred: NotifyRequest.PreferredChannel?, to subscriber: Subscriber
  ) -> Channel {
    switch preferred {
    case .whatsapp where subscriber.whatsapp: .whatsapp
    case .rcs where subscriber.rcs: .rcs
    default: .sms
    }
  }

  private static let day = Duration.seconds(86_400)
}

/// A message that Notify hands to the carrier: a notification, a reply, or the answer to a keyword.
/// Source: contract 10 and 12.3.
struct OutgoingMessage {
  let ordinal: Int
  let to: PhoneNumber
  let channel: Channel
  /// Nil: the vendor's own sender.
  let sender: String?
  let text: String
  let createdAt: Timestamp
  var category = Template.Category.transactional
  /// Nil for messages without a template.
  var templateID: String?
  var variables = Texts()
  /// Where events go; nil: nowhere.
  var callbackURL: String?
  var correlationID: String?
  var sendsAt: Timestamp
  /// The message is not delivered after this time.
  var expiresAt: Timestamp
  /// Overrides the carrier's scenario.
  var scenario: Scenario?

  /// A message that is sent at once, expires after a day, and has no callback.
  init(ordinal: Int, to: PhoneNumber, channel: Channel, sender: String?, text: String, at now: Timestamp) {
    self.ordinal = ordinal
    self.to = to
    self.channel = channel
    self.sender = sender
    self.text = text
    createdAt = now
    sendsAt = now
    expiresAt = now + .seconds(86_400)
  }

  /// Hands the message to the carrier, and enqueues its events.
  func send(in sandbox: Sandbox) throws {
    var draft = MessageDraft(
      provider: PreludeProvider.name, reference: identifier(.message, ordinal, at: createdAt, in: sandbox),
      channel: channel, destination: to.description, sender: sender ?? "PRELUDE", text: text, code: nil)
    draft.scenario = scenario
    let message = try sandbox.messages.submit(
      draft, to: sandbox.subscribers[to], at: sendsAt, expiring: expiresAt)
    guard let callbackURL else { return }
    for event in messageEvents(of: self, sentAs: message, in: sandbox) {
      try event.enqueue(about: ordinal, to: callbackURL, in: sandbox)
    }
  }
}
