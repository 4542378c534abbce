import Domain
import ProviderKit

/// A message as it goes to every receiver of a form. Source: contract 10.
struct NotificationPlan {
  /// What was asked for.
  let form: MessageForm
  /// What it is worded by.
  let template: Template
  /// Its words.
  let text: String
  /// When it was asked for.
  let createdAt: Timestamp
  /// When it leaves.
  let leavesAt: Timestamp
  /// When it is worth nothing any more.
  let expiresAt: Timestamp
}

extension Call {
  /// What a form asks for, whoever receives it. Source: contract 10, in the order of 11.3.
  func plan(_ form: MessageForm) throws -> NotificationPlan {
    let now = sandbox.clock.now
    let leaves = form.scheduleAt ?? now
    let expires = form.expiresAt ?? leaves + Self.day
    guard leaves >= now, leaves <= now + Self.day * 90 else {
      throw Problem.invalid("schedule_at", expected: "a time from now to 90 days ahead")
    }
    guard expires > leaves else { throw Problem(.expiresInPast, param: "expires_at") }
    guard expires <= leaves + Self.day else { throw Problem(.expiresTooLate, param: "expires_at") }
    let template = try template(form.templateID)
    guard let text = template.wording(form.variables) else {
      throw Problem(.invalidTemplateVariables, param: "variables")
    }
    try refuseUnapproved(form.sender)
    return NotificationPlan(
      form: form, template: template, text: text, createdAt: now, leavesAt: leaves, expiresAt: expires)
  }

  /// The message to one receiver of a plan; nothing is sent yet.
  func notification(_ plan: NotificationPlan, to text: String) throws -> Notification {
    let receiver = try number(text, of: "to")
    let subscriber = try sandbox.subscribers[receiver]
    let outcome = try outcome(of: receiver)
    try refuse(plan.template, to: subscriber)
    try refuse(outcome)
    let isMarketing = plan.template.category == .marketing
    let line = isMarketing ? try Subscription.line(for: subscriber.country, in: sandbox) : nil
    return Notification(
      ordinal: sandbox.nextOrdinal(), plan: plan, to: receiver, sender: plan.form.sender ?? line,
      channel: channel(plan.form.preferredChannel, to: subscriber),
      scenario: outcome.carrierWord.flatMap(Scenario.init(requested:)))
  }

  /// A template that a seed describes or, unless a setting says otherwise, any.
  private func template(_ id: String) throws -> Template {
    if let known = try Template.find(id, in: sandbox) { return known }
    guard settings.templates == "open" else {
      throw Problem(.templateNotFound, param: "template_id")
        .because("no seed describes \(id), and the setting templates is \(settings.templates)")
    }
    return Template(unknown: id)
  }

  /// A sender that was submitted has to be approved; one that nobody submitted is let through.
  private func refuseUnapproved(_ sender: String?) throws {
    guard let sender, let known = try SenderID.find(sender, in: sandbox), known.status != .approved
    else { return }
    throw Problem(.invalidSenderID, param: "from").because("\(sender) is \(known.status.rawValue)")
  }

  /// What the vendor's table, a seed or a header says of a receiver, as far as it is no verification's.
  private func refuse(_ outcome: Outcome) throws(Problem) {
    switch outcome {
    case .unsupportedCountry: throw Problem(.unsupportedCountry, param: "to")
    case .insufficientBalance: throw Problem(.insufficientBalance)
    case .failing: throw Problem(.internal)
    default: break
    }
  }

  private func refuse(_ template: Template, to subscriber: Subscriber) throws {
    let number = subscriber.number
    guard template.countries.isEmpty || template.countries.contains(subscriber.country ?? "") else {
      throw Problem(.templateNotRegistered, param: "template_id")
    }
    guard subscriber.lineType.takesTexts else {
      throw Problem(.invalidLineType, param: "to")
        .because("the line of \(number) is \(subscriber.lineType.rawValue)")
    }
    if template.category == .marketing, try Subscription.hasLeft(number, in: sandbox) {
      throw Problem(.unsubscribed, param: "to")
    }
  }

  /// The channel that was asked for where the receiver has it, else a text. Source: contract 10.
  private func channel(
    _ preferred: MessageForm.PreferredChannel?, to subscriber: Subscriber
  ) -> Channel {
    switch preferred {
    case .whatsapp where subscriber.whatsapp: .whatsapp
    case .rcs where subscriber.rcs: .rcs
    default: .sms
    }
  }

  private static let day = Duration.seconds(86_400)
}
