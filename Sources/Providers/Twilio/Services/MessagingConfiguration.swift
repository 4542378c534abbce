import ProviderKit

// The resource `/v2/Services/{service}/MessagingConfigurations`. Source: contract 8.1.

/// The messaging service that sends a Service's texts to one country.
struct MessagingConfiguration: ServiceResource, Equatable {
  var serviceSid = ""
  /// ISO 3166-1 alpha-2, or `all`.
  var country = ""
  var messagingServiceSid = ""
  var createdAt = Timestamp.earliest
  var updatedAt = Timestamp.earliest

  private static let schema = Schema<MessagingConfiguration>([
    .required("service", \.serviceSid, .string),
    .required("country", \.country, .string),
    .required("messagingService", \.messagingServiceSid, .string),
    .required("createdAt", \.createdAt, .timestamp),
    .required("updatedAt", \.updatedAt, .timestamp),
  ])

  static let table = RecordTable("messagingConfiguration", of: TwilioProvider.name, schema) {
    MessagingConfiguration()
  }
  static let listKey: StaticString = "messaging_configurations"

  /// The configuration of the path's country.
  static func named(by context: RequestContext) throws -> MessagingConfiguration {
    let text = context.request[parameter: "country"]
    let key = key(normalizedCountry(text) ?? text, of: context.service.sid)
    guard let found = try table.find(key, in: context.sandbox) else {
      throw context.notFound("no messaging configuration for \(text) in Service \(context.service.sid)")
    }
    return found
  }

  var key: String { Self.key(country, of: serviceSid) }
  var group: String { serviceSid }

  private static func key(_ country: String, of service: String) -> String { "\(service) \(country)" }

  static func create(_ context: RequestContext) throws -> Response {
    let form = try context.request.form
    form.declare(["Country", "MessagingServiceSid"])
    guard let text = form.text("Country"), let country = normalizedCountry(text) else {
      throw APIError.invalidParameter("Country", expected: "two letters of ISO 3166-1 such as US, or all")
    }
    var configuration = MessagingConfiguration()
    configuration.messagingServiceSid = try messagingService(in: form)
    configuration.serviceSid = context.service.sid
    configuration.country = country
    guard try table.find(configuration.key, in: context.sandbox) == nil else {
      throw APIError(code: 60213).because("Country: the Service has a configuration for \(country)")
    }
    try table.requireRoom(in: context.sandbox, limit: SandboxLimits.services)
    try configuration.insert(in: context.sandbox)
    return configuration.response(201, in: context)
  }

  mutating func update(from form: Form, in context: RequestContext) throws {
    messagingServiceSid = try messagingService(in: form)
  }

  func write(to json: inout JSONWriter, in context: RequestContext) {
    json.member("account_sid", context.caller.account)
    json.member("service_sid", serviceSid)
    json.member("country", country)
    json.member("messaging_service_sid", messagingServiceSid)
    createdAt.write(iso8601: "date_created", to: &json)
    updatedAt.write(iso8601: "date_updated", to: &json)
    json.member(
      "url", "\(context.baseURL)/v2/Services/\(serviceSid)/MessagingConfigurations/\(country)")
  }
}

/// `US` for `us`; `all` in any letter case; nil for other texts.
private func normalizedCountry(_ text: String) -> String? {
  if text.lowercased() == "all" { return "all" }
  let code = text.uppercased()
  return Country.isCode(code) ? code : nil
}

private func messagingService(in form: Form) throws(APIError) -> String {
  guard let sid = form.text("MessagingServiceSid"), SidKind.messagingService.matches(sid) else {
    throw .invalidParameter("MessagingServiceSid", expected: "MG and 32 hex digits")
  }
  return sid
}
