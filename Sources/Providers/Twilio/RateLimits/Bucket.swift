import ProviderKit

// The resource `/v2/Services/{service}/RateLimits/{limit}/Buckets`. Source: contract 7.

/// How many creations a rate limit allows for one value within an interval.
struct Bucket: ServiceResource, Equatable {
  var sid = ""
  var rateLimitSid = ""
  var serviceSid = ""
  var max = 1
  /// In seconds.
  var interval = 1
  var createdAt = Timestamp.earliest
  var updatedAt = Timestamp.earliest

  private static let schema = Schema<Bucket>([
    .required("sid", \.sid, .string),
    .required("rateLimit", \.rateLimitSid, .string),
    .required("service", \.serviceSid, .string),
    .required("max", \.max, .integer(maxRange)),
    .required("interval", \.interval, .integer(intervalRange)),
    .required("createdAt", \.createdAt, .timestamp),
    .required("updatedAt", \.updatedAt, .timestamp),
  ])

  static let table = RecordTable("bucket", of: TwilioProvider.name, schema) { Bucket() }
  static let listKey: StaticString = "buckets"
  private static let maxRange = 1...1_000_000_000
  /// At most ten years.
  private static let intervalRange = 1...315_360_000

  static func group(of context: RequestContext) throws -> String { try RateLimit.named(by: context).sid }

  static func named(by context: RequestContext) throws -> Bucket {
    let limit = try RateLimit.named(by: context)
    let sid = context.request[parameter: "bucket"]
    guard let bucket = try table.find(sid, in: context.sandbox), bucket.rateLimitSid == limit.sid else {
      throw context.notFound("no bucket \(sid) in rate limit \(limit.uniqueName)")
    }
    return bucket
  }

  var key: String { sid }
  var group: String { rateLimitSid }

  static func create(_ context: RequestContext) throws -> Response {
    let limit = try RateLimit.named(by: context)
    let form = try context.request.form
    form.declare(["Max", "Interval"])
    for name in ["Max", "Interval"] where form.text(name) == nil {
      throw APIError.invalidParameter(name, expected: "a whole number")
    }
    let others = try all(of: limit.sid, in: context.sandbox)
    var bucket = Bucket()
    try bucket.apply(form, others: others)
    guard others.count < context.settings.maxBuckets else {
      throw APIError(code: 60210).because("the setting maxBuckets is \(context.settings.maxBuckets)")
    }
    try table.requireRoom(in: context.sandbox, limit: SandboxLimits.services)
    let ordinal = context.sandbox.nextOrdinal()
    bucket.sid = context.sandbox.entropy.labelledIdentifier("BL", ordinal)
    bucket.rateLimitSid = limit.sid
    bucket.serviceSid = context.service.sid
    try bucket.insert(ordinal: ordinal, in: context.sandbox)
    return bucket.response(201, in: context)
  }

  mutating func update(from form: Form, in context: RequestContext) throws {
    try apply(form, others: Self.all(of: rateLimitSid, in: context.sandbox))
  }

  /// Sets what the form has; fails with 60211 if another bucket has the same interval.
  private mutating func apply(_ form: Form, others: [Bucket]) throws {
    max = try form.number("Max", Self.maxRange) ?? max
    interval = try form.number("Interval", Self.intervalRange) ?? interval
    guard !others.contains(where: { $0.interval == interval && $0.sid != sid }) else {
      throw APIError(code: 60211).because("Interval: another bucket of this rate limit has \(interval) s")
    }
  }

  /// Its counts go with it.
  func delete(in sandbox: Sandbox) throws {
    try HitCount.deleteAll(in: sid, sandbox)
    try Self.table.delete(sid, in: sandbox)
  }

  func write(to json: inout JSONWriter, in context: RequestContext) {
    json.member("sid", sid)
    json.member("rate_limit_sid", rateLimitSid)
    json.member("service_sid", serviceSid)
    json.member("account_sid", context.caller.account)
    json.member("max", max)
    json.member("interval", interval)
    createdAt.write(iso8601: "date_created", to: &json)
    updatedAt.write(iso8601: "date_updated", to: &json)
    json.member(
      "url", "\(context.baseURL)/v2/Services/\(serviceSid)/RateLimits/\(rateLimitSid)/Buckets/\(sid)")
  }
}
