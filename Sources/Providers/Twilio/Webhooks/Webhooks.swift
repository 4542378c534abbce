import Domain
import HTTP
import JSON
import ProviderKit

// The resource `/v2/Services/{service}/Webhooks`. Source: contract 8.2.

func createWebhook(_ context: RequestContext) throws -> Response {
  let sandbox = context.sandbox
  var webhook = ServiceWebhook()
  try webhook.apply(try context.request.form, isNew: true)
  try ServiceWebhook.table.requireRoom(in: sandbox)
  let ordinal = sandbox.nextOrdinal()
  webhook.sid = sandbox.entropy.labelledIdentifier("YW", ordinal)
  webhook.createdAt = sandbox.clock.now
  webhook.updatedAt = webhook.createdAt
  try webhook.save(of: context.service, ordinal: ordinal, in: sandbox)
  return .json(201, JSONWriter.object { context.write(webhook, to: &$0) })
}

func fetchWebhook(_ context: RequestContext) throws -> Response {
  let webhook = try context.webhook()
  return .json(200, JSONWriter.object { context.write(webhook, to: &$0) })
}

func updateWebhook(_ context: RequestContext) throws -> Response {
  var webhook = try context.webhook()
  try webhook.apply(try context.request.form, isNew: false)
  webhook.updatedAt = context.sandbox.clock.now
  try webhook.save(of: context.service, in: context.sandbox)
  return .json(200, JSONWriter.object { context.write(webhook, to: &$0) })
}

/// Events that are waiting to be sent are still sent.
func deleteWebhook(_ context: RequestContext) throws -> Response {
  try context.webhook().delete(of: context.service, in: context.sandbox)
  return Response(204)
}

func listWebhooks(_ context: RequestContext) throws -> Response {
  try Page(of: context, ServiceWebhook.table, group: context.service.sid)
    .response(key: "webhooks", baseURL: context.baseURL) { context.write($0, to: &$1) }
}

extension RequestContext {
  /// The webhook of the path.
  fileprivate func webhook() throws -> ServiceWebhook {
    let sid = request[parameter: "webhook"]
    guard let webhook = try ServiceWebhook.find(sid, of: service, in: sandbox) else {
      throw APIError.notFound(settings.notFoundPath(request.target.path))
        .because("no webhook \(sid) in Service \(service.sid)")
    }
    return webhook
  }

  fileprivate func write(_ webhook: ServiceWebhook, to json: inout JSONWriter) {
    json.member("sid", webhook.sid)
    json.member("service_sid", service.sid)
    json.member("account_sid", shownAccount)
    json.member("friendly_name", webhook.friendlyName)
    json.member("event_types", webhook.eventTypes)
    json.member("status", webhook.status.rawValue)
    json.member("version", webhook.version.rawValue)
    json.member("webhook_url", webhook.url)
    json.member("webhook_method", "POST")
    webhook.createdAt.write(iso8601: "date_created", to: &json)
    webhook.updatedAt.write(iso8601: "date_updated", to: &json)
    json.member("url", String(joining: baseURL, "/v2/Services/", service.sid, "/Webhooks/", webhook.sid))
  }
}
