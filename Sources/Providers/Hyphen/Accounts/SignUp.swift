import Crypto
import ProviderKit

/// `POST /auth/v1/signup`. Source: contract 5.1.
func signUp(_ context: RequestContext) throws -> Response {
  let body = try context.body
  let user = try FirebaseIdentity(body, in: context.sandbox)
  let chain = try Chain.named(in: body, of: context)
  let userKey = try UserKey("userKey", in: body)
  guard try Account.find(user, in: context.sandbox) == nil else {
    throw APIError(.accountAlreadyExists).because("\(user.email) has an account")
  }
  let account = try Account.create(user.email, on: [chain], at: context.now, in: context.sandbox)
  let key = try account.add(userKey, of: AppName(context.app), in: context.sandbox)
  try account.addServerKey(in: context.sandbox)
  if let device = key.device { try device.linkPushToken(of: context.app, in: context.sandbox) }
  let id = Hex.encode(SHA256.hash(Array("create \(account.id)".utf8)))
  return try SignIn(Session(account: account, key: key), Transaction(id: id, chain: chain))
    .response(201, to: context)
}

/// `GET /account/v1/me`
func fetchAccount(_ context: RequestContext, _ session: Session) throws -> Response {
  .json(200) { json in
    json.object("account") { session.account.write(to: &$0) }
  }
}
