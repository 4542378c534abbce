import Domain
import JSON

/// The codes of a creation and the messages that carry them. Source: contract 4.2 and 16.2.
extension Prelude.Creation {
  /// The code that is settled before chance is asked; a code that the subscriber pins stands above policies.
  func code() throws -> String? {
    if let testNumber { return testNumber.attemptCode }
    if let custom = form.options.customCode { return custom }
    if let number = target.number, try call.sandbox.subscribers[number].code != nil { return nil }
    switch call.knobs.codePolicy {
    case "fixed": return String(call.knobs.fixedCode.prefix(window.codeSize))
    case "derived": return target.number.map { String($0.description.suffix(window.codeSize)) }
    default: return nil
    }
  }

  /// The message that carries a verification's code; none goes out silently.
  func message(for verification: Verification) -> MessageDraft? {
    guard verification.channel != .silent, !window.isTest else { return nil }
    let number = verification.attempts.all.count
    var draft = MessageDraft(
      provider: Prelude.name,
      reference: Prelude.identifier(.attempt, verification.ordinal, part: number, in: call.sandbox),
      channel: verification.channel, destination: verification.claim.destination,
      sender: form.options.senderID ?? "Prelude", text: text(with: verification.code),
      code: verification.code)
    draft.scenario = outcome.carrierWord.flatMap(Scenario.init(requested:))
    return draft
  }

  private func text(with code: String) -> String {
    let payment = Prelude.Payment(window.variables)
    let purpose = window.templateID == Prelude.Payment.templateID ? payment?.description : nil
    return "\(purpose.map { "\($0). " } ?? "")Your verification code is: \(code)"
  }
}

extension Prelude {
  /// What is paid, in what, and to whom, under PSD2. Source: contract 3.2 and 4.1.
  struct Payment: Equatable, CustomStringConvertible {
    /// The built-in template of payments.
    static let templateID = "prelude:psd2"

    let amount: String
    let currency: String
    let recipient: String

    /// The variables of the template; nil where one is missing.
    init?(_ variables: [JSON.Member]) {
      guard let amount = Window.text("amount", in: variables),
        let currency = Window.text("currency", in: variables),
        let recipient = Window.text("recipient", in: variables)
      else { return nil }
      self.amount = amount
      self.currency = currency
      self.recipient = recipient
    }

    /// The block `psd2` of a check.
    init(_ fields: Fields) throws {
      amount = try fields.string("amount")
      currency = try fields.string("currency")
      recipient = try fields.string("recipient")
    }

    /// As a message says it.
    var description: String { "\(amount) \(currency) to \(recipient)" }
  }
}
