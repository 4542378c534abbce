package import ProviderKit

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
  /// The user name of HTTP Basic: an account SID or an API key SID. For a mobile app: the account that its
  /// token names. For OAuth: the client of a token, or that asks for one.
  package static func credential(in request: Request) -> String? {
    if request.target.path == OAuthToken.path, let client = try? request.form["client_id"] { return client }
    guard let basic = BasicAuthentication(request.headers) else {
      return OAuthToken.unverifiedClient(of: request)
    }
    guard basic.name == MobilePassword.userName else { return basic.name }
    return MobilePassword.unverifiedAccount(of: basic.password)
  }
}

/// What test credentials are registered with in place of an account.
let testAccount = ""

enum Authentication {
  /// Checks the credentials of a request. Source: contract 1.2.
  ///
  /// Clients send the same header with every request, so the last successful one is remembered.
  static func caller(of request: Request, in sandbox: Sandbox) throws -> Caller {
    let header = request.headers.bytes(of: "Authorization") ?? []
    if let caller: Caller = sandbox.accounts.lastCaller(signedInWith: header, of: TwilioProvider.name) {
      return caller
    }
    guard let basic = BasicAuthentication(request.headers) else {
      // Not remembered, because tokens expire.
      return try OAuthToken(of: request, in: sandbox).caller(in: sandbox)
    }
    let caller = try caller(of: basic, in: sandbox)
    sandbox.accounts.remember(caller, signedInWith: header, of: TwilioProvider.name)
    return caller
  }

  /// A known name needs its secret. An open sandbox also accepts unknown SIDs of the right form, with any
  /// secret.
  private static func caller(of basic: BasicAuthentication, in sandbox: Sandbox) throws -> Caller {
    let isAccount = SidKind.account.matches(basic.name)
    guard isAccount || SidKind.apiKey.matches(basic.name) else {
      throw APIError.invalidUsername.because("not an account SID or API key SID: \(basic.name)")
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
    guard sandbox.acceptsUnknownAccounts else {
      throw APIError.unauthenticated.because(
        "unknown account or key in sandbox \(sandbox.name): \(basic.name)")
    }
    return Caller(account: isAccount ? basic.name : try defaultAccount(of: sandbox), isUnknown: true)
  }

  /// The SID of the account that every sandbox has.
  static func defaultAccount(of sandbox: Sandbox) throws -> String {
    let accounts = try sandbox.accounts.all(of: TwilioProvider.name)
    guard let first = accounts.first(where: { $0.name == $0.account }) else {
      throw DamagedState(expected: "an account in each sandbox")
    }
    return first.account
  }
}
