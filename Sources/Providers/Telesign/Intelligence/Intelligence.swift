import ProviderKit

// Score and Intelligence: the risk of a number or an email address. Source: contract 11.

/// `POST /v1/score/{phone_number}`
func scoreNumber(_ context: RequestContext) throws -> Response {
  try assess(context.request[parameter: "phone_number"], RequestBody(context.request), context)
}

/// `POST /intelligence/phone`
func assessPhone(_ context: RequestContext) throws -> Response {
  let body = try RequestBody(context.request)
  return try assess(phoneNumber(in: body, context), body, context)
}

/// `POST /intelligence`: with `contact_details`, or with the parameters of `/intelligence/phone`.
/// Source: contract 11; Additions of 2026-11-22.
func assessUser(_ context: RequestContext) throws -> Response {
  let body = try RequestBody(context.request)
  guard let contact = try body.object("contact_details").map(RequestBody.json) else {
    return try assess(phoneNumber(in: body, context), body, context)
  }
  let number = try ParsedNumber.toLookUp(phoneNumber(in: contact, context), in: context)
  try requireEvent(body, context)
  let metadata = try RequestMetadata(body, contact: contact, in: context.format)
  try AccountRules(context).checkFunds()
  let line = try LineInfo(of: number, in: context.sandbox)
  let assessment = try Assessment(of: line, metadata, body, context)
  return assessment.respond(context) { json in
    json.object("phone_details") { line.write(to: &$0) }
    if let address = metadata.emailAddress {
      json.object("email_details") { EmailDetails(of: address).write(to: &$0) }
    }
    json.object("risk") { assessment.score.write(to: &$0, levels: context.settings.riskLevels) }
    if assessment.showsInsights { json.object("risk_insights") { assessment.insights.write(to: &$0) } }
  }
}

/// `POST /intelligence/email`. Source: contract 11; Additions of 2026-11-22.
func assessEmail(_ context: RequestContext) throws -> Response {
  let body = try RequestBody(context.request)
  let metadata = try readMetadata(body, context)
  guard let address = metadata.emailAddress else {
    throw APIError(11007, in: context.format).because("email_address: missing")
  }
  try AccountRules(context).checkFunds()
  let line = try LineInfo.find(emailAddress: address, in: context.sandbox)
  let assessment = try Assessment(of: line, metadata, body, context)
  return assessment.respond(context) { json in
    json.object("email_address_details") { EmailDetails(of: address).write(to: &$0) }
    json.object("intelligence_details") { json in
      json.object("risk") { assessment.score.write(to: &$0, levels: context.settings.riskLevels) }
      if assessment.showsInsights {
        json.object("insights") { assessment.insights.writeOfEmail(to: &$0) }
      }
    }
    // The provider's own tests read it here. Source: contract 17.5, check I5.
    json.object("risk") { assessment.score.write(to: &$0, levels: context.settings.riskLevels) }
  }
}

private func assess(_ text: String, _ body: RequestBody, _ context: RequestContext) throws -> Response {
  let number = try ParsedNumber.toLookUp(text, in: context)
  let metadata = try readMetadata(body, context)
  try AccountRules(context).checkFunds()
  let line = try LineInfo(of: number, in: context.sandbox)
  let assessment = try Assessment(of: line, metadata, body, context)
  return assessment.respond(context) { json in
    line.write(to: &json)
    json.object("risk") { assessment.score.write(to: &$0, levels: context.settings.riskLevels) }
    if assessment.showsInsights { json.object("risk_insights") { assessment.insights.write(to: &$0) } }
  }
}

private func phoneNumber(in body: RequestBody, _ context: RequestContext) throws -> String {
  guard let text = try body.text("phone_number") else { throw APIError(12000, in: context.format) }
  return text
}

private func readMetadata(_ body: RequestBody, _ context: RequestContext) throws -> RequestMetadata {
  try requireEvent(body, context)
  return try RequestMetadata(body, in: context.format, includesAccount: true)
}

private func requireEvent(_ body: RequestBody, _ context: RequestContext) throws {
  guard try body.text("account_lifecycle_event") != nil else { throw APIError(12003, in: context.format) }
}

/// The risk of a line, or of an email address that belongs to no line.
private struct Assessment {
  let score: RiskScore
  let insights: RiskInsights
  let showsInsights: Bool
  private let externalID: String?
  private let reference: String

  init(
    of line: LineInfo?, _ metadata: RequestMetadata, _ body: RequestBody, _ context: RequestContext
  ) throws {
    let now = context.sandbox.clock.now
    score = line.map { RiskScore(of: $0, at: now) } ?? RiskScore(factors: [])
    insights = try RiskInsights(of: score, for: line, metadata, in: context.sandbox)
    showsInsights = try body.flag("request_risk_insights") ?? true
    externalID = metadata.externalID
    reference = ReferenceID.text(.score, context.sandbox.nextOrdinal(), in: context.sandbox)
  }

  func respond(_ context: RequestContext, _ write: (inout JSONWriter) -> Void) -> Response {
    .json(200) { json in
      json.member("reference_id", reference)
      json.member("external_id", externalID)
      context.writeStatus(300, to: &json)
      write(&json)
    }
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
