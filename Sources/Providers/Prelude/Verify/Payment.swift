import JSON
import ProviderKit

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

  /// Writes the block.
  func write(to json: inout JSONWriter) {
    json.member("amount", amount)
    json.member("currency", currency)
    json.member("recipient", recipient)
  }

  /// As a message says it.
  var description: String { "\(amount) \(currency) to \(recipient)" }
}
