import Control
import Domain
import HTTP
import JSON

/// The requests that apps sent, and why providers refused them.
extension ToolMaker {
  func requestTools(_ sandboxes: Sandboxes) -> [Tool] {
    [
      tool(
        "list_requests", "List the requests of the app", .reads,
        """
        List the requests that providers got, newest first, with their answers' statuses. why says what was wrong with a \
        request, unread which of its fields no provider reads, such as misspelt ones. explain_request has the details of \
        one.
        """,
        operation: "listJournal",
        only: ["provider", "route", "method", "status", "contains", "answerContains", "after", "limit"],
        naming: [
          "limit": ToolPage.limit(20), "after": ToolPage.after("requests"),
        ], fixed: [("order", "newest"), ("limit", "20")],
        present: ToolPage("requests", cursor: Self.ordinal(of:), entry: Self.short).present),
      Tool(
        "explain_request", "Explain why a request was refused", .reads,
        """
        Say why a provider refused a request or did something unexpected, and what to change: the reason, fields that \
        were misspelt, the nearest path, credentials, a code that was for another number, failures that are on. Call it \
        whenever an answer is not what you expect. The answer has the whole request and its answer, with secrets masked.
        """,
        [
          .init(
            "request", .string(),
            "The id of the request in list_requests, such as req_12. By default the newest request.")
        ]
      ) { arguments, calls in
        let given = try arguments.optionalString("request")
        let sandbox = sandboxes[calls.sandbox]
        let id = given.map { Int($0) == nil ? $0 : "req_\($0)" } ?? Self.newestRequest(sandbox)
        if id == "latest", let sandbox, sandbox.journal.last == nil {
          return .now(.text(404, Self.noRequests(in: sandbox, of: sandboxes, calls)))
        }
        let exchange = try calls.fetch("/control/journal/\(PercentCoding.encode(id))")
        let explanation = try Explanation(of: exchange, in: sandbox, sandboxes.seeds, calls)
        return .now(.json(200, explanation.json.encoded()))
      },
      tool(
        "send_request", "Send a request to a provider", .changes,
        """
        Send a request to a provider, as the app would: with method, target (path and query), headers such as \
        "Content-Type: application/x-www-form-urlencoded", and body. Or repeat a request with like, and change parts of \
        it; a signature that was right is made anew. The answer is the provider's, with secrets masked.
        """,
        operation: "sendRequest", only: ["like", "method", "target", "headers", "body"],
        naming: [
          "body": .init("body", .anyOf([.string(), .map(.any)]), "The body: a text, or an object for JSON.")
        ],
        present: { $0.with(Self.answer) }),
    ]
  }

  /// Names sandboxes that the caller may see and that have requests: agents forget to name theirs.
  private static func noRequests(
    in sandbox: Sandbox, of sandboxes: Sandboxes, _ calls: ControlCalls
  ) -> String {
    let names = ((try? calls.fetch("/control/sandboxes"))?["sandboxes"]?.items ?? [])
      .compactMap { $0.text ?? $0["name"]?.text }.filter { sandboxes[$0]?.journal.last != nil }.prefix(5)
    return "no request has reached sandbox \(sandbox.name) yet"
      + (names.isEmpty ? "" : "; requests are in \(names.joined(separator: ", ")), which sandbox can name")
  }

  /// The newest one of the app. What the journal says of webhooks and calls has no header fields.
  private static func newestRequest(_ sandbox: Sandbox?) -> String {
    let newest = sandbox?.journal.newestFirst.first {
      $0.route != nil || $0.owner.isEmpty || !$0.requestHead.isEmpty
    }
    return newest?.id ?? "latest"
  }

  /// The provider's answer in an exchange.
  static func answer(_ exchange: JSON) -> JSON {
    present([
      ("request", exchange["id"]), ("status", exchange["response"]?["status"]),
      ("body", exchange["response"]?["body"]?.parsed), ("why", exchange["why"]),
      ("change", exchange["change"]), ("unread", exchange["unread"]), ("nearest", exchange["nearest"]),
    ])
  }

  /// An object with what there is.
  static func present(_ members: [(name: String, value: JSON?)]) -> JSON {
    .object(
      members.compactMap { name, value in
        guard let value, value != .null, value != .array([]) else { return nil }
        return JSON.Member(name: name, value: value)
      })
  }

  private static func short(_ exchange: JSON) -> JSON {
    present([
      ("id", exchange["id"]), ("at", exchange["at"]), ("provider", exchange["provider"]),
      ("route", exchange["route"]), ("method", exchange["request"]?["method"]),
      ("target", exchange["request"]?["target"]), ("status", exchange["response"]?["status"]),
      ("why", exchange["why"]), ("unread", exchange["unread"]), ("nearest", exchange["nearest"]),
    ])
  }

  /// That of an id such as `req_12` or `msg_000031`, as a cursor.
  static func ordinal(of entry: JSON) -> JSON {
    entry["id"]?.text.flatMap { $0.split(separator: "_").last.flatMap { Int64($0) } }.map { .integer($0) }
      ?? entry["id"] ?? .null
  }
}

extension JSON {
  /// The document in a text; the text itself if it has none.
  var parsed: JSON {
    guard let text, "{[".contains(text.first { !$0.isWhitespace } ?? " ") else { return self }
    return (try? JSON(parsing: Array(text.utf8))) ?? self
  }

  /// An exchange whose bodies are documents, where they are JSON.
  var withParsedBodies: JSON {
    guard case .object(let members) = self else { return self }
    return .object(
      members.map { member in
        guard case .object(let parts) = member.value, ["request", "response"].contains(member.name) else {
          return member
        }
        return .init(
          member.name, parts.map { $0.name == "body" ? .init(name: $0.name, value: $0.value.parsed) : $0 })
      })
  }
}
