import Domain

extension Prelude {
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
}

extension Prelude.Call {
  /// What a form asks for, whoever receives it. Source: contract 10, in the order of 11.3.
  func plan(_ form: Prelude.MessageForm) throws -> Prelude.NotificationPlan {
    let now = sandbox.clock.now
    let leaves = form.scheduleAt ?? now
    let expires = form.expiresAt ?? leaves + Self.day
    guard leaves >= now, leaves <= now + Self.day * 90 else {
      throw Prelude.Problem.invalid("schedule_at", expected: "a time from now to 90 days ahead")
    }
    guard expires > leaves else { throw Prelude.Problem(.expiresInPast, param: "expires_at") }
    guard expires <= leaves + Self.day else { throw Prelude.Problem(.expiresTooLate, param: "expires_at") }
    let template = try template(form.templateID)
    guard let text = template.wording(form.variables) else {
      throw Prelude.Problem(.invalidTemplateVariables, param: "variables")
    }
    try refuseUnapproved(form.sender)
    return Prelude.NotificationPlan(
      form: form, template: template, text: text, createdAt: now, leavesAt: leaves, expiresAt: expires)
  }

  /// The message to one receiver of a plan; nothing is sent yet.
  func notification(_ plan: Prelude.NotificationPlan, to text: String) throws -> Prelude.Notification {
    let receiver = try number(text, of: "to")
    let subscriber = try sandbox.subscribers[receiver]
    let outcome = try outcome(of: receiver)
    try refuse(plan.template, to: subscriber)
    try refuse(outcome)
    let isMarketing = plan.template.category == .marketing
    let line = isMarketing ? try Prelude.Subscription.line(for: subscriber.country, in: sandbox) : nil
    return Prelude.Notification(
      ordinal: sandbox.nextOrdinal(), plan: plan, to: receiver, sender: plan.form.sender ?? line,
      channel: channel(plan.form.preferredChannel, to: subscriber),
      scenario: outcome.carrierWord.flatMap(Scenario.init(requested:)))
  }

  /// A template that a seed describes or, unless a knob says otherwise, any.
  private func template(_ id: String) throws -> Prelude.Template {
    if let known = try Prelude.Template.find(id, in: sandbox) { return known }
    guard knobs.templates == "open" else {
      throw Prelude.Problem(.templateNotFound, param: "template_id")
        .because("no seed describes \(id), and the knob templates is \(knobs.templates)")
    }
    return Prelude.Template(unknown: id)
  }

  /// A sender that was submitted has to be approved; one that nobody submitted is let through.
  private func refuseUnapproved(_ sender: String?) throws {
    guard let sender, let known = try Prelude.SenderID.find(sender, in: sandbox), known.status != .approved
    else { return }
    throw Prelude.Problem(.invalidSenderID, param: "from").because("\(sender) is \(known.status.rawValue)")
  }

  /// What the vendor's table, a seed or a header says of a receiver, as far as it is no verification's.
  private func refuse(_ outcome: Prelude.Outcome) throws(Prelude.Problem) {
    switch outcome {
    case .unsupportedCountry: throw Prelude.Problem(.unsupportedCountry, param: "to")
    case .insufficientBalance: throw Prelude.Problem(.insufficientBalance)
    case .failing: throw Prelude.Problem(.internal)
    default: break
    }
  }

  private func refuse(_ template: Prelude.Template, to subscriber: Subscriber) throws {
    let number = subscriber.number
    guard template.countries.isEmpty || template.countries.contains(subscriber.country ?? "") else {
      throw Prelude.Problem(.templateNotRegistered, param: "template_id")
    }
    guard subscriber.lineType.takesTexts else {
      throw Prelude.Problem(.invalidLineType, param: "to")
        .because("the line of \(number) is \(subscriber.lineType.rawValue)")
    }
    if template.category == .marketing, try Prelude.Subscription.hasLeft(number, in: sandbox) {
      throw Prelude.Problem(.unsubscribed, param: "to")
    }
  }

  /// The channel that was asked for where the receiver has it, else a text. Source: contract 10.
  private func channel(
    _ preferred: Prelude.MessageForm.PreferredChannel?, to subscriber: Subscriber
  ) -> Channel {
    switch preferred {
    case .whatsapp where subscriber.whatsapp: .whatsapp
    case .rcs where subscriber.rcs: .rcs
    default: .sms
    }
  }

  private static let day = Duration.seconds(86_400)
}
