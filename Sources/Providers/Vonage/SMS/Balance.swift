import ProviderKit

// What the account can still spend, and conversions. Source: `senders.md` 5.

func fetchBalance(_ context: RequestContext) throws -> Response {
  let balance = try Balance(of: context.caller.account, context.settings, in: context.sandbox)
  return .json(200) { json in
    json.member("value", encoded: Array(balance.remaining.description.utf8))
    json.member("autoReload", false)
  }
}

/// Only accounts that may report conversions get another answer than a page.
func reportConversion(_ context: RequestContext) throws -> Response {
  let fields = try LegacyFields(context.request)
  for name in ["message-id", "delivered", "timestamp"] { _ = try fields[name] }
  guard context.settings.conversions == .refuse else { return Response(200) }
  let page = "<html><head><title>Error 402</title></head><body><h1>402 Payment Required</h1></body></html>\n"
  var response = Response(402, headers: ["Content-Type": "text/html"], body: Array(page.utf8))
  response.why = "the setting conversions is refuse"
  return response
}

/// The account's balance: that of the settings without what was spent.
struct Balance {
  private static let table = RecordTable(texts: "spent", of: VonageProvider.name, member: "euros")

  private let account: String
  private let price: Euros
  private let spent: Euros
  let remaining: Euros

  init(of account: String, _ settings: Settings, in sandbox: Sandbox) throws {
    self.account = account
    price = Euros(settings.smsPrice)
    spent = Euros(try Self.table.find(account, in: sandbox) ?? "0")
    remaining = Euros(settings.balance) - spent
  }

  /// True if it suffices for so many parts.
  func covers(_ parts: Int) -> Bool { price * parts <= remaining }

  func pay(_ parts: Int, in sandbox: Sandbox) throws {
    try Self.table.save((spent + price * parts).description, as: account, in: sandbox)
  }
}
