import ProviderKit

// The keys of the signed-in account. Source: contract 5.3.

/// `GET /key/v1/keys?include_revoked=false`
func listKeys(_ context: RequestContext, _ session: Session) throws -> Response {
  let text = try context.request.query["include_revoked"] ?? "false"
  guard let includesRevoked = Bool(text) else {
    throw APIError.invalid("include_revoked", expected: "true or false")
  }
  return try keysResponse(context, session.account, includesRevoked: includesRevoked)
}

/// `POST /key/v1/recovery`
func addRecoveryKey(_ context: RequestContext, _ session: Session) throws -> Response {
  let fields = try context.body.object("recoveryKey")
  var key = Key()
  key.kind = .recovery
  key.publicKey = try fields.value("publicKey", .publicKey)
  key.cloudAccount = try fields.object("cloudKey").value("accountName", .string(1...255))
  key.name = key.cloudAccount ?? ""
  key.app = AppName(context.app)
  guard try Key.find(key.publicKey, of: session.account.id, in: context.sandbox) == nil else {
    throw APIError.invalid("recoveryKey.publicKey", expected: "a key that the account does not have yet")
  }
  try session.account.add(key, in: context.sandbox)
  return try keysResponse(context, session.account)
}

/// `DELETE /key/v1/keys/{publicKey}`. Its tokens are not valid any more.
func revokeKey(_ context: RequestContext, _ session: Session) throws -> Response {
  let publicKey = context.request[parameter: "publicKey"]
  guard var key = try Key.find(publicKey, of: session.account.id, in: context.sandbox) else {
    throw APIError(.keyNotFound).because("no key of \(session.account.email) has this public key")
  }
  guard key.kind != .server else {
    throw APIError.invalid("publicKey", expected: "a key of the user, not the server's")
  }
  key.isRevoked = true
  try key.save(in: context.sandbox)
  return .json(200) { _ in }
}

private func keysResponse(
  _ context: RequestContext, _ account: Account, includesRevoked: Bool = false
) throws -> Response {
  let keys = try Key.all(of: account.id, in: context.sandbox).filter { includesRevoked || !$0.isRevoked }
  return .json(200) { json in
    json.array("keys", keys) { json, key in json.value { key.write(to: &$0) } }
  }
}
