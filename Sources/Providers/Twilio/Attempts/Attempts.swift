import ProviderKit

// The resource `/v2/Attempts`: the sends of all verifications of an account. Source: contract 6.

/// Newest first.
func listAttempts(_ context: RequestContext) throws -> Response {
  let query = try context.request.query
  query.declare(AttemptFilter.parameters + ["PageSize", "Page", "PageToken"])
  let filter = try AttemptFilter(query, of: context)
  var bodies = AttemptBodies(context)
  let page = try Page(of: context, filters: AttemptFilter.parameters, newestFirst: true) { border, limit in
    let slice = try filter.search(from: border, limit: limit, in: context)
    return PageSlice(
      records: try slice.records.map { (position: $0.position, record: try bodies.body(of: $0.record)) },
      end: slice.end)
  }
  return page.response(key: "attempts", baseURL: context.baseURL) { $0.write(to: &$1) }
}

func fetchAttempt(_ context: RequestContext) throws -> Response {
  let name = context.request[parameter: "attempt"]
  guard let (ordinal, number) = VerificationSid.ordinals(ofAttempt: name, in: context.sandbox),
    let verification = try context.sandbox.verifications.find(ordinal),
    verification.claim.provider == TwilioProvider.name,
    try Service.find(verification.claim.owner, for: context.caller, in: context.sandbox) != nil,
    let attempt = verification.attempts.all.first(where: { $0.number == number })
  else { throw context.notFound("no attempt \(name) of account \(context.caller.account)") }
  var bodies = AttemptBodies(context)
  let body = try bodies.body(of: AttemptOfVerification(verification: verification, attempt: attempt))
  return .json(200) { body.write(to: &$0) }
}

/// Counts the attempts of the newest verifications, up to the limit of a search.
func fetchAttemptsSummary(_ context: RequestContext) throws -> Response {
  let query = try context.request.query
  query.declare(AttemptFilter.summaryParameters)
  let filter = try AttemptFilter(query, of: context)
  let slice = try filter.search(from: .before(.max), limit: .max, in: context)
  let total = slice.records.count
  let converted = slice.records.count { $0.record.isConverted }
  let url = context.baseURL + context.request.target.path
  var response = Response.json(200) { json in
    json.member("total_attempts", total)
    json.member("total_converted", converted)
    json.member("total_unconverted", total - converted)
    json.member("conversion_rate_percentage", percentage(of: converted, in: total))
    json.member("url", url)
  }
  if slice.end != nil {
    response.why = "counted the attempts of the newest \(AttemptFilter.searchLimit) verifications only"
  }
  return response
}

/// With nine decimals, and without zeros at the end: `81.818181818`. `0` of nothing.
private func percentage(of part: Int, in whole: Int) -> String {
  guard whole > 0 else { return "0" }
  let hundredfold = part &* 100
  var (decimals, rest) = ("", hundredfold % whole)
  for _ in 0..<9 {
    decimals += String(rest &* 10 / whole)
    rest = rest &* 10 % whole
  }
  let text = "\(hundredfold / whole).\(decimals)".reversed().drop { $0 == "0" }.drop { $0 == "." }
  return String(text.reversed())
}
