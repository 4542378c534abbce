import Domain
package import HTTP
import ProviderKit

/// The account on whose behalf a request is made.
struct Caller: Equatable {
  /// The account's SID.
  let account: String
  /// True if the sandbox does not know the account and let it in because it is open.
  let isUnknown: Bool
  /// True for test credentials, which Verify refuses. Source: contract 15.
  var isTest = false

  func canSee(_ otherAccount: String) -> Bool { isUnknown || account == otherAccount }
}

extension TwilioProvider {
  /// The user name of HTTP Basic: an account SID or an API key SID. For a mobile app: the account that its token names.
  package static func credential(in request: Request) -> String? {
    guard let basic = BasicAuthentication(request.headers) else { return nil }
    guard basic.name == MobilePassword.userName else { return basic.name }
    return MobilePassword.unverifiedAccount(of: basic.password)
  }
}

/// Checks the credentials of a request. Source: contract 1.2.
///
/// Clients send the same header with every request, so the last successful one is remembered.
func authenticate(_ request: Request, in sandbox: Sandbox) throws -> Caller {
  let header = request.headers.bytes(of: "Authorization") ?? []
  if let caller: Caller = sandbox.accounts.lastCaller(signedInWith: header, of: TwilioProvider.name) {
    return caller
  }
  let caller = try checkCredentials(of: request, in: sandbox)
  sandbox.accounts.remember(caller, signedInWith: header, of: TwilioProvider.name)
  return caller
}

/// A known name needs its secret. An open sandbox also accepts unknown SIDs of the right form, with any secret.
private func checkCredentials(of request: Request, in sandbox: Sandbox) throws -> Caller {
  guard let basic = BasicAuthentication(request.headers) else {
    throw APIError.unauthenticated.because("no HTTP Basic credentials")
  }
  if let known = try sandbox.accounts.find(basic.name, of: TwilioProvider.name) {
    guard basic.hasPassword(known.secret) else {
      throw APIError.unauthenticated.because("wrong secret for \(basic.name)")
    }
    guard known.account != testAccount else {
      return Caller(account: known.name, isUnknown: false, isTest: true)
    }
    return Caller(account: known.account, isUnknown: false)
  }
  let isAccount = SidKind.account.matches(basic.name)
  guard isAccount || SidKind.apiKey.matches(basic.name) else {
    throw APIError.invalidUsername.because("not an account SID or API key SID: \(basic.name)")
  }
  guard sandbox.acceptsUnknownAccounts else {
    throw APIError.unauthenticated.because("unknown in sandbox \(sandbox.name): \(basic.name)")
  }
  return Caller(account: isAccount ? basic.name : try defaultAccount(of: sandbox), isUnknown: true)
}

/// What test credentials are registered with in place of an account.
let testAccount = ""

/// The SID of the account that every sandbox has.
func defaultAccount(of sandbox: Sandbox) throws -> String {
  let accounts = try sandbox.accounts.all(of: TwilioProvider.name)
  guard let first = accounts.first(where: { $0.name == $0.account }) else {
    throw DamagedState(expected: "an account in each sandbox")
  }
  return first.account
}
