import ProviderKit

/// The rate limits that a creation names, with the values to count. Source: contract 7.
struct RateLimitHits {
  private let named: [(name: String, value: String)]
  private let service: String
  private let sandbox: Sandbox

  init(of form: VerificationForm, in context: RequestContext) {
    named = form.rateLimits
    service = context.service.sid
    sandbox = context.sandbox
  }

  /// Counts a hit in every bucket of the limits. If one is full, fails with 20429 and counts nothing.
  func count() throws {
    guard !named.isEmpty else { return }
    let limits = try RateLimit.all(of: service, in: sandbox)
    var hits: [(bucket: Bucket, value: String)] = []
    var full: [String] = []
    var retryAt = sandbox.clock.now
    for (name, value) in named {
      guard let limit = limits.first(where: { $0.uniqueName == name }) else {
        let known = limits.isEmpty ? "it has none" : limits.map(\.uniqueName).joined(separator: ", ")
        throw APIError.invalidParameter(
          "RateLimits", expected: "rate limits of the Service (\(known)); found \(name)")
      }
      for bucket in try Bucket.all(of: limit.sid, in: sandbox) {
        hits.append((bucket, value))
        if let end = try HitCount.end(of: value, in: bucket.sid, max: bucket.max, sandbox) {
          if full.last != name { full.append(name) }
          retryAt = max(retryAt, end)
        }
      }
    }
    guard full.isEmpty else { throw tooManyRequests(full, retryAt: retryAt) }
    for (bucket, value) in hits {
      try HitCount.add(value, in: bucket.sid, interval: bucket.interval, sandbox)
    }
  }

  private func tooManyRequests(_ names: [String], retryAt: Timestamp) -> APIError {
    let names = names.joined(separator: ",")
    let seconds = ((retryAt - sandbox.clock.now).milliseconds &+ 999) / 1000
    var error = APIError(code: 20429).because("full rate limits: \(names)")
    error.headers = ["Twilio-Reached-Rate-Limit": names, "Retry-After": String(seconds)]
    return error
  }
}
