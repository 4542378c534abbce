import Domain
import HTTP

/// One operation of the control API with what its description says.
struct Operation {
  /// The form of an answer.
  enum Answer: String {
    case json = "application/json"
    case text = "text/plain"
  }

  let route: Route<Sandbox>
  let summary: String
  let query: Query
  let body: BodySchema?
  let answer: Answer

  init(
    _ route: Route<Sandbox>, _ summary: String, query: Query = [], body: BodySchema? = nil,
    answer: Answer = .json
  ) {
    self.route = route
    self.summary = summary
    self.query = query
    self.body = body
    self.answer = answer
  }

  /// The route, which refuses a query where the operation takes none; one that takes fields refuses others itself.
  var strictRoute: Route<Sandbox> {
    guard query.isEmpty, route.pattern.description.hasPrefix("/control/"), let handler = route.handler else {
      return route
    }
    return .deferred(route.method, route.pattern, as: route.name, bodyLimit: route.bodyLimit) {
      request, sandbox in
      try request.query.requireAllRead()
      return try handler(request, sandbox)
    }
  }

  /// The query's fields: their names with what they mean.
  typealias Query = [(name: String, type: String, meaning: String)]
}

extension Operation.Query {
  private static var wait: Element { ("wait", "integer", "Seconds to wait for an answer, 30 at most.") }
  private static var after: Element { ("after", "integer", "Only what came after this cursor.") }

  static var inbox: Self {
    [
      ("channel", "string", "Only this channel: sms, call, whatsapp, email, rcs, push, …"),
      ("provider", "string", "Only messages of this provider."), after, wait,
    ]
  }

  static var messages: Self {
    [("number", "string", "Only messages to this phone number or email address.")] + inbox
  }

  static var verifications: Self {
    [
      ("provider", "string", "Only verifications of this provider."),
      ("number", "string", "Only those of this phone number or email address."), after,
    ]
  }

  static var records: Self {
    [("kind", "string", "Only records of this kind, in the provider's word."), after]
  }

  static var token: Self { [("token", "string", "Only those to this push token.")] }

  static var pushAttempts: Self { token + [after] }

  static var pushes: Self {
    token + [
      ("number", "string", "Only those to this phone number."),
      ("provider", "string", "Only those of this provider, or whose data are for its SDK."),
      ("type", "string", "Only those whose data have this type."),
      ("state", "string", "Only those whose question is pending, approved, denied or expired."), after, wait,
    ]
  }

  static var events: Self { [after, wait] }

  static var journal: Self {
    [
      ("provider", "string", "Only requests to this provider."),
      ("route", "string", "Only requests to the route of this name."),
      ("method", "string", "Only requests of this method."),
      ("status", "integer", "Only requests answered with this status."),
      ("contains", "string", "Only requests that carry this text in path, query or body."), after,
    ]
  }

  static var webhooks: Self {
    [
      ("provider", "string", "Only webhooks of this provider."),
      ("kind", "string", "Only those of this kind, in the provider's own word."),
      ("state", "string", "Only those in this state: pending, delivered, failed, refused, dropped."), after,
      wait,
    ]
  }

  static var journalWait: Self { journal + [wait] }
}
