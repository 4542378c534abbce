import Domain
package import HTTP
import ProviderKit

/// On whose behalf a request is made.
struct Caller: Equatable {
  /// The account's SID, as answers show it.
  let account: String
  /// Whether nobody has seeded the account: it was let in because the sandbox is open.
  let isUnknown: Bool

  /// Whether it may see what belongs to this account.
  func maySee(_ other: String) -> Bool { isUnknown || account == other }
}

extension TwilioProvider {
  /// The user name of HTTP Basic: an account's or an API key's SID.
  package static func credential(in request: Request) -> String? {
    BasicAuthentication(request.headers)?.name
  }
}

/// Proves who calls. Source: contract 1.2.
///
/// A known name needs its secret. An unknown one that looks right is let in where the sandbox is open,
/// so that an app keeps whatever is in its environment.
func authenticate(_ request: Request, in sandbox: Sandbox) throws -> Caller {
  let field = request.headers.bytes(of: "Authorization") ?? []
  if let known: Caller = sandbox.accounts.lastCaller(signedInWith: field, of: TwilioProvider.name) {
    return known
  }
  let caller = try signIn(request, to: sandbox)
  sandbox.accounts.remember(caller, signedInWith: field, of: TwilioProvider.name)
  return caller
}

private func signIn(_ request: Request, to sandbox: Sandbox) throws -> Caller {
  guard let basic = BasicAuthentication(request.headers) else {
    throw Problem.authenticate.because("no HTTP Basic credentials came with the request")
  }
  if let known = try sandbox.accounts.find(basic.name, of: TwilioProvider.name) {
    guard basic.proves(known.secret) else {
      throw Problem.authenticate.because("wrong secret for \(basic.name)")
    }
    return Caller(account: known.account, isUnknown: false)
  }
  guard SidKind.account.matches(basic.name) || SidKind.apiKey.matches(basic.name) else {
    throw Problem.invalidUsername.because("the user name is no account or API key SID: \(basic.name)")
  }
  guard sandbox.acceptsUnknownAccounts else {
    throw Problem.authenticate.because("\(basic.name) is not known in sandbox \(sandbox.name)")
  }
  let account = SidKind.account.matches(basic.name) ? basic.name : try standardAccount(of: sandbox)
  return Caller(account: account, isUnknown: true)
}

/// The account that a sandbox was provisioned with.
func standardAccount(of sandbox: Sandbox) throws -> String {
  let accounts = try sandbox.accounts.all(of: TwilioProvider.name)
  guard let first = accounts.first(where: { $0.name == $0.account }) else {
    preconditionFailure("sandbox \(sandbox.name) has no account")
  }
  return first.account
}
