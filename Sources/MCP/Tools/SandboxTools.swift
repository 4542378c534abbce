import Console
import Control
import ProviderKit

/// Sandboxes, and how apps use them.
struct SandboxTools {
  private let sandboxes: Sandboxes
  private let providers: [any Provider.Type]
  private let maker: ToolMaker

  init(_ sandboxes: Sandboxes, _ providers: [any Provider.Type], _ maker: ToolMaker) {
    self.sandboxes = sandboxes
    self.providers = providers
    self.maker = maker
  }

  private static let phones = """
    Every number has a phone. The last two digits of fictional numbers such as +12025550130 let something go wrong \
    (resource \(ResourceTable.carrierGuide)); +12025550100 has everything, also mobile data for silent checks, and \
    +12025550170 to +12025550198 are plain.
    """

  var all: [Tool] {
    [
      Tool(
        "show_sandbox", "Show how to use the sandbox", .reads,
        """
        Show what an app needs to use the sandbox of this connection: base URL, clock, failures that are on, and with \
        provider its environment variables, credentials, how to sign, and shell commands for an app's first request and \
        for the check of a code. Begin with it, or with start_sandbox if tests or other agents use the same server.
        """, [maker.provider("Only this provider, with all that an app needs.")], action: show
      ),
      Tool(
        "start_sandbox", "Start a sandbox", .changes,
        """
        Start another sandbox, apart from all others: with credentials, messages, clock and failures of its own. Give \
        its name as sandbox to all other tools. The answer is that of show_sandbox.
        """,
        [
          .init("name", .string(), "Its name: 1 to 64 letters, digits, -, _ or . By default a new one."),
          .init(
            "clock", .string(),
            "Stops its clock at this time, such as 2026-01-05T10:20:30Z. By default it runs."),
          maker.provider("Only this provider, with all that an app needs."),
        ], action: start),
      Tool(
        "list_sandboxes", "List the sandboxes", .reads,
        """
        List the names of the sandboxes of the server, as other tools take them in sandbox.
        """,
        [
          .init("after", .string(), "The cursor of an answer, for the names after it."), ToolPage.limit(100),
        ],
        action: list),
      maker.tool(
        "delete_sandbox", "Delete a sandbox", .removes,
        "Delete a sandbox that start_sandbox has made, with all its data.", operation: "deleteSandbox",
        only: ["name"]),
      maker.tool(
        "reset_sandbox", "Reset the sandbox", .removes,
        """
        Set the sandbox back to its start: messages, verifications, failures and the journal of requests are gone, and \
        the credentials stay.
        """, operation: "reset", only: [],
        present: { $0.with { .object([.init(name: "reset", value: $0["name"] ?? .null)]) } }),
    ]
  }

  private func show(_ arguments: Fields, _ calls: ControlCalls) throws -> Reply {
    let provider = try provider(arguments)
    return calls.send(.get, "/control/sandboxes/\(calls.sandbox)").map {
      described($0, provider, calls)
    }
  }

  /// The control API decides who may list sandboxes. What it says of each is more than names.
  private func list(_ arguments: Fields, _ calls: ControlCalls) throws -> Reply {
    let after = try arguments.optionalString("after") ?? ""
    let limit = try ToolPage.limit(arguments) ?? 100
    return calls.send(.get, "/control/sandboxes?limit=1").map { answer in
      guard answer.isSuccess else { return answer }
      let names = sandboxes.page(after: after, limit: limit + 1).map(\.name)
      let shown = names.prefix(limit)
      return .json(200) { json in
        json.array("sandboxes", shown) { $0.value($1) }
        json.member("cursor", shown.last ?? after)
        json.member("hasMore", names.count > limit)
      }
    }
  }

  private func start(_ arguments: Fields, _ calls: ControlCalls) throws -> Reply {
    let provider = try provider(arguments)
    let members = try ["name", "clock"].compactMap { name in
      try arguments.optionalJSON(name).map { JSON.Member(name: name, value: $0) }
    }
    return calls.send(.post, "/control/sandboxes", body: .object(members)).map {
      described($0, provider, calls)
    }
  }

  private func provider(_ arguments: Fields) throws(FieldError) -> String? {
    guard arguments.has("provider") else { return nil }
    return try arguments.value("provider", FieldType<String>.oneOf(providers.map { $0.name }))
  }

  /// The answer of the control API, with what it does not know: the variables and programs of providers.
  private func described(_ answer: Response, _ provider: String?, _ calls: ControlCalls) -> Response {
    answer.with { view in
      guard let name = view["name"]?.text, let sandbox = sandboxes[name] else { return view }
      let url = sandbox.baseURL(requestOrigin: calls.request.origin)
      var shown: [JSON.Member] = [.init("sandbox", name), .init("baseUrl", url)]
      shown += ["https", "gateway"].compactMap { kind in
        view["urls"]?[kind].map { .init(name: "\(kind)Url", value: $0) }
      }
      shown += ["token", "clock"].compactMap { kind in view[kind].map { .init(name: kind, value: $0) } }
      let rules = RuleKinds.all.flatMap { FailureTools.rules(at: $0.controlPath, calls) }
      shown += [.init("phones", Self.phones), .init(name: "failuresOn", value: .array(rules))]
      guard let one = providers.first(where: { $0.name == provider }) else {
        let names = providers.map { $0.name }.joined(separator: ", ")
        return .object(
          shown + [.init("providers", "\(names). Call show_sandbox with provider for what an app needs.")])
      }
      return .object(shown + [.init("providers", [.init(one.name, members(of: one, sandbox, url, view))])])
    }
  }

  private func members(
    of provider: any Provider.Type, _ sandbox: Sandbox, _ url: String, _ view: JSON
  ) -> [JSON.Member] {
    let guide = JSON.Member("guide", ResourceTable.guide(of: provider.name))
    guard let examples = try? ProviderExamples(of: provider, in: sandbox, at: url) else { return [guide] }
    let files = provider.variables.compactMap { variable -> JSON.Member? in
      guard case .fileOf(let credential, let type) = variable.content else { return nil }
      return .init(variable.name, "the path of a file .\(type) with the credential \(credential)")
    }
    let signsWithKey = provider.webhookSender?.signsWithKey ?? false
    return [
      .init("title", examples.title), .init("baseUrl", url),
      .init("environment", examples.variables.map { .init($0.name, $0.value) } + files),
      .init(name: "credentials", value: view["credentials"]?[provider.name] ?? .object([])),
      .init("signing", provider.signing),
      .init("webhookKey", signsWithKey ? (try? sandbox.keys[.webhooks])?.publicPEM : nil),
      .init("firstRequest", examples.first), .init("checkOfCode", examples.check), guide,
    ].filter { $0.value != .null }
  }
}
