import Crypto
import ProviderKit

// The destination device: it approves or denies. Source: contract 5.2 and 6.

/// `GET /device/v1/2fa/:id`
func fetchTwoFactorAuth(_ context: RequestContext, _ caller: Caller) throws -> Response {
  try TwoFactorAuth.find(
    context.request[parameter: "id"], for: caller, of: context.app, in: context.sandbox
  ).response(to: context)
}

/// `POST /device/v1/2fa/:id/approve`
func approveTwoFactorAuth(_ context: RequestContext, _ caller: Caller) throws -> Response {
  let (request, session) = try findRequest(ofDestination: caller, in: context)
  let transaction = try transaction(of: request, context)
  try request.requirePending(at: context.now)
  try request.answer(.approved, transaction: transaction, in: context.sandbox)
  // A device that approves has signed with its key.
  var key = session.key
  key.lastUsedAt = context.now
  try key.save(in: context.sandbox)
  return noContent(context)
}

/// `DELETE /device/v1/2fa/:id`. To deny twice is no error.
func denyTwoFactorAuth(_ context: RequestContext, _ caller: Caller) throws -> Response {
  let (request, _) = try findRequest(ofDestination: caller, in: context)
  if request.state(at: context.now) == .denied { return noContent(context) }
  try request.requirePending(at: context.now)
  try request.answer(.denied, in: context.sandbox)
  return noContent(context)
}

/// The request for approval of the path, if its destination calls.
private func findRequest(
  ofDestination caller: Caller, in context: RequestContext
) throws -> (TwoFactorAuth, Session) {
  let id = context.request[parameter: "id"]
  let found = try TwoFactorAuth.find(id, for: caller, of: context.app, in: context.sandbox)
  guard case .device(let session) = caller,
    session.key.publicKey.lowercased() == found.destination.publicKey.lowercased()
  else { throw APIError(.notDestinationDevice).because("\(id) is for \(found.destination.name)") }
  return (found, session)
}

/// `txId`. In the profile lenient also the older `signature`, from which the sandbox makes an id. Source:
/// contract 5.2.
private func transaction(of request: TwoFactorAuth, _ context: RequestContext) throws -> String {
  let fields = try context.body
  if context.settings.profile == .lenient, !fields.has("txId"), fields.has("signature") {
    let signature = try fields.value("signature", .hex(128))
    return Hex.encode(SHA256.hash(Array("\(request.id) \(signature)".utf8)))
  }
  return try fields.value("txId", .hex(64))
}

/// A success without content. The SDK for iOS parses JSON from every answer. Source: contract 5.2.
private func noContent(_ context: RequestContext) -> Response {
  context.platform == "iOS" ? .json(200) { _ in } : Response(204)
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
