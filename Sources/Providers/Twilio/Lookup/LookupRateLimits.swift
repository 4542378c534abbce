import ProviderKit

// The resource `/v2/RateLimits`: limits that an account sets for its lookups. The sandbox stores them, and
// refuses no lookup because of them. Source: `twilio_lookups_v2.json`.

func listLookupRateLimits(_ context: RequestContext) throws -> Response {
  let fields = try context.request.query.list("Fields")
  let limits = try LookupRateLimit.table.list(group: context.caller.account, in: context.sandbox)
    .map(\.record).filter { fields.isEmpty || fields.contains($0.field) }
  return .json(200) { json in
    json.array("rate_limits", limits) { json, limit in json.value { limit.write(to: &$0) } }
  }
}

func fetchLookupRateLimit(_ context: RequestContext) throws -> Response {
  let limit = try LookupRateLimit.named(by: context)
  return .json(200) { limit.write(to: &$0) }
}

/// Creates a limit, or replaces it.
func updateLookupRateLimit(_ context: RequestContext) throws -> Response {
  var limit = try LookupRateLimit(namedBy: context)
  let body = try context.request.json
  let number = FieldType<Int>.integer(1...1_000_000_000)
  limit.limit = try body.value("limit", number)
  limit.ttl = try body.value("ttl", number)
  let table = LookupRateLimit.table
  if try table.find(limit.key, in: context.sandbox) == nil { try table.requireRoom(in: context.sandbox) }
  try table.save(limit, as: limit.key, group: limit.account, in: context.sandbox)
  return .json(200) { limit.write(to: &$0) }
}

func deleteLookupRateLimit(_ context: RequestContext) throws -> Response {
  try LookupRateLimit.table.delete(LookupRateLimit.named(by: context).key, in: context.sandbox)
  return Response(204)
}

struct LookupRateLimit {
  var account = ""
  var field = ""
  var bucket = ""
  var limit = 1
  /// In seconds.
  var ttl = 1

  var key: String { "\(account) \(field) \(bucket)" }

  static let table = RecordTable(
    "lookup rate limit", of: TwilioProvider.name,
    Schema<LookupRateLimit>([
      .required("account", \.account, .string),
      .required("field", \.field, .string),
      .required("bucket", \.bucket, .string),
      .required("limit", \.limit, .count),
      .required("ttl", \.ttl, .count),
    ])
  ) { LookupRateLimit() }

  private init() {}

  /// The limit that the path names, with default values.
  fileprivate init(namedBy context: RequestContext) throws(APIError) {
    guard let package = LookupPackage(rawValue: context.request[parameter: "field"]) else {
      throw .invalidParameter("Field", expected: "one of \(LookupPackage.words)")
    }
    account = context.caller.account
    field = package.rawValue
    bucket = context.request[parameter: "bucket"]
  }

  fileprivate static func named(by context: RequestContext) throws -> LookupRateLimit {
    let named = try LookupRateLimit(namedBy: context)
    guard let limit = try table.find(named.key, in: context.sandbox) else {
      throw APIError.notFound(context.request.target.path).because("no limit \(named.field) \(named.bucket)")
    }
    return limit
  }

  func write(to json: inout JSONWriter) {
    json.member("field", field)
    json.member("limit", limit)
    json.member("bucket", bucket)
    json.member("owner", account)
    json.member("ttl", ttl)
  }
}
