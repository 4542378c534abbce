import Domain
import ProviderKit

extension Call {
  /// Refuses options that name what the account has not: a sender that is not approved, a template that nobody
  /// knows, or one without its variables. Source: contract 3.2 and 11.2.
  func refuseUnknown(_ options: OptionsForm) throws {
    if let sender = options.senderID, try !SenderID.isApproved(sender, in: sandbox) {
      throw Problem(
        .invalidSenderID, "sender_id has to be one that is approved for the account",
        param: "options.sender_id")
    }
    guard let template = options.templateID else { return }
    if template == Payment.templateID {
      guard Payment(options.variables) == nil else { return }
      throw Problem(
        .invalidTemplateVariables, "the template needs amount, currency and recipient",
        param: "options.variables")
    }
    let isKnown = try Template.find(template, in: sandbox) != nil
    guard isKnown || settings.templates == "open" && Template.isWellFormed(template) else {
      throw Problem(.invalidTemplateID, param: "options.template_id")
    }
  }
}
