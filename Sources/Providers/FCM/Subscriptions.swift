import ProviderKit

// Subscriptions of one token, as current SDKs change them. Source: firebase-admin for Python 7.7.0

/// `POST /v1/projects/{project}/registrations/{token}/topicSubscriptions?topic_name=…`
func createSubscription(_ context: RequestContext) throws -> Response {
  let query = try context.request.query
  let topic = try validTopic(query["topic_name"] ?? query["topicName"], field: "topic_name")
  let token = try registeredToken(of: context)
  if try Topic.isSubscribed(token, to: topic, in: context.sandbox) { throw APIError.alreadyExists }
  try Topic.subscribe(token, to: topic, in: context.sandbox)
  let name = "projects/\(context.project)/registrations/\(token)/topicSubscriptions/\(topic)"
  return .google(200, JSONWriter.object { $0.member("name", name) })
}

/// `DELETE /v1/projects/{project}/registrations/{token}/topicSubscriptions/{topic}?allow_missing=true`
func deleteSubscription(_ context: RequestContext) throws -> Response {
  let topic = try validTopic(context.request[parameter: "topic"], field: "name")
  let token = try registeredToken(of: context)
  let query = try context.request.query
  let allowsMissing = (query["allow_missing"] ?? query["allowMissing"]) == "true"
  let isSubscribed = try Topic.isSubscribed(token, to: topic, in: context.sandbox)
  guard isSubscribed || allowsMissing else { throw APIError.notFound }
  try Topic.unsubscribe(token, from: topic, in: context.sandbox)
  return .google(200, JSONWriter.object { _ in })
}

private func validTopic(_ name: String?, field: String) throws(APIError) -> String {
  guard let name, Topic.isName(name) else {
    throw APIError([Violation(field: field, description: "Malformed topic name")], code: .invalidArgument)
  }
  return name
}

/// The token of the path, if it is a device's.
private func registeredToken(of context: RequestContext) throws -> String {
  let token = context.request[parameter: "token"]
  let device = try RegisteredDevice.find(of: token, context.settings, in: context.sandbox)
  guard device.tokenState != .unregistered else {
    throw APIError.unregistered(context.settings).because("the token's state is unregistered")
  }
  return token
}

// The topic service, as older SDKs use it: many tokens at a time.
// Source: contract 1.6; https://developers.google.com/instance-id/reference/server

/// `POST /iid/v1:batchAdd`
func addToTopic(_ context: RequestContext) throws -> Response {
  try changeEachToken(of: context) { try Topic.subscribe($0, to: $1, in: context.sandbox) }
}

/// `POST /iid/v1:batchRemove`
func removeFromTopic(_ context: RequestContext) throws -> Response {
  try changeEachToken(of: context) { try Topic.unsubscribe($0, from: $1, in: context.sandbox) }
}

/// Changes the subscriptions of all tokens with a device. The response has an error for each other token.
private func changeEachToken(
  of context: RequestContext, _ change: (_ token: String, _ topic: String) throws -> Void
) throws -> Response {
  let fields = try context.request.json
  let topic = try batchTopic(fields)
  let tokens = try batchTokens(fields)
  let errors = try tokens.map { token in
    let error = try batchError(of: token, context.settings, in: context.sandbox)
    if error == nil { try change(token, topic) }
    return error
  }
  return .json(200) { json in
    json.array("results", errors) { json, error in
      json.value { if let error { $0.member("error", error) } }
    }
  }
}

/// Nil for a token with a device.
private func batchError(of token: String, _ settings: Settings, in sandbox: Sandbox) throws -> String? {
  do {
    let device = try RegisteredDevice.find(of: token, settings, in: sandbox)
    return device.tokenState == .unregistered ? "NOT_FOUND" : nil
  } catch let error as APIError {
    return error.code == .unregistered ? "NOT_FOUND" : "INVALID_ARGUMENT"
  }
}

private func batchTopic(_ fields: Fields) throws -> String {
  let path = try fields.string("to")
  guard path.hasPrefix("/topics/"), Topic.isName(String(path.dropFirst(8))) else {
    throw TopicError(400, "InvalidTopicName").because("to: expected /topics/NAME; found \(path)")
  }
  return String(path.dropFirst(8))
}

private func batchTokens(_ fields: Fields) throws -> [String] {
  let tokens = try fields.strings("registration_tokens")
  guard (1...maxTokens).contains(tokens.count) else {
    throw TopicError(400, "InvalidArgument")
      .because("registration_tokens: expected 1 to \(maxTokens) tokens; found \(tokens.count)")
  }
  return tokens
}

/// Source: firebase-admin, which allows no more
private let maxTokens = 1000

struct TopicError: ProviderError, Equatable {
  let status: Status
  let error: String
  /// The whole answer of Google's front end, in HTML; nil for errors of the service itself.
  private var page: String?
  var why: String?

  init(_ status: Status, _ error: String) {
    self.status = status
    self.error = error
  }

  /// An error that other services have too.
  init(_ error: APIError) {
    self.init(error.status, error.message)
    why = error.why
  }

  /// Source: contract, additions (P37)
  static let missingCredentials: TopicError = {
    var error = TopicError(.missingCredentials)
    error.page = """
      <!DOCTYPE html>
      <html lang="en">
      <head><title>Unauthorized</title></head>
      <body><h1>Unauthorized</h1><p>Error 401</p></body>
      </html>

      """
    return error
  }()

  var response: Response {
    guard let page else { return .json(status) { $0.member("error", error) } }
    return Response(status, headers: ["Content-Type": "text/html; charset=UTF-8"], body: Array(page.utf8))
  }
}
