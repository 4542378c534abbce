import ProviderKit

/// Sends the push of a pending challenge again. Source: contract 9.3.
func createNotification(_ context: RequestContext) throws -> Response {
  var challenge = try FactorChallenge.named(by: context, for: nil)
  let form = try context.request.form
  form.declare(["Ttl"])
  var lifetime = FactorChallenge.pushLifetime
  if let text = form.text("Ttl") {
    guard let seconds = Int(text), (0...300).contains(seconds) else {
      throw APIError.invalidFactorParameter("Ttl", expected: "an integer from 0 to 300")
    }
    lifetime = seconds
  }
  let sandbox = context.sandbox
  try challenge.requirePending(at: sandbox.clock.now)
  guard let factor = try Factor.find(challenge.factor, in: sandbox), let platform = factor.push?.platform,
    platform != .none
  else { throw APIError(code: 60307).because("the factor \(challenge.factor) gets no pushes") }
  guard challenge.notifications < notificationLimit else {
    throw APIError(code: 60309).because("the challenge had \(notificationLimit) notifications")
  }
  challenge.notifications += 1
  try challenge.save(in: sandbox)
  try challenge.remind(factor, lifetime: lifetime, in: sandbox)
  let sid = sandbox.entropy.labelledIdentifier("NT", sandbox.nextOrdinal())
  return .json(201) { json in
    json.member("sid", sid)
    json.member("account_sid", context.shownAccount)
    json.member("service_sid", challenge.service)
    json.member("entity_sid", challenge.entity)
    json.member("identity", challenge.identity)
    json.member("challenge_sid", challenge.sid)
    json.member("priority", "high")
    json.member("ttl", lifetime)
    sandbox.clock.now.write(iso8601: "date_created", to: &json)
  }
}

/// Notifications of one challenge. The provider states no number.
private let notificationLimit = 5
