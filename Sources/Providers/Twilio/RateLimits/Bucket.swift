import Domain
import HTTP
import JSON
import ProviderKit

// The resource `/v2/Services/{service}/RateLimits/{limit}/Buckets`. Source: contract 7.

/// How many creations a rate limit allows for one value within an interval.
struct Bucket: Equatable, Sendable {
  var sid = ""
  var rateLimitSid = ""
  var serviceSid = ""
  var max = 1
  /// In seconds.
  var interval = 1
  var createdAt = Timestamp.earliest
  var updatedAt = Timestamp.earliest

  private static let schema = Schema<Bucket>(
    nil, "A bucket.",
    [
      .required("sid", \.sid, .string, "Its SID."),
      .required("rateLimit", \.rateLimitSid, .string, "The rate limit."),
      .required("service", \.serviceSid, .string, "The Service."),
      .required("max", \.max, .integer(maxRange), "The number of creations."),
      .required("interval", \.interval, .integer(intervalRange), "The interval in seconds."),
      .required("createdAt", \.createdAt, .timestamp, "When it was created."),
      .required("updatedAt", \.updatedAt, .timestamp, "When it was changed."),
    ])

  fileprivate static let table = RecordTable("bucket", of: TwilioProvider.name, schema) { Bucket() }
  private static let maxRange = 1...1_000_000_000
  /// At most ten years.
  private static let intervalRange = 1...315_360_000

  /// Oldest first.
  static func all(of rateLimit: String, in sandbox: Sandbox) throws -> [Bucket] {
    try table.list(group: rateLimit, in: sandbox).map(\.record)
  }

  static func deleteAll(of rateLimit: String, in sandbox: Sandbox) throws {
    for bucket in try all(of: rateLimit, in: sandbox) { try bucket.delete(in: sandbox) }
  }

  fileprivate func save(ordinal: Int? = nil, in sandbox: Sandbox) throws {
    try Self.table.save(self, as: sid, group: rateLimitSid, ordinal: ordinal, in: sandbox)
  }

  /// Its counts go with it.
  fileprivate func delete(in sandbox: Sandbox) throws {
    try HitCount.deleteAll(in: sid, sandbox)
    try Self.table.delete(sid, in: sandbox)
  }

  /// Sets what the form has; fails with 60211 if another bucket has the same interval.
  fileprivate mutating func apply(_ form: Form, others: [Bucket]) throws {
    max = try form.number("Max", Self.maxRange) ?? max
    interval = try form.number("Interval", Self.intervalRange) ?? interval
    guard !others.contains(where: { $0.interval == interval && $0.sid != sid }) else {
      throw APIError(code: 60211).because("Interval: another bucket of this rate limit has \(interval) s")
    }
  }

  fileprivate func write(to json: inout JSONWriter, account: String, baseURL: String) {
    json.member("sid", sid)
    json.member("rate_limit_sid", rateLimitSid)
    json.member("service_sid", serviceSid)
    json.member("account_sid", account)
    json.member("max", max)
    json.member("interval", interval)
    createdAt.write(iso8601: "date_created", to: &json)
    updatedAt.write(iso8601: "date_updated", to: &json)
    json.member("url", "\(baseURL)/v2/Services/\(serviceSid)/RateLimits/\(rateLimitSid)/Buckets/\(sid)")
  }
}

func createBucket(_ context: RequestContext) throws -> Response {
  let limit = try context.rateLimit()
  let form = try context.request.form
  form.declare(["Max", "Interval"])
  for name in ["Max", "Interval"] where form.text(name) == nil {
    throw APIError.invalidParameter(name, expected: "a whole number")
  }
  let others = try Bucket.all(of: limit.sid, in: context.sandbox)
  var bucket = Bucket()
  try bucket.apply(form, others: others)
  guard others.count < context.settings.maxBuckets else {
    throw APIError(code: 60210).because("the setting maxBuckets is \(context.settings.maxBuckets)")
  }
  try Bucket.table.requireRoom(in: context.sandbox, limit: SandboxLimits.services)
  let ordinal = context.sandbox.nextOrdinal()
  bucket.sid = context.sandbox.entropy.labelledIdentifier("BL", ordinal)
  bucket.rateLimitSid = limit.sid
  bucket.serviceSid = context.service.sid
  bucket.createdAt = context.sandbox.clock.now
  bucket.updatedAt = bucket.createdAt
  try bucket.save(ordinal: ordinal, in: context.sandbox)
  return context.response(201, bucket)
}

func fetchBucket(_ context: RequestContext) throws -> Response {
  try context.response(200, context.bucket())
}

func updateBucket(_ context: RequestContext) throws -> Response {
  var bucket = try context.bucket()
  try bucket.apply(context.request.form, others: Bucket.all(of: bucket.rateLimitSid, in: context.sandbox))
  bucket.updatedAt = context.sandbox.clock.now
  try bucket.save(in: context.sandbox)
  return context.response(200, bucket)
}

func deleteBucket(_ context: RequestContext) throws -> Response {
  try context.bucket().delete(in: context.sandbox)
  return Response(204)
}

func listBuckets(_ context: RequestContext) throws -> Response {
  let limit = try context.rateLimit()
  let (account, baseURL) = (context.caller.account, context.baseURL)
  return try Page(of: context, Bucket.table, group: limit.sid)
    .response(key: "buckets", baseURL: baseURL) { $0.write(to: &$1, account: account, baseURL: baseURL) }
}

extension RequestContext {
  /// The bucket of the path.
  fileprivate func bucket() throws -> Bucket {
    let limit = try rateLimit()
    let sid = request[parameter: "bucket"]
    guard let bucket = try Bucket.table.find(sid, in: sandbox), bucket.rateLimitSid == limit.sid else {
      throw notFound("no bucket \(sid) in rate limit \(limit.uniqueName)")
    }
    return bucket
  }

  fileprivate func response(_ status: Status, _ bucket: Bucket) -> Response {
    .json(
      status, JSONWriter.object { bucket.write(to: &$0, account: caller.account, baseURL: baseURL) })
  }
}
