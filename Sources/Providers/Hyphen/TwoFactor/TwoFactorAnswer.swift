import Crypto
import Domain
import HTTP
import JSON
import ProviderKit

// The destination device: it approves or denies. Source: contract 5.2 and 6.

/// `GET /device/v1/2fa/:id`
func fetchTwoFactorAuth(_ context: RequestContext, _ caller: Caller) throws -> Response {
  context.response(try context.twoFactorAuth(context.request[parameter: "id"], for: caller))
}

/// `POST /device/v1/2fa/:id/approve`
func approveTwoFactorAuth(_ context: RequestContext, _ caller: Caller) throws -> Response {
  let (request, session) = try context.twoFactorAuth(ofDestination: caller)
  let transaction = try context.transaction(of: request)
  try request.requirePending(at: context.now)
  try request.answer(.approved, transaction: transaction, in: context.sandbox)
  try session.noteUse(in: context)
  return context.noContent
}

/// `DELETE /device/v1/2fa/:id`. To deny twice is no error.
func denyTwoFactorAuth(_ context: RequestContext, _ caller: Caller) throws -> Response {
  let (request, _) = try context.twoFactorAuth(ofDestination: caller)
  if request.state(at: context.now) == .denied { return context.noContent }
  try request.requirePending(at: context.now)
  try request.answer(.denied, in: context.sandbox)
  return context.noContent
}

extension RequestContext {
  /// The request for approval of the path, if its destination calls.
  fileprivate func twoFactorAuth(ofDestination caller: Caller) throws -> (TwoFactorAuth, Session) {
    let id = request[parameter: "id"]
    let found = try twoFactorAuth(id, for: caller)
    guard case .device(let session) = caller,
      session.key.publicKey.lowercased() == found.destination.publicKey.lowercased()
    else { throw APIError(.notDestinationDevice).because("\(id) is for \(found.destination.name)") }
    return (found, session)
  }

  /// `txId`. In the profile lenient also the older `signature`, from which the sandbox makes an id. Source:
  /// contract 5.2.
  fileprivate func transaction(of request: TwoFactorAuth) throws -> String {
    let fields = try body
    if settings.profile == .lenient, !fields.has("txId"), fields.has("signature") {
      let signature = try fields.value("signature", .hex(128))
      return Hex.encode(SHA256.hash(Array("\(request.id) \(signature)".utf8)))
    }
    return try fields.value("txId", .hex(64))
  }
}

extension Session {
  /// A device that approves has signed with its key.
  fileprivate func noteUse(in context: RequestContext) throws {
    var used = key
    used.lastUsedAt = context.now
    try used.save(in: context.sandbox)
  }
}

extension TwoFactorAuth {
  /// Records an answer to a pending request, tells the source device, and closes the question on the handset.
  /// An approval adds the new key to the account. Source: contract 6.
  fileprivate func answer(
    _ decision: Decision, transaction: String? = nil, in sandbox: Sandbox
  ) throws {
    var answered = self
    answered.decision = decision
    answered.transaction = transaction
    if decision == .approved, let account = try Account.find(account, in: sandbox) {
      let key = try account.add(sourceKey, of: app, in: sandbox)
      answered.sourceKey.device = key.device ?? sourceKey.device
    }
    try answered.save(in: sandbox)
    try answered.announce(in: sandbox)
    if let question = try sandbox.challenges.latest(about: id, provider: HyphenProvider.name) {
      _ = try sandbox.challenges.answer(decision == .approved ? .approve : .deny, to: question)
    }
  }
}
