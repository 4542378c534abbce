import ProviderKit

// The resource `/v2/Services/{service}/Webhooks`. Source: contract 8.2.

/// Events that are waiting to be sent are still sent after its end.
extension ServiceWebhook: ServiceResource {
  static let listKey: StaticString = "webhooks"

  /// The webhook of the path.
  static func named(by context: RequestContext) throws -> ServiceWebhook {
    let sid = context.request[parameter: "webhook"]
    guard var webhook = try table.find(key(sid, of: context.service.sid), in: context.sandbox) else {
      throw context.notFound("no webhook \(sid) in Service \(context.service.sid)")
    }
    webhook.serviceSid = context.service.sid
    return webhook
  }

  var key: String { Self.key(sid, of: serviceSid) }
  var group: String { serviceSid }

  private static func key(_ sid: String, of service: String) -> String { "\(service)/\(sid)" }

  static func create(_ context: RequestContext) throws -> Response {
    var webhook = ServiceWebhook()
    try webhook.apply(try context.request.form, isNew: true)
    try table.requireRoom(in: context.sandbox)
    let ordinal = context.sandbox.nextOrdinal()
    webhook.sid = context.sandbox.entropy.labelledIdentifier("YW", ordinal)
    webhook.serviceSid = context.service.sid
    try webhook.insert(ordinal: ordinal, in: context.sandbox)
    return webhook.response(201, in: context)
  }

  mutating func update(from form: Form, in context: RequestContext) throws {
    try apply(form, isNew: false)
  }

  func write(to json: inout JSONWriter, in context: RequestContext) {
    let service = context.service.sid
    json.member("sid", sid)
    json.member("service_sid", service)
    json.member("account_sid", context.shownAccount)
    json.member("friendly_name", friendlyName)
    json.member("event_types", eventTypes)
    json.member("status", status.rawValue)
    json.member("version", version.rawValue)
    json.member("webhook_url", url)
    json.member("webhook_method", "POST")
    createdAt.write(iso8601: "date_created", to: &json)
    updatedAt.write(iso8601: "date_updated", to: &json)
    json.member("url", String(joining: context.baseURL, "/v2/Services/", service, "/Webhooks/", sid))
  }
}
