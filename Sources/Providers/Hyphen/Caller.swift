import ProviderKit

/// Who calls. Source: contract 1.
enum Caller {
  case device(Session)
  /// A device that signs in by the request for approval with this id.
  case source(TwoFactorAuth.Reference)
  /// A request without a token.
  case nobody

  /// Fails with 401 for a token that is not valid.
  init(of context: RequestContext) throws {
    let text: String
    switch BearerToken(context.request.headers) {
    case .absent:
      self = .nobody
      return
    case .malformed: throw APIError(.invalidToken).because("Authorization: expected Bearer and one token")
    case .token(let token): text = token
    }
    let token = try Token(text, for: context.app, in: context.sandbox)
    switch token.kind {
    case .refresh: throw APIError(.invalidToken).because("a refresh token; expected an access token")
    case .ephemeral: self = .source(.init(id: token.subject, account: token.account))
    case .access: self = .device(try Session(of: token, in: context.sandbox))
    }
  }
}

/// A signed-in device: its account, and the key that signed in.
struct Session {
  let account: Account
  var key: Key
}

extension Session {
  /// The device of an access or refresh token; fails with 401 if its key was revoked.
  init(of token: Token, in sandbox: Sandbox) throws {
    guard let account = try Account.find(token.account, in: sandbox),
      let key = try Key.find(token.subject, of: account.id, in: sandbox)
    else { throw APIError(.invalidToken).because("the token's key was revoked, or its account is gone") }
    self.init(account: account, key: key)
  }
}
