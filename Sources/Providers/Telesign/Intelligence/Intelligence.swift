import Domain
import HTTP
import JSON
import ProviderKit

// Score and Intelligence: the risk of a number or an email address. Source: contract 11.

/// `POST /v1/score/{phone_number}`
func scoreNumber(_ context: RequestContext) throws -> Response {
  try assess(context.request[parameter: "phone_number"], RequestBody(context.request), context)
}

/// `POST /intelligence/phone`, and the older `POST /intelligence`
func assessPhone(_ context: RequestContext) throws -> Response {
  let body = try RequestBody(context.request)
  guard let text = try body.text("phone_number") else { throw APIError(12000, in: context.format) }
  return try assess(text, body, context)
}

/// `POST /intelligence/email`
func assessEmail(_ context: RequestContext) throws -> Response {
  let body = try RequestBody(context.request)
  let metadata = try readMetadata(body, context)
  guard let address = metadata.emailAddress else {
    throw APIError(11007, in: context.format).because("email_address: missing")
  }
  try context.checkFunds()
  let line = try LineInfo.find(emailAddress: address, in: context.sandbox)
  let now = context.sandbox.clock.now
  let score = line.map { RiskScore(of: $0, at: now) } ?? RiskScore(factors: [])
  return try respond(context, body, metadata, score, nil) { json in
    json.object("phone_type") { PhoneType.email.write(to: &$0) }
  }
}

private func assess(_ text: String, _ body: RequestBody, _ context: RequestContext) throws -> Response {
  let number = try context.number(text)
  let metadata = try readMetadata(body, context)
  try context.checkFunds()
  let line = try LineInfo(of: number, in: context.sandbox)
  let score = RiskScore(of: line, at: context.sandbox.clock.now)
  return try respond(context, body, metadata, score, line) { line.write(to: &$0) }
}

private func readMetadata(_ body: RequestBody, _ context: RequestContext) throws -> RequestMetadata {
  guard try body.text("account_lifecycle_event") != nil else { throw APIError(12003, in: context.format) }
  return try RequestMetadata(body, in: context.format, includesAccount: true)
}

private func respond(
  _ context: RequestContext, _ body: RequestBody, _ metadata: RequestMetadata, _ score: RiskScore,
  _ line: LineInfo?,
  _ write: (inout JSONWriter) -> Void
) throws -> Response {
  let showsInsights = try body.flag("request_risk_insights") ?? true
  let insights = try RiskInsights(of: score, for: line, metadata, in: context.sandbox)
  let reference = referenceID(.score, context.sandbox.nextOrdinal(), in: context.sandbox)
  return context.respond { json in
    json.member("reference_id", reference)
    json.member("external_id", metadata.externalID)
    context.writeStatus(300, to: &json)
    write(&json)
    json.object("risk") { score.write(to: &$0, levels: context.settings.riskLevels) }
    if showsInsights { json.object("risk_insights") { insights.write(to: &$0) } }
  }
}

extension LineInfo {
  /// The line of the subscriber with an email address; nil if there is none.
  fileprivate static func find(emailAddress: String, in sandbox: Sandbox) throws -> LineInfo? {
    let address = emailAddress.lowercased()
    let holder = try sandbox.subscribers.all.first {
      ($0.kyc[.email] ?? $0.email)?.lowercased() == address
    }
    guard let holder else { return nil }
    return try ParsedNumber(String(holder.number.description.dropFirst()), Settings()).map {
      try LineInfo(of: $0, in: sandbox)
    }
  }
}
