import ProviderKit

extension TwilioProvider {
  static var accountRoutes: [Route<Sandbox>] {
    [
      .post("/v2/SafeList/Numbers", as: "createSafelist", authenticated(createSafelist)),
      .get("/v2/SafeList/Numbers/{number}", as: "fetchSafelist", authenticated(fetchSafelist)),
      .delete("/v2/SafeList/Numbers/{number}", as: "deleteSafelist", authenticated(deleteSafelist)),
      .get("/v2/Forms/{form}", as: "fetchForm", authenticated(fetchForm)),

      .get(
        "/2010-04-01/Accounts/{account}.json", as: "fetchAccount",
        signedIn(fetchAccount, allowsInactive: true)),
      .get("/2010-04-01/Accounts/{account}/Balance.json", as: "fetchBalance", authenticated(fetchBalance)),
      .notEmulated(.post, "/2010-04-01/Accounts/{account}.json", as: "updateAccount"),
      .notEmulated(.get, "/2010-04-01/Accounts.json", as: "listAccounts"),
      .notEmulated(.post, "/2010-04-01/Accounts.json", as: "createAccount"),
    ]
  }
}
