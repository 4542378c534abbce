import ProviderKit

// The resource `/v2/Services/{service}/RateLimits`. Source: contract 7.

/// A limit on creations, counted for each value of a key that the app chooses.
struct RateLimit: ServiceResource, Equatable {
  var sid = ""
  var serviceSid = ""
  /// The key in the parameter RateLimits of creations.
  var uniqueName = ""
  var description: String?
  var createdAt = Timestamp.earliest
  var updatedAt = Timestamp.earliest

  private static let schema = Schema<RateLimit>([
    .required("sid", \.sid, .string),
    .required("service", \.serviceSid, .string),
    .required("uniqueName", \.uniqueName, .string),
    .optional("description", \.description, .string),
    .required("createdAt", \.createdAt, .timestamp),
    .required("updatedAt", \.updatedAt, .timestamp),
  ])

  static let table = RecordTable("rateLimit", of: TwilioProvider.name, schema) { RateLimit() }
  static let listKey: StaticString = "rate_limits"

  /// The path names its SID or its unique name.
  static func named(by context: RequestContext) throws -> RateLimit {
    let name = context.request[parameter: "limit"]
    let all = try all(of: context.service.sid, in: context.sandbox)
    guard let limit = all.first(where: { $0.sid == name }) ?? all.first(where: { $0.uniqueName == name })
    else { throw context.notFound("no rate limit \(name) in Service \(context.service.sid)") }
    return limit
  }

  var key: String { sid }
  var group: String { serviceSid }

  static func create(_ context: RequestContext) throws -> Response {
    let form = try context.request.form
    form.declare(["UniqueName", "Description"])
    guard let name = form.text("UniqueName") else {
      throw APIError.invalidParameter("UniqueName", expected: "the name of the rate limit")
    }
    guard isValidName(name) else {
      throw APIError(code: 60209).because("UniqueName: expected at most 64 letters, digits, -, _ and .")
    }
    let others = try all(of: context.service.sid, in: context.sandbox)
    guard !others.contains(where: { $0.uniqueName == name }) else {
      throw APIError(code: 60208).because("UniqueName: \(name) is taken in this Service")
    }
    guard others.count < context.settings.maxRateLimits else {
      throw APIError(code: 60207).because("the setting maxRateLimits is \(context.settings.maxRateLimits)")
    }
    try table.requireRoom(in: context.sandbox, limit: SandboxLimits.services)
    let ordinal = context.sandbox.nextOrdinal()
    var limit = RateLimit()
    limit.sid = context.sandbox.entropy.labelledIdentifier("RK", ordinal)
    limit.serviceSid = context.service.sid
    limit.uniqueName = name
    limit.description = form.text("Description")
    try limit.insert(ordinal: ordinal, in: context.sandbox)
    return limit.response(201, in: context)
  }

  private static func isValidName(_ name: String) -> Bool {
    name.utf8.count <= 64
      && name.utf8.allSatisfy { $0.isDigit || (0x41...0x5A).contains($0 & 0xDF) || "-_.".utf8.contains($0) }
  }

  /// An empty description clears it.
  mutating func update(from form: Form, in context: RequestContext) {
    guard let description = form["Description"] else { return }
    self.description = description.isEmpty ? nil : description
  }

  /// Its buckets go with it.
  func delete(in sandbox: Sandbox) throws {
    try Bucket.deleteAll(of: sid, in: sandbox)
    try Self.table.delete(sid, in: sandbox)
  }

  func write(to json: inout JSONWriter, in context: RequestContext) {
    let url = "\(context.baseURL)/v2/Services/\(serviceSid)/RateLimits/\(sid)"
    json.member("sid", sid)
    json.member("service_sid", serviceSid)
    json.member("account_sid", context.caller.account)
    json.member("unique_name", uniqueName)
    json.member("description", description)
    createdAt.write(iso8601: "date_created", to: &json)
    updatedAt.write(iso8601: "date_updated", to: &json)
    json.member("url", url)
    json.object("links") { $0.member("buckets", joining: url, "/Buckets") }
  }
}
