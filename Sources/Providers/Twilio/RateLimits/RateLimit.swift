import Domain
import HTTP
import JSON
import ProviderKit

// The resource `/v2/Services/{service}/RateLimits`. Source: contract 7.

/// A limit on creations, counted for each value of a key that the app chooses.
struct RateLimit: Equatable, Sendable {
  var sid = ""
  var serviceSid = ""
  /// The key in the parameter RateLimits of creations.
  var uniqueName = ""
  var description: String?
  var createdAt = Timestamp.earliest
  var updatedAt = Timestamp.earliest

  private static let schema = Schema<RateLimit>(
    nil, "A rate limit.",
    [
      .required("sid", \.sid, .string, "Its SID."),
      .required("service", \.serviceSid, .string, "The Service."),
      .required("uniqueName", \.uniqueName, .string, "The key of creations."),
      .optional("description", \.description, .string, "What it is for."),
      .required("createdAt", \.createdAt, .timestamp, "When it was created."),
      .required("updatedAt", \.updatedAt, .timestamp, "When it was changed."),
    ])

  fileprivate static let table = RecordTable("rateLimit", of: TwilioProvider.name, schema) { RateLimit() }

  /// Oldest first.
  static func all(of service: String, in sandbox: Sandbox) throws -> [RateLimit] {
    try table.list(group: service, in: sandbox).map(\.record)
  }

  static func deleteAll(of service: String, in sandbox: Sandbox) throws {
    for limit in try all(of: service, in: sandbox) { try limit.delete(in: sandbox) }
  }

  fileprivate func save(ordinal: Int? = nil, in sandbox: Sandbox) throws {
    try Self.table.save(self, as: sid, group: serviceSid, ordinal: ordinal, in: sandbox)
  }

  /// Its buckets go with it.
  fileprivate func delete(in sandbox: Sandbox) throws {
    try Bucket.deleteAll(of: sid, in: sandbox)
    try Self.table.delete(sid, in: sandbox)
  }

  fileprivate static func isValidName(_ name: String) -> Bool {
    name.utf8.count <= 64
      && name.utf8.allSatisfy { $0.isDigit || (0x41...0x5A).contains($0 & 0xDF) || "-_.".utf8.contains($0) }
  }

  fileprivate func write(to json: inout JSONWriter, account: String, baseURL: String) {
    let url = "\(baseURL)/v2/Services/\(serviceSid)/RateLimits/\(sid)"
    json.member("sid", sid)
    json.member("service_sid", serviceSid)
    json.member("account_sid", account)
    json.member("unique_name", uniqueName)
    json.member("description", description)
    createdAt.write(iso8601: "date_created", to: &json)
    updatedAt.write(iso8601: "date_updated", to: &json)
    json.member("url", url)
    json.object("links") { $0.member("buckets", joining: url, "/Buckets") }
  }
}

func createRateLimit(_ context: RequestContext) throws -> Response {
  let form = try context.request.form
  form.declare(["UniqueName", "Description"])
  guard let name = form.text("UniqueName") else {
    throw APIError.invalidParameter("UniqueName", expected: "the name of the rate limit")
  }
  guard RateLimit.isValidName(name) else {
    throw APIError(code: 60209).because("UniqueName: expected at most 64 letters, digits, -, _ and .")
  }
  let others = try RateLimit.all(of: context.service.sid, in: context.sandbox)
  guard !others.contains(where: { $0.uniqueName == name }) else {
    throw APIError(code: 60208).because("UniqueName: \(name) is taken in this Service")
  }
  guard others.count < context.settings.maxRateLimits else {
    throw APIError(code: 60207).because("the setting maxRateLimits is \(context.settings.maxRateLimits)")
  }
  try RateLimit.table.requireRoom(in: context.sandbox, limit: SandboxLimits.services)
  let ordinal = context.sandbox.nextOrdinal()
  var limit = RateLimit()
  limit.sid = context.sandbox.entropy.labelledIdentifier("RK", ordinal)
  limit.serviceSid = context.service.sid
  limit.uniqueName = name
  limit.description = form.text("Description")
  limit.createdAt = context.sandbox.clock.now
  limit.updatedAt = limit.createdAt
  try limit.save(ordinal: ordinal, in: context.sandbox)
  return context.response(201, limit)
}

func fetchRateLimit(_ context: RequestContext) throws -> Response {
  try context.response(200, context.rateLimit())
}

/// An empty description clears it.
func updateRateLimit(_ context: RequestContext) throws -> Response {
  var limit = try context.rateLimit()
  let form = try context.request.form
  if let description = form["Description"] { limit.description = description.isEmpty ? nil : description }
  limit.updatedAt = context.sandbox.clock.now
  try limit.save(in: context.sandbox)
  return context.response(200, limit)
}

func deleteRateLimit(_ context: RequestContext) throws -> Response {
  try context.rateLimit().delete(in: context.sandbox)
  return Response(204)
}

func listRateLimits(_ context: RequestContext) throws -> Response {
  let (account, baseURL) = (context.caller.account, context.baseURL)
  return try Page(of: context, RateLimit.table, group: context.service.sid)
    .response(key: "rate_limits", baseURL: baseURL) { $0.write(to: &$1, account: account, baseURL: baseURL) }
}

extension RequestContext {
  /// The rate limit of the path, which names its SID or its unique name.
  func rateLimit() throws -> RateLimit {
    let name = request[parameter: "limit"]
    let all = try RateLimit.all(of: service.sid, in: sandbox)
    guard let limit = all.first(where: { $0.sid == name }) ?? all.first(where: { $0.uniqueName == name })
    else { throw notFound("no rate limit \(name) in Service \(service.sid)") }
    return limit
  }

  fileprivate func response(_ status: Status, _ limit: RateLimit) -> Response {
    .json(
      status, JSONWriter.object { limit.write(to: &$0, account: caller.account, baseURL: baseURL) })
  }
}
