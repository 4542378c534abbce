import ProviderKit

/// The account that a path of the older API names.
enum AccountSID {
  /// Fails with 20404 for another account than the caller's.
  static func named(by context: RequestContext) throws(APIError) -> String {
    let sid = context.request[parameter: "account"]
    guard context.caller.canSee(sid), SidKind.account.matches(sid) else {
      throw APIError.notFound(context.request.target.path)
        .because("\(context.caller.account) does not see account \(sid)")
    }
    return sid
  }
}
