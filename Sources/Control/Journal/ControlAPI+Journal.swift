/// The journal of requests and answers, and the log of events.
extension ControlAPI {
  func listJournal(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let filter = try journalFilter(request.query)
    return try list(Self.exchangePage, request) {
      candidates(filter, sandbox.journal.exchanges(after: $0, limit: $1), sandbox)
    } newestFirst: {
      candidates(filter, sandbox.journal.exchanges(before: $0, limit: $1), sandbox)
    }
  }

  func waitForJournal(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let filter = try journalFilter(request.query)
    let range = try PageRange<Int>(request.query)
    let timeout = try timeout(request.query)
    let start = range.after ?? 0
    var search = JournalSearch(filter, in: sandbox, after: start)
    let follow = { (sandbox: Sandbox) throws -> Reply in
      try wait(timeout, sandbox) { sandbox in
        if !search.continues(in: sandbox) { search = JournalSearch(filter, in: sandbox, after: start) }
        guard let first = search.find() else { return nil }
        return Self.exchangePage.reply(range.after(first - 1)) {
          candidates(filter, sandbox.journal.exchanges(after: $0, limit: $1), sandbox)
        }
      } onTimeout: { _ in
        throw ControlProblem.notFound("such request in the journal yet")
      }
    }
    guard filter.hasTexts else { return try follow(sandbox) }
    return reply(
      after: sandboxes.start(search.steps),
      reply: {
        try follow(sandboxes[sandbox.name] ?? sandbox)
      })
  }

  private func candidates(
    _ filter: JournalFilter, _ exchanges: [Journal.Exchange], _ sandbox: Sandbox
  ) -> [(cursor: Int, entry: MaskedExchange?)] {
    exchanges.map { ($0.ordinal, filter.matches($0) ? MaskedExchange($0, in: sandbox) : nil) }
  }

  /// An unknown provider or route is an error: the filter would never match, and a claim of none would always
  /// hold.
  private func journalFilter(_ query: Form) throws -> JournalFilter {
    let filter = try JournalFilter(query)
    try sandboxes.seeds.names.validate(provider: filter.provider, route: filter.route)
    return filter
  }

  func fetchExchange(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let id = request[parameter: "id"]
    guard let found = exchange(id, in: sandbox) else {
      throw ControlProblem.notFound("request \(id) in the journal")
    }
    return Self.exchangeSchema.response(MaskedExchange(found, in: sandbox))
  }

  /// The request with this id, or the latest.
  func exchange(_ id: String, in sandbox: Sandbox) -> Journal.Exchange? {
    id == "latest" ? sandbox.journal.last : Journal.Exchange.ordinal(of: id).flatMap(sandbox.journal.find)
  }

  /// 200 if the claim is right, else 409; both with the number of matching requests.
  func verifyJournal(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let claim = try request.decodeBody(JournalClaim.self)
    try sandboxes.seeds.names.validate(
      provider: claim.match?.provider, route: claim.match?.route, in: "$.match")
    let search = JournalSearch(claim.match ?? JournalFilter(), in: sandbox, after: 0)
    let answer = {
      search.findAll()
      let result = JournalResult(verified: claim.holds(for: search.count), count: search.count)
      return JournalResult.schema.response(result, status: result.verified ? 200 : 409)
    }
    guard claim.match?.hasTexts == true else { return .now(answer()) }
    return reply(after: sandboxes.start(search.steps), answer)
  }

  func clearJournal(_ request: Request, _ sandbox: Sandbox) -> Response {
    sandbox.journal.clear()
    return Response(204)
  }

  func listEvents(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    try waitingList(Self.eventPage, request, sandbox) { sandbox, after, limit in
      try sandbox.events.after(after, limit: limit).map { ($0.ordinal, $0) }
    } newestFirst: { before, limit in
      try sandbox.events.before(before, limit: limit).map { ($0.ordinal, $0) }
    }
  }

  static let eventPage = PageSchema<Event, Int>("events", eventSchema, "The events, oldest first.")

  static let eventSchema = Schema<Event>(
    "Event", "Something that happened in the sandbox.",
    [
      .readOnly("id", .integer, "The event's ordinal in the sandbox.") { $0.ordinal },
      .readOnly("at", .preciseTimestamp, "When it happened.") { $0.at },
      .readOnly("kind", .word, "The kind.") { $0.kind },
      .readOnly("provider", .string, "The provider; null for events of the network.") {
        $0.provider.isEmpty ? nil : $0.provider
      },
      .readOnly("to", .string, "The phone number, email address or URL.") { $0.destination },
    ])

  static let exchangePage = PageSchema<MaskedExchange, Int>(
    "requests", exchangeSchema, "The requests, oldest first.", batch: 4)

  static let exchangeSchema = Schema<MaskedExchange>(
    "Exchange", "A request with its answer, secrets masked.",
    [
      .readOnly("id", .string, "The id.") { $0.exchange.id },
      .readOnly("at", .preciseTimestamp, "When it was answered.") { $0.exchange.at },
      .readOnly("provider", .string, "The owner of the route; null for an unknown path.") {
        $0.exchange.owner.isEmpty ? nil : $0.exchange.owner
      },
      .readOnly("route", .string, "The route's name; null if no route matched.") { $0.exchange.route },
      .readOnly("request", .object(requestSchema), "The request.") { $0 },
      .readOnly("response", .object(responseSchema), "The answer.") { $0 },
      .readOnly("why", .string, "For an error: the reason, in plain words.") { $0.exchange.why },
      .readOnlyIfPresent("change", .string, "What to change, where that is known.") { $0.exchange.change },
      .readOnly("unread", .array(of: .string), "Fields that the client sent and no handler read.") {
        $0.exchange.unread
      },
      .readOnlyIfPresent(
        "delayMs", .integer, "How long the answer was held back: by latency, a fault, or the route itself."
      ) {
        $0.exchange.delay == .zero ? nil : Int($0.exchange.delay.milliseconds)
      },
      .readOnlyIfPresent("nearest", .array(of: .string), "For an unknown path: the most similar routes.") {
        $0.exchange.nearest.isEmpty ? nil : $0.exchange.nearest
      },
    ])

  private static let requestSchema = Schema<MaskedExchange>(
    nil, "",
    [
      .readOnly("method", .string, "The method.") { $0.exchange.method },
      .readOnly("target", .string, "Path and query.") { $0.target },
      .readOnly("headers", .array(of: .string), "The header lines.") { $0.requestHead },
      .readOnly("body", .string, "The body.") { $0.requestBody },
    ])

  private static let responseSchema = Schema<MaskedExchange>(
    nil, "",
    [
      .readOnly("status", .integer, "The status.") { $0.exchange.status },
      .readOnly("headers", .array(of: .string), "The header lines.") { $0.responseHead },
      .readOnly("body", .string, "The body.") { $0.responseBody },
    ])
}

extension Journal.Exchange {
  private static let idPrefix = "req_"

  package var id: String { "\(Self.idPrefix)\(ordinal)" }

  /// Nil for a text that is no id.
  package static func ordinal(of id: String) -> Int? {
    id.hasPrefix(idPrefix) ? Int(id.dropFirst(idPrefix.count)) : nil
  }
}

extension JournalFilter {
  init(_ query: Form) throws(FormError) {
    self.init()
    provider = try Parameter.provider.value(in: query)
    route = try Parameter.route.value(in: query)
    method = try Parameter.method.value(in: query)
    status = try Parameter.status.value(in: query)
    contains = try Parameter.contains.value(in: query)
    answerContains = try Parameter.answerContains.value(in: query)
  }

  func matches(_ exchange: Journal.Exchange) -> Bool { matches(exchange, search: Self.search) }

  /// Finds a text as it is, or in percent-encoded bytes.
  static func search(_ text: String, in bytes: [UInt8]) -> Bool {
    let search = ByteSearch(for: text)
    if search.isFound(in: bytes) { return true }
    guard bytes.contains(UInt8(ascii: "%")) else { return false }
    return PercentCoding.decode(bytes, plusIsSpace: false).map { search.isFound(in: Array($0.utf8)) } ?? false
  }
}

struct JournalClaim: RequestBody {
  var match: JournalFilter?
  var count: Int?
  var atLeast: Int?
  var atMost: Int?

  static let schema = Schema<JournalClaim>(
    "JournalClaim", "A claim about the number of matching requests; one or more by default.",
    [
      .nullableNested(
        "match", \.match, JournalFilter.schema, from: { JournalFilter() }, "The requests; all by default."),
      .optional("count", \.count, .count, "The exact number."),
      .optional("atLeast", \.atLeast, .count, "The minimum number."),
      .optional("atMost", \.atMost, .count, "The maximum number."),
    ])

  func holds(for found: Int) -> Bool {
    (count == nil || found == count) && found >= (atLeast ?? (count == nil && atMost == nil ? 1 : 0))
      && found <= (atMost ?? Int.max)
  }
}

struct JournalResult: Sendable {
  let verified: Bool
  let count: Int

  static let schema = Schema<JournalResult>(
    "JournalResult", "The result of a claim.",
    [
      .readOnly("verified", .boolean, "True if the claim is right.") { $0.verified },
      .readOnly("count", .integer, "The number of matching requests.") { $0.count },
    ])
}
