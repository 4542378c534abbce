import ProviderKit

// What a verification has come to, by id, by number and method, and by reference. Source: contract 5.

func getByID(_ context: RequestContext) throws -> Response {
  try requireBackEnd(context)
  return try statusAnswer(
    StoredVerification.find(
      context.request[parameter: "id"], of: context.application, in: context.sandbox), context)
}

func getByNumber(_ context: RequestContext) throws -> Response {
  try requireBackEnd(context)
  let word = context.request[parameter: "method"]
  let known = VerificationMethod(requested: word) ?? VerificationMethod(requested: word.lowercased())
  guard let method = known else {
    throw APIError(.notFound).because("unknown method \(word)")
  }
  return try statusAnswer(StoredVerification.newest(method, context), context)
}

func getByReference(_ context: RequestContext) throws -> Response {
  try requireBackEnd(context)
  let reference = context.request[parameter: "reference"]
  let references = References(application: context.application, sandbox: context.sandbox)
  guard let found = try references.find(reference) else {
    throw APIError(.notFound).because("the application has no reference \(reference)")
  }
  return try statusAnswer(found, context)
}

/// Only back ends may ask. Source: contract 1.
private func requireBackEnd(_ context: RequestContext) throws {
  guard context.level > .public else {
    throw APIError(.authorizationRequired).because("a status needs basic or signed authorization")
  }
}

private func statusAnswer(_ stored: StoredVerification, _ context: RequestContext) throws -> Response {
  let (verification, details, sandbox) = (stored.verification, stored.details, context.sandbox)
  let call = try stored.call(in: sandbox)
  let isPaid = stored.hasPrice(context.settings, at: sandbox.clock.now)
  return .json(200) { json in
    json.member("id", stored.id(in: sandbox))
    json.member("method", details.method.rawValue)
    json.member("status", stored.status.rawValue)
    if let reason = details.reason { json.member("reason", reason.rawValue) }
    if let reference = details.reference { json.member("reference", reference) }
    stored.writeIdentity(to: &json)
    if let country = PhoneNumber(verification.claim.destination)?.country {
      json.member("countryId", country)
    }
    json.member("verificationTimestamp", String(verification.createdAt.iso8601Milliseconds.dropLast()))
    if isPaid {
      json.object("price") { json in
        details.method.writePrice("verificationPrice", to: &json)
        guard let call, call.isComplete else { return }
        details.method.writePrice("terminationPrice", times: 0.5, to: &json)
        json.member("billableDuration", call.duration)
      }
    }
    if stored.status == .successful, let source = details.source { json.member("source", source) }
    if let call {
      json.member("callComplete", call.isComplete)
      if let result = call.result { json.member("callResult", result) }
    }
  }
}

extension StoredVerification {
  /// Nothing is paid for before the end, or if nothing was sent.
  fileprivate func hasPrice(_ settings: Settings, at now: Timestamp) -> Bool {
    switch status {
    case .pending, .denied: false
    case .successful, .fail, .aborted, .error:
      verification.updatedAt + .seconds(settings.priceDelay) <= now
    }
  }
}
