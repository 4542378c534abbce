/// What a provider's client authenticates with.
package struct Credential: Equatable, Sendable {
  package let provider: String
  /// The id of an account or of a key.
  package let name: String
  package let secret: String
  /// The id of the account.
  package let account: String

  package init(provider: String, name: String, secret: String, account: String) {
    self.provider = provider
    self.name = name
    self.secret = secret
    self.account = account
  }
}
