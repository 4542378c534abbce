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
  return .json(201) { webhook.write(to: &$0, in: context) }
}

func fetchWebhook(_ context: RequestContext) throws -> Response {
  let webhook = try ServiceWebhook.named(by: context)
  return .json(200) { webhook.write(to: &$0, in: context) }
}

func updateWebhook(_ context: RequestContext) throws -> Response {
  var webhook = try ServiceWebhook.named(by: context)
  try webhook.apply(try context.request.form, isNew: false)
  webhook.updatedAt = context.sandbox.clock.now
  try webhook.save(of: context.service, in: context.sandbox)
  return .json(200) { webhook.write(to: &$0, in: context) }
}

/// Events that are waiting to be sent are still sent.
func deleteWebhook(_ context: RequestContext) throws -> Response {
  try ServiceWebhook.named(by: context).delete(of: context.service, in: context.sandbox)
  return Response(204)
}

func listWebhooks(_ context: RequestContext) throws -> Response {
  try Page(of: context, ServiceWebhook.table, group: context.service.sid)
    .response(key: "webhooks", baseURL: context.baseURL) { $0.write(to: &$1, in: context) }
}

extension ServiceWebhook {
  fileprivate func write(to json: inout JSONWriter, in context: RequestContext) {
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
