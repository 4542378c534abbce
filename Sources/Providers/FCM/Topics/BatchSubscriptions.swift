import Domain
import HTTP
import JSON
import ProviderKit

// Who hears of a topic, many at a time, as clients of the last years say it.
// Source: contract 1.6; https://developers.google.com/instance-id/reference/server

/// `POST /iid/v1:batchAdd`
func addToTopic(_ request: Request, in sandbox: Sandbox) throws -> Response {
  try eachToken(of: request, in: sandbox) { try Topic.subscribe($0, to: $1, in: sandbox) }
}

/// `POST /iid/v1:batchRemove`
func removeFromTopic(_ request: Request, in sandbox: Sandbox) throws -> Response {
  try eachToken(of: request, in: sandbox) { try Topic.unsubscribe($0, from: $1, in: sandbox) }
}

/// Changes the subscriptions of all tokens that are known, and says of each how it went.
private func eachToken(
  of request: Request, in sandbox: Sandbox, _ change: (_ token: String, _ topic: String) throws -> Void
) throws -> Response {
  do {
    return try signedIn(request, for: nil, in: sandbox) {
      let fields = try request.json
      let (topic, tokens) = (try topic(fields), try tokens(fields))
      let errors = try tokens.map { token in
        let error = try lookupError(of: token, in: sandbox)
        if error == nil { try change(token, topic) }
        return error
      }
      return .json(
        200,
        JSONWriter.object { json in
          json.array("results", errors) { json, error in
            json.value { if let error { $0.member("error", error) } }
          }
        })
    }
  } catch let problem as Problem {
    throw TopicProblem(problem)
  }
}

private func topic(_ fields: Fields) throws -> String {
  let name = try fields.string("to")
  guard name.hasPrefix("/topics/"), Topic.isName(String(name.dropFirst(8))) else {
    throw TopicProblem(status: 400, error: "InvalidTopicName", why: "\(name) is not /topics/ and a name")
  }
  return String(name.dropFirst(8))
}

private func tokens(_ fields: Fields) throws -> [String] {
  let tokens = try fields.strings("registration_tokens")
  guard (1...mostTokens).contains(tokens.count) else {
    throw TopicProblem(
      status: 400, error: "InvalidArgument", why: "1 to \(mostTokens) tokens are changed at a time")
  }
  return tokens
}

/// What is wrong with a token; nil: nothing.
private func lookupError(of token: String, in sandbox: Sandbox) throws -> String? {
  switch try recipient(of: token, in: sandbox) {
  case .device(let device): device.tokenState == .unregistered ? "NOT_FOUND" : nil
  case .former: "NOT_FOUND"
  case .malformed: "INVALID_ARGUMENT"
  }
}

/// The most tokens of one request. Source: firebase-admin, which allows no more
private let mostTokens = 1000

/// A refusal of the topic service, which says no more than one text.
struct TopicProblem: ResponseError, Equatable {
  /// The HTTP status.
  let status: Status
  /// What is wrong.
  let error: String
  /// For the journal: what really happened.
  var why: String?

  /// A refusal from its parts.
  init(status: Status, error: String, why: String? = nil) {
    self.status = status
    self.error = error
    self.why = why
  }

  /// What the vendor's other APIs refuse too.
  init(_ problem: Problem) {
    self.init(status: problem.status, error: problem.message, why: problem.why)
  }

  /// The one member that there is.
  var response: Response { .json(status, JSONWriter.object { $0.member("error", error) }) }
}
