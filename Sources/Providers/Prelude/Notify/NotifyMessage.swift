import ProviderKit

/// A message of Notify to one receiver. Source: contract 10.
struct NotifyMessage {
  let ordinal: Int
  let content: NotifyContent
  let to: PhoneNumber
  /// Nil: the provider's own sender.
  let sender: String?
  let channel: Channel
  /// Overrides the carrier's scenario.
  let scenario: Scenario?

  /// A message that is not sent yet. Fails for a receiver that may not get it.
  init(_ content: NotifyContent, to receiver: String, in context: RequestContext) throws {
    let sandbox = context.sandbox
    let number = try Validation.phoneNumber(receiver, param: "to", in: sandbox)
    let subscriber = try sandbox.subscribers[number]
    let scenario = try TestScenario(of: context.request, about: number, in: sandbox)
    try Self.requireAllowed(content.template, to: subscriber, in: sandbox)
    try Self.throwError(of: scenario)
    let isMarketing = content.template.category == .marketing
    let line = isMarketing ? try SubscriptionConfig.line(for: subscriber.country, in: sandbox) : nil
    ordinal = sandbox.nextOrdinal()
    self.content = content
    to = number
    sender = content.input.sender ?? line
    channel = Self.channel(content.input.preferredChannel, to: subscriber)
    self.scenario = scenario.carrierScenario
  }

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

  /// Scenarios that concern only verifications are ignored.
  private static func throwError(of scenario: TestScenario) throws(APIError) {
    switch scenario {
    case .unsupportedCountry: throw APIError(.unsupportedCountry, param: "to")
    case .insufficientBalance: throw APIError(.insufficientBalance)
    case .internalError: throw APIError(.internal)
    default: break
    }
  }

  private static func requireAllowed(
    _ template: Template, to subscriber: Subscriber, in sandbox: Sandbox
  ) throws {
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
  private static func channel(
    _ preferred: NotifyRequest.PreferredChannel?, to subscriber: Subscriber
  ) -> Channel {
    switch preferred {
    case .whatsapp where subscriber.whatsapp: .whatsapp
    case .rcs where subscriber.rcs: .rcs
    default: .sms
    }
  }
}
