/// One operation of the control API, with the shapes of its request and its answers.
///
/// ```swift
/// Operation(
///   .get("/control/entropy", as: "fetchEntropy", api.fetchEntropy), access: .participant,
///   "Get the random seed.", .json(RandomSeed.schema))
/// ```
/// It becomes a line of a table in `ControlAPI.swift`. Route, access check, `Cache-Control` and
/// `/control/openapi.json` follow from it.
package struct Operation {
  package let route: Route<Sandbox>
  /// True if answers have credentials, tokens, codes or join phrases: no cache may keep them.
  let isSecret: Bool
  let summary: String
  /// Captures of the path that need another description than `Parameter.path` has.
  private let path: [ObjectSchema.Member]
  package let query: [ObjectSchema.Member]
  /// Shapes are made when somebody asks for them, not at each start.
  private let makeBody: () -> ObjectSchema?
  let answers: [Answer]

  /// The body of some answers, by status.
  struct Answer {
    enum Content {
      case empty
      case text
      /// A file of this media type.
      case file(String)
      case json(() -> JSONSchema, JSONSchema.Direction)
    }

    let statuses: [Int]
    let content: Content

    /// Status 204.
    static var empty: Answer { Answer(statuses: [204], content: .empty) }
    static var text: Answer { Answer(statuses: [200], content: .text) }
    static func file(_ type: String) -> Answer { Answer(statuses: [200], content: .file(type)) }
    static var anyJSON: Answer { Answer(statuses: [200], content: .json({ .map(.any) }, .response)) }

    static func json<Record>(_ schema: @autoclosure @escaping () -> Schema<Record>, _ statuses: Int...)
      -> Answer
    {
      json({ .object(schema().object) }, statuses)
    }

    static func page<Entry, Cursor>(_ schema: @autoclosure @escaping () -> PageSchema<Entry, Cursor>)
      -> Answer
    {
      json({ .object(schema().object) }, [])
    }

    /// An answer that has the shape of a request, so that it can be sent back.
    static func request(_ schema: @autoclosure @escaping () -> ObjectSchema) -> Answer {
      Answer(statuses: [200], content: .json({ .object(schema()) }, .request))
    }

    /// An answer of one of several shapes.
    static func json(anyOf schemas: @autoclosure @escaping () -> [JSONSchema], _ statuses: Int...) -> Answer {
      json({ .anyOf(schemas()) }, statuses)
    }

    private static func json(_ schema: @escaping () -> JSONSchema, _ statuses: [Int]) -> Answer {
      Answer(statuses: statuses.isEmpty ? [200] : statuses, content: .json(schema, .response))
    }
  }

  init(
    _ route: Route<Sandbox>, access: Access, secret: Bool = false, _ summary: String,
    path: [ObjectSchema.Member] = [], query: [ObjectSchema.Member] = [],
    body: @autoclosure @escaping () -> ObjectSchema? = nil, _ answers: Answer...
  ) {
    self.route = route.open(to: access)
    isSecret = secret
    self.summary = summary
    self.path = path
    self.query = query
    makeBody = body
    self.answers = answers
  }

  package var body: ObjectSchema? { makeBody() }

  package var captures: [ObjectSchema.Member] {
    route.pattern.names.compactMap { name in path.first { $0.name == name } ?? Parameter.path[name] }
  }

  /// The route, which rejects query parameters that the operation does not have.
  var strictRoute: Route<Sandbox> {
    let isOfAPI = route.pattern.description.hasPrefix("/control/")
    guard isOfAPI || isSecret, let handler = route.handler else { return route }
    let (known, isSecret) = (query.map(\.name), isSecret)
    return .deferred(route.method, route.pattern, as: route.name, bodyLimit: route.bodyLimit) {
      request, sandbox in
      if isOfAPI, let unknown = try request.query.pairs.first(where: { !known.contains($0.name) }) {
        throw ControlProblem(unknownParameter: unknown.name, known: known)
      }
      let reply = try handler(request, sandbox)
      return isSecret ? reply.uncached : reply
    }
    .open(to: route.access)
  }
}

extension Reply {
  /// The same, for no cache to keep.
  fileprivate var uncached: Reply {
    switch self {
    case .now(let response): .now(response.uncached)
    case .after(let delay, let response): .after(delay, response.uncached)
    case .streamed(let response, let body): .streamed(response.uncached, body)
    case .pending(let reply):
      .pending(
        PendingReply(within: reply.timeout) {
          try reply.reply()?.uncached
        } onTimeout: {
          try reply.onTimeout().uncached
        })
    // Handled again later, or no answer with a body.
    case .blocked, .webSocket: self
    }
  }
}

/// A record that is read from a request's body.
protocol RequestBody: Sendable {
  static var schema: Schema<Self> { get }
  init()
}

extension Request {
  /// The body as a record; members that the schema does not have are errors.
  func decodeBody<Body: RequestBody>(_ type: Body.Type = Body.self) throws(FieldError) -> Body {
    var body = Body()
    let fields = try json
    do {
      try Body.schema.merge(fields, into: &body)
    } catch {
      // A misspelt name is the likely reason why another one is missing.
      throw fields.unknownName(in: Body.schema.object) ?? error
    }
    try fields.requireAllRead(of: Body.schema.object)
    return body
  }
}

extension Schema {
  func response(_ record: Record, status: Status = 200) -> Response { .json(status, encode(record)) }

  /// The shape of a list of all entries.
  static func list<Entry: Sendable>(_ name: String, _ schema: Schema<Entry>, _ summary: String) -> Schema
  where Record == [Entry] {
    Schema(nil, "", [.readOnly(name, .objects(schema), summary) { $0 }])
  }
}
