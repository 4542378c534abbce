import Domain
import HTTP
import JSON
import ProviderKit

// Who hears of a topic, one token at a time, as clients of today say it. Source: firebase-admin for Python 7.7.0

/// `POST /v1/projects/{project}/registrations/{token}/topicSubscriptions?topic_name=…`
func createSubscription(_ request: Request, in sandbox: Sandbox) throws -> Response {
  let project = request[parameter: "project"]
  return try signedIn(request, for: project, in: sandbox) {
    let query = try request.query
    let topic = try topic(query["topic_name"] ?? query["topicName"], field: "topic_name")
    let token = try knownToken(of: request, in: sandbox)
    if try Topic.isSubscribed(token, to: topic, in: sandbox) {
      throw Problem(409, "Requested entity already exists")
    }
    try Topic.subscribe(token, to: topic, in: sandbox)
    let path = "projects/\(project)/registrations/\(token)/topicSubscriptions/\(topic)"
    return .json(200, JSONWriter.object { $0.member("name", path) })
  }
}

/// `DELETE /v1/projects/{project}/registrations/{token}/topicSubscriptions/{topic}?allow_missing=true`
func deleteSubscription(_ request: Request, in sandbox: Sandbox) throws -> Response {
  try signedIn(request, for: request[parameter: "project"], in: sandbox) {
    let topic = try topic(request[parameter: "topic"], field: "name")
    let token = try knownToken(of: request, in: sandbox)
    let query = try request.query
    let mayMiss = (query["allow_missing"] ?? query["allowMissing"]) == "true"
    let isSubscribed = try Topic.isSubscribed(token, to: topic, in: sandbox)
    guard isSubscribed || mayMiss else { throw Problem(404, "Requested entity was not found.") }
    try Topic.unsubscribe(token, from: topic, in: sandbox)
    return .json(200, JSONWriter.object { _ in })
  }
}

private func topic(_ name: String?, field: String) throws -> String {
  guard let name, Topic.isName(name) else {
    throw Problem([Violation(field: field, description: "Malformed topic name")], code: .invalidArgument)
  }
  return name
}

/// The token of the path, where it leads to a device.
private func knownToken(of request: Request, in sandbox: Sandbox) throws -> String {
  let token = request[parameter: "token"]
  switch try recipient(of: token, in: sandbox) {
  case .device(let device) where device.tokenState == .unregistered:
    throw Problem.unregistered(why: "the token's state is unregistered")
  case .device: return token
  case .former: throw Problem.unregistered(why: "the device has a new token, or has none any more")
  case .malformed(let why): throw Problem.invalidToken("registration", why: why)
  }
}
