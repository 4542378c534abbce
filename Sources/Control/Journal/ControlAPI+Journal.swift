import Domain
import HTTP
import JSON

/// Requests and answers, for people and for tests.
extension ControlAPI {
  func listJournal(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let query = try request.query
    let match = try JournalMatch(query)
    let after = try count("after", in: query, atMost: Int.max) ?? 0
    try query.requireAllRead()
    return list(sandbox.journal.exchanges(after: after).filter { match.matches($0) }, after: after)
  }

  func waitForJournal(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let query = try request.query
    let match = try JournalMatch(query)
    let after = try count("after", in: query, atMost: Int.max) ?? 0
    let timeout = try timeout(query)
    try query.requireAllRead()
    return try wait(timeout, request, sandbox) { sandbox in
      let found = sandbox.journal.exchanges(after: after).filter { match.matches($0) }
      return found.isEmpty ? nil : list(found, after: after)
    } onTimeout: { _ in
      throw ControlProblem.notFound("such request in the journal yet")
    }
  }

  func fetchExchange(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let id = request[parameter: "id"]
    let all = sandbox.journal.exchanges
    guard let found = id == "latest" ? all.last : all.first(where: { Self.id(of: $0) == id }) else {
      throw ControlProblem.notFound("request \(id) in the journal")
    }
    return .json(200, JSONWriter.object { write(found, to: &$0) })
  }

  /// 200 when as many requests matched as claimed, else 409 with how many did.
  func verifyJournal(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let fields = try request.json
    let match = try fields.optionalObject("match").map { fields throws(FieldError) in try JournalMatch(fields)
    }
    let exactly = try fields.optionalCount("count")
    let atLeast = try fields.optionalCount("atLeast")
    let atMost = try fields.optionalCount("atMost")
    try fields.requireAllRead()
    let count = sandbox.journal.exchanges.filter { match?.matches($0) ?? true }.count
    let holds =
      (exactly == nil || count == exactly) && count >= (atLeast ?? (exactly == nil && atMost == nil ? 1 : 0))
      && count <= (atMost ?? Int.max)
    return .json(
      holds ? 200 : 409,
      JSONWriter.object {
        $0.member("verified", holds)
        $0.member("count", count)
      })
  }

  func clearJournal(_ request: Request, _ sandbox: Sandbox) -> Response {
    sandbox.journal.clear()
    return Response(204)
  }

  private func list(_ exchanges: [Journal.Exchange], after: Int) -> Response {
    .json(
      200,
      JSONWriter.object { json in
        json.array("requests", exchanges) { json, exchange in json.value { write(exchange, to: &$0) } }
        json.member("cursor", exchanges.last?.ordinal ?? after)
      })
  }

  private static func id(of exchange: Journal.Exchange) -> String { "req_\(exchange.ordinal)" }

  private func write(_ exchange: Journal.Exchange, to json: inout JSONWriter) {
    json.member("id", Self.id(of: exchange))
    json.member("at", exchange.at.iso8601Milliseconds)
    json.member("provider", exchange.owner.isEmpty ? nil : exchange.owner)
    json.member("route", exchange.route)
    json.object("request") {
      $0.member("method", exchange.method)
      $0.member("target", Masking.text(exchange.target))
      $0.member("headers", Masking.head(exchange.requestHead))
      $0.member("body", Masking.body(exchange.requestBody))
    }
    json.object("response") {
      $0.member("status", exchange.status)
      $0.member("headers", Masking.head(exchange.responseHead))
      $0.member("body", Masking.body(exchange.responseBody))
    }
    json.member("why", exchange.why)
    json.member("unread", exchange.unread)
    if !exchange.nearest.isEmpty { json.member("nearest", exchange.nearest) }
  }
}
