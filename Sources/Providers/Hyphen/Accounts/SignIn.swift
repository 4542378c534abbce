import ProviderKit

/// The success of a sign-up or sign-in.
struct SignIn {
  private let session: Session
  private let transaction: Transaction?

  /// `transaction`: the change that has added the session's key to the account.
  init(_ session: Session, _ transaction: Transaction? = nil) {
    self.session = session
    self.transaction = transaction
  }

  /// The answer, with new credentials.
  func response(_ status: Status = 200, to context: RequestContext) throws -> Response {
    let credentials = try Credentials.create(for: session, in: context)
    return .json(status) { json in
      json.object("account") { session.account.write(to: &$0) }
      credentials.write(to: &json)
      transaction?.write(to: &json)
    }
  }
}
