import Domain
import HTTP
import JSON
import ProviderKit

// Score and Intelligence: how risky a number or an email address is. Source: contract 11.

var intelligenceRoutes: [Route<Sandbox>] {
  [
    route(.post, "/v1/score/{phone_number}", as: "scoreNumber", of: .intelligence, scoreNumber),
    route(.post, "/intelligence/phone", as: "assessPhone", of: .intelligence, assessPhone),
    route(.post, "/intelligence/email", as: "assessEmail", of: .intelligence, assessEmail),
    route(.post, "/intelligence", as: "assessPhoneInJSON", of: .intelligence, assessPhone),
  ]
}

/// `POST /v1/score/{phone_number}`
func scoreNumber(_ call: Call) throws -> Response {
  try assess(call.request[parameter: "phone_number"], Submission(call.request), call)
}

/// `POST /intelligence/phone` and, of old, `POST /intelligence`
func assessPhone(_ call: Call) throws -> Response {
  let submission = try Submission(call.request)
  guard let text = try submission.text("phone_number") else { throw Problem(12000, in: call.family) }
  return try assess(text, submission, call)
}

/// `POST /intelligence/email`
func assessEmail(_ call: Call) throws -> Response {
  let submission = try Submission(call.request)
  let circumstances = try readScored(submission, call)
  guard let address = circumstances.emailAddress else {
    throw Problem(11007, in: call.family).because("email_address: expected an email address")
  }
  try call.admitSpending()
  let line = try Line.of(address, in: call.sandbox)
  let now = call.sandbox.clock.now
  let score = line.map { RiskScore(of: $0, at: now) } ?? RiskScore(grounds: [])
  return try answer(call, submission, circumstances, score, nil) { json in
    json.object("phone_type") { PhoneType.email.write(to: &$0) }
  }
}

private func assess(_ text: String, _ submission: Submission, _ call: Call) throws -> Response {
  let number = try call.number(text)
  let circumstances = try readScored(submission, call)
  try call.admitSpending()
  let line = try Line(of: number, in: call.sandbox)
  let score = RiskScore(of: line, at: call.sandbox.clock.now)
  return try answer(call, submission, circumstances, score, line) { line.write(to: &$0) }
}

private func readScored(_ submission: Submission, _ call: Call) throws -> Circumstances {
  guard try submission.text("account_lifecycle_event") != nil else { throw Problem(12003, in: call.family) }
  return try Circumstances(submission, in: call.family, readsAccount: true)
}

private func answer(
  _ call: Call, _ submission: Submission, _ circumstances: Circumstances, _ score: RiskScore, _ line: Line?,
  _ write: (inout JSONWriter) -> Void
) throws -> Response {
  let showsInsights = try submission.flag("request_risk_insights") ?? true
  let insights = try RiskInsights(of: score, for: line, circumstances, in: call.sandbox)
  let reference = referenceID(.score, call.sandbox.nextOrdinal(), in: call.sandbox)
  return call.answer { json in
    json.member("reference_id", reference)
    json.member("external_id", circumstances.externalID)
    call.writeStatus(300, to: &json)
    write(&json)
    json.object("risk") { score.write(to: &$0, levels: call.settings.riskLevels) }
    if showsInsights { json.object("risk_insights") { insights.write(to: &$0) } }
  }
}

extension Line {
  /// The line of the person who has this email address on the carrier; nil where nobody is known to have it.
  static func of(_ emailAddress: String, in sandbox: Sandbox) throws -> Line? {
    let address = emailAddress.lowercased()
    let holder = try sandbox.subscribers.all.first {
      ($0.kyc[.email] ?? $0.email)?.lowercased() == address
    }
    guard let holder else { return nil }
    return try Number(String(holder.number.description.dropFirst()), Settings()).map {
      try Line(of: $0, in: sandbox)
    }
  }
}
