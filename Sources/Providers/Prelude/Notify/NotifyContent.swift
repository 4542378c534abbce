import ProviderKit

/// What all receivers of a request get. Source: contract 10.
struct NotifyContent {
  let input: NotifyRequest
  let template: Template
  let text: String
  let createdAt: Timestamp
  let sendsAt: Timestamp
  let expiresAt: Timestamp

  private static let day = Duration.seconds(86_400)

  /// Validates a request without its receivers. Source: contract 10, in the order of 11.3.
  init(_ input: NotifyRequest, in context: RequestContext) throws {
    self.input = input
    createdAt = context.sandbox.clock.now
    sendsAt = input.scheduleAt ?? createdAt
    expiresAt = input.expiresAt ?? sendsAt + Self.day
    guard sendsAt >= createdAt, sendsAt <= createdAt + Self.day * 90 else {
      throw APIError.invalid("schedule_at", expected: "a time from now to 90 days ahead")
    }
    guard expiresAt > sendsAt else { throw APIError(.expiresInPast, param: "expires_at") }
    guard expiresAt <= sendsAt + Self.day else { throw APIError(.expiresTooLate, param: "expires_at") }
    template = try Self.template(input.templateID, in: context)
    guard let text = template.text(with: input.variables) else {
      throw APIError(.invalidTemplateVariables, param: "variables")
    }
    self.text = text
    try Self.rejectUnapprovedSender(input.sender, in: context.sandbox)
  }

  /// A template of a seed or, unless the setting `templates` says otherwise, any.
  private static func template(_ id: String, in context: RequestContext) throws -> Template {
    if let known = try Template.find(id, in: context.sandbox) { return known }
    let setting = context.settings.templates
    guard setting == .open else {
      throw APIError(.templateNotFound, param: "template_id")
        .because("no seed has the template \(id), and the setting templates is \(setting.rawValue)")
    }
    return Template(id: id)
  }

  /// A sender that was never submitted is allowed.
  private static func rejectUnapprovedSender(_ sender: String?, in sandbox: Sandbox) throws {
    guard let sender, let known = try SenderID.find(sender, in: sandbox), known.status != .approved
    else { return }
    throw APIError(.invalidSenderID, param: "from").because("\(sender) is \(known.status.rawValue)")
  }
}
