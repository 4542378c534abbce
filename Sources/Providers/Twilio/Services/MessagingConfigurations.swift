import Domain
import HTTP
import JSON
import ProviderKit

// The resource `/v2/Services/{service}/MessagingConfigurations`. Source: contract 8.1.

/// The messaging service that sends a Service's texts to one country.
struct MessagingConfiguration: Equatable, Sendable {
  var serviceSid = ""
  /// ISO 3166-1 alpha-2, or `all`.
  var country = ""
  var messagingServiceSid = ""
  var createdAt = Timestamp.earliest
  var updatedAt = Timestamp.earliest

  private static let schema = Schema<MessagingConfiguration>(
    nil, "A messaging configuration.",
    [
      .required("service", \.serviceSid, .string, "The Service."),
      .required("country", \.country, .string, "The country, or all."),
      .required("messagingService", \.messagingServiceSid, .string, "The messaging service."),
      .required("createdAt", \.createdAt, .timestamp, "When it was created."),
      .required("updatedAt", \.updatedAt, .timestamp, "When it was changed."),
    ])

  fileprivate static let table = RecordTable("messagingConfiguration", of: TwilioProvider.name, schema) {
    MessagingConfiguration()
  }

  static func deleteAll(of service: String, in sandbox: Sandbox) throws {
    try table.deleteGroup(service, in: sandbox)
  }

  fileprivate var key: String { Self.key(country, of: serviceSid) }

  fileprivate static func key(_ country: String, of service: String) -> String { "\(service) \(country)" }

  fileprivate func save(in sandbox: Sandbox) throws {
    try Self.table.save(self, as: key, group: serviceSid, in: sandbox)
  }

  fileprivate func write(to json: inout JSONWriter, account: String, baseURL: String) {
    json.member("account_sid", account)
    json.member("service_sid", serviceSid)
    json.member("country", country)
    json.member("messaging_service_sid", messagingServiceSid)
    createdAt.write(iso8601: "date_created", to: &json)
    updatedAt.write(iso8601: "date_updated", to: &json)
    json.member("url", "\(baseURL)/v2/Services/\(serviceSid)/MessagingConfigurations/\(country)")
  }
}

func createMessagingConfiguration(_ context: RequestContext) throws -> Response {
  let form = try context.request.form
  form.declare(["Country", "MessagingServiceSid"])
  guard let text = form.text("Country"), let country = normalizedCountry(text) else {
    throw APIError.invalidParameter("Country", expected: "two letters of ISO 3166-1 such as US, or all")
  }
  var configuration = MessagingConfiguration()
  configuration.messagingServiceSid = try messagingService(in: form)
  configuration.serviceSid = context.service.sid
  configuration.country = country
  guard try MessagingConfiguration.table.find(configuration.key, in: context.sandbox) == nil else {
    throw APIError(code: 60213).because("Country: the Service has a configuration for \(country)")
  }
  try MessagingConfiguration.table.requireRoom(in: context.sandbox, limit: SandboxLimits.services)
  configuration.createdAt = context.sandbox.clock.now
  configuration.updatedAt = configuration.createdAt
  try configuration.save(in: context.sandbox)
  return context.response(201, configuration)
}

func fetchMessagingConfiguration(_ context: RequestContext) throws -> Response {
  try context.response(200, context.messagingConfiguration())
}

func updateMessagingConfiguration(_ context: RequestContext) throws -> Response {
  var configuration = try context.messagingConfiguration()
  configuration.messagingServiceSid = try messagingService(in: context.request.form)
  configuration.updatedAt = context.sandbox.clock.now
  try configuration.save(in: context.sandbox)
  return context.response(200, configuration)
}

func deleteMessagingConfiguration(_ context: RequestContext) throws -> Response {
  try MessagingConfiguration.table.delete(context.messagingConfiguration().key, in: context.sandbox)
  return Response(204)
}

func listMessagingConfigurations(_ context: RequestContext) throws -> Response {
  let (account, baseURL) = (context.caller.account, context.baseURL)
  return try Page(of: context, MessagingConfiguration.table, group: context.service.sid)
    .response(key: "messaging_configurations", baseURL: baseURL) {
      $0.write(to: &$1, account: account, baseURL: baseURL)
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

extension RequestContext {
  /// The configuration of the path's country.
  fileprivate func messagingConfiguration() throws -> MessagingConfiguration {
    let text = request[parameter: "country"]
    let key = MessagingConfiguration.key(normalizedCountry(text) ?? text, of: service.sid)
    guard let found = try MessagingConfiguration.table.find(key, in: sandbox) else {
      throw notFound("no messaging configuration for \(text) in Service \(service.sid)")
    }
    return found
  }

  fileprivate func response(_ status: Status, _ configuration: MessagingConfiguration) -> Response {
    .json(
      status, JSONWriter.object { configuration.write(to: &$0, account: caller.account, baseURL: baseURL) })
  }
}
