import ProviderKit

/// The account of the credentials. Source: contract 16.3.
func fetchAccount(_ context: RequestContext) throws -> Response {
  let account = try AccountSID.named(by: context)
  let known = try context.sandbox.accounts.find(account, of: TwilioProvider.name)
  let path = "/2010-04-01/Accounts/\(account)"
  let date = context.sandbox.startedAt.rfc2822
  return .json(200) { json in
    json.member("auth_token", known?.secret)
    json.member("date_created", date)
    json.member("date_updated", date)
    json.member("friendly_name", "Sandbox account")
    json.member("owner_account_sid", account)
    json.member("sid", account)
    json.member("status", context.settings.restrictions.accountStatus.rawValue)
    json.object("subresource_uris") { $0.member("messages", "\(path)/Messages.json") }
    json.member("type", context.settings.restrictions.accountType == .full ? "Full" : "Trial")
    json.member("uri", "\(path).json")
  }
}

/// What is left of the account's money, which nothing here uses up. Source: `senders.md` 4
func fetchBalance(_ context: RequestContext) throws -> Response {
  let account = try AccountSID.named(by: context)
  return .json(200) { json in
    json.member("account_sid", account)
    json.member("balance", "0.05")
    json.member("currency", "USD")
  }
}
