import ProviderKit

/// The messages of an account, counted over 24 hours where the setting `sendsPerDay` limits them.
struct DailySends {
  private let limit: Int?
  private let account: String
  private let sandbox: Sandbox

  init(of context: RequestContext) {
    limit = context.settings.restrictions.sendsPerDay
    account = context.caller.account
    sandbox = context.sandbox
  }

  /// Fails with 60245 if the account can send no more.
  func check() throws {
    guard let limit,
      try limit == 0 || HitCount.end(of: Self.key, in: group, max: limit, sandbox) != nil
    else { return }
    throw APIError(code: 60245).because("the setting sendsPerDay is \(limit)")
  }

  func add() throws {
    guard limit != nil else { return }
    try HitCount.add(Self.key, in: group, interval: 86_400, sandbox)
  }

  private static let key = "day"
  private var group: String { "sends of \(account)" }
}
