import Domain
import HTTP
import JSON
import ProviderKit

// The resource `/v1/omnichannel/templates`. Source: contract 9.2.

var templateRoutes: [Route<Sandbox>] {
  [
    route(.get, "/v1/omnichannel/templates", as: "listTemplates", of: .omnichannel, listTemplates),
    route(.post, "/v1/omnichannel/templates", as: "createTemplate", of: .omnichannel, createTemplate),
    route(
      .get, "/v1/omnichannel/templates/{channel}/{name}", as: "fetchTemplate", of: .omnichannel,
      fetchTemplate),
    route(
      .delete, "/v1/omnichannel/templates/{channel}/{name}", as: "deleteTemplate", of: .omnichannel,
      deleteTemplate),
  ]
}

/// `GET /v1/omnichannel/templates`
func listTemplates(_ call: Call) throws -> Response {
  let templates = try MessageTemplate.all(for: call)
  return .json(200, JSONWriter.array(templates) { $0.value(encoded: $1) })
}

/// `POST /v1/omnichannel/templates`
func createTemplate(_ call: Call) throws -> Response {
  let template = try MessageTemplate(call)
  try template.keep(for: call)
  return .json(200, template.record)
}

/// `GET /v1/omnichannel/templates/{channel}/{name}`
func fetchTemplate(_ call: Call) throws -> Response {
  .json(200, try findTemplate(call))
}

/// `DELETE /v1/omnichannel/templates/{channel}/{name}`
func deleteTemplate(_ call: Call) throws -> Response {
  let record = try findTemplate(call)
  try MessageTemplate.forget(call.request[parameter: "channel"], call.request[parameter: "name"], for: call)
  return .json(200, record)
}

private func findTemplate(_ call: Call) throws -> [UInt8] {
  let (channel, name) = (call.request[parameter: "channel"], call.request[parameter: "name"])
  guard let record = try MessageTemplate.find(channel, name, of: call.customer, in: call.sandbox)
  else {
    throw Problem(3112, 404, statusText(3112), in: call.family)
  }
  return record
}
