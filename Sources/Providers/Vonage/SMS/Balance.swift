import ProviderKit

// What the account can still spend, and conversions. Source: `senders.md` 5.

func fetchBalance(_ context: RequestContext) throws -> Response {
  let left = try Balance.remaining(of: context.caller.account, context.settings, in: context.sandbox)
  return .json(200) { json in
    json.member("value", encoded: Array(left.description.utf8))
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

/// Money in 10^-8 euros.
struct Euros: Equatable, Comparable, CustomStringConvertible {
  private let units: Int

  private init(units: Int) { self.units = units }

  /// Of a text such as `0.03330000`.
  init(_ text: String) { units = Int(text.filter { $0 != "." }) ?? 0 }

  static func + (left: Euros, right: Euros) -> Euros { Euros(units: left.units + right.units) }
  static func - (left: Euros, right: Euros) -> Euros { Euros(units: left.units - right.units) }
  static func * (price: Euros, count: Int) -> Euros { Euros(units: price.units * count) }
  static func < (left: Euros, right: Euros) -> Bool { left.units < right.units }

  /// Of amounts from zero.
  var description: String {
    let (whole, rest) = max(0, units).quotientAndRemainder(dividingBy: 100_000_000)
    return "\(whole).\(String(100_000_000 + rest).dropFirst())"
  }
}

/// The account's balance: that of the settings without what was spent.
enum Balance {
  private static let spent = RecordTable(texts: "spent", of: VonageProvider.name, member: "euros")

  static func remaining(of account: String, _ settings: Settings, in sandbox: Sandbox) throws -> Euros {
    Euros(settings.balance) - Euros(try spent.find(account, in: sandbox) ?? "0")
  }

  static func remaining(_ context: LegacyContext) throws -> Euros {
    try remaining(of: context.account, context.settings, in: context.sandbox)
  }

  static func requireEnough(for parts: Int, _ context: LegacyContext) throws {
    guard try Euros(context.settings.smsPrice) * parts <= remaining(context) else {
      throw LegacyError(sms: .quota).because("the setting balance does not suffice")
    }
  }

  static func pay(for parts: Int, _ context: LegacyContext) throws {
    let before = Euros(try spent.find(context.account, in: context.sandbox) ?? "0")
    let price = Euros(context.settings.smsPrice) * parts
    try spent.save((before + price).description, as: context.account, in: context.sandbox)
  }
}
