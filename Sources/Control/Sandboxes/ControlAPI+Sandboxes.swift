import Snapshots

/// Sandboxes and their seeds.
extension ControlAPI {
  func listSandboxes(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    try list(SandboxView.page, request) { after, limit in
      try sandboxes.page(after: after, limit: limit).map { ($0.name, try view(of: $0, request)) }
    }
  }

  func createSandbox(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let wanted = try request.decodeBody(NewSandbox.self)
    let name = try name(onShard: wanted.name ?? "sandbox-" + sandbox.requestIdentifier("name").prefix(12))
    var origin = Sandbox.Configuration()
    origin.entropySeed = wanted.entropySeed
    origin.seeds = wanted.seeds
    if let time = wanted.clock { origin.clock = .frozen(time) }
    origin.ttl = wanted.ttl
    origin.limits = wanted.limits ?? Sandbox.Limits()
    try requireUseful(origin.ttl, for: name)
    try requireRoom()
    guard let build = sandboxes.build(name, origin) else {
      throw ControlProblem(409, "sandbox \(name) exists already")
    }
    return reply(after: sandboxes.start(build)) {
      var view = try view(of: build.sandbox, request)
      view.token = tokens?.token(for: build.sandbox)
      return SandboxView.schema.response(view, status: 201)
    }
  }

  /// Changes what the body names. `null` removes a limit.
  func updateSandbox(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let named = try namedSandbox(request)
    var change = SandboxChange(ttl: named.configuration.ttl, limits: named.configuration.limits)
    let fields = try request.json
    try SandboxChange.schema.merge(fields, into: &change)
    try fields.requireAllRead(of: SandboxChange.schema.object)
    try requireUseful(change.ttl, for: named.name)
    try named.configure {
      $0.ttl = change.ttl
      $0.limits = change.limits ?? Sandbox.Limits()
    }
    return SandboxView.schema.response(try view(of: named, request))
  }

  func createSandboxToken(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let (named, tokens) = (try namedSandbox(request), try requiredTokens())
    let view = SandboxTokenView(sandbox: named.name, token: tokens.token(for: named))
    return SandboxTokenView.schema.response(view, status: 201)
  }

  /// The sandbox has another token from now on. Event streams and requests that wait with the old one end.
  func revokeSandboxToken(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let named = try namedSandbox(request)
    _ = try requiredTokens()
    try named.configure { $0.revokedTokens += 1 }
    return Response(204)
  }

  private func requiredTokens() throws(ControlProblem) -> AccessTokens {
    guard let tokens else {
      throw ControlProblem(
        409, "this server requires no token; start it with: ringfence serve --admin-token TOKEN")
    }
    return tokens
  }

  func fetchSandbox(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    SandboxView.schema.response(try view(of: namedSandbox(request), request))
  }

  func deleteSandbox(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let named = try namedSandbox(request)
    guard named.name != Sandboxes.defaultName else {
      throw ControlProblem(409, "the default sandbox cannot be deleted; reset it instead")
    }
    try named.requireFree()
    if let expected = request.headers["If-Match"], expected != named.stateTag {
      throw ControlProblem(
        412, at: "If-Match", "sandbox \(named.name) has changed since; expected \(named.stateTag)")
    }
    try sandboxes.remove(named)
    return Response(204)
  }

  func resetSandbox(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    try reset(namedSandbox(request), request)
  }

  func resetThis(_ request: Request, _ sandbox: Sandbox) throws -> Reply { try reset(sandbox, request) }

  private func reset(_ sandbox: Sandbox, _ request: Request) throws -> Reply {
    try replace(sandbox, by: sandboxes.buildReset(of: sandbox)) { build in
      SandboxView.schema.response(try view(of: build.sandbox, request))
    }
  }

  /// Answers when a sandbox has been replaced. `build` is nil if that is happening already.
  private func replace(
    _ sandbox: Sandbox, by build: SandboxBuild?, _ answer: @escaping (SandboxBuild) throws -> Response
  ) throws -> Reply {
    guard let build else { throw SandboxIsBusy(name: sandbox.name) }
    return reply(after: sandboxes.start(build)) { try answer(build) }
  }

  func exportSandbox(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    .streamed(.json(200, []), BodyPieces(try sandboxes.seeds.exportPieces(from: idleSandbox(request))))
  }

  /// A small seed is loaded at once, a large one in steps beside the sandbox, so that others need not wait.
  func seed(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    try requireRoom(for: request.body, in: sandbox)
    let answer = SeededSandbox.schema.response(SeededSandbox(name: sandbox.name))
    guard request.body.count > Self.smallSeed else {
      try sandboxes.seeds.load(request.json(limits: .seed), into: sandbox)
      return .now(answer)
    }
    return try replace(sandbox, by: sandboxes.buildSeeded(sandbox, with: request.body)) { _ in answer }
  }

  /// In bytes. Some two hundred devices fit into it, which take a fortieth of a second.
  private static let smallSeed = 8 << 10

  func fetchSnapshot(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let named = try namedSandbox(request)
    let (job, writer) = try sandboxes.startSnapshot(of: named)
    return reply(
      after: job,
      reply: {
        var response = Response.json(200, [])
        response.headers.add("ETag", named.stateTag)
        var parts = writer.parts[...]
        return .streamed(response, BodyPieces { parts.popFirst() })
      })
  }

  func restoreSnapshot(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let (name, type) = (request[parameter: "name"], FieldType<String>.sandboxName)
    guard SandboxName(name) != nil else {
      throw FieldError(path: "name", expected: type.expected, found: "\"\(name)\"")
    }
    let old = sandboxes[name]
    try old?.requireFree()
    if let old { try requireRoom(for: request.body, in: old) } else { try requireRoom() }
    guard let build = try sandboxes.buildRestored(request.body, as: name) else {
      throw ControlProblem(409, "sandbox \(name) is being made; try again")
    }
    return reply(after: sandboxes.start(build)) {
      var view = try view(of: build.sandbox, request)
      if old == nil { view.token = tokens?.token(for: build.sandbox) }
      return SandboxView.schema.response(view, status: old == nil ? 201 : 200)
    }
  }

  /// Throws if a body is so large that its content cannot be within the limit of a sandbox, before it is
  /// parsed.
  private func requireRoom(for body: [UInt8], in sandbox: Sandbox) throws(LimitExceeded) {
    try sandbox.configuration.limits.check(storedBytes: body.count / Self.largestRatio)
  }

  /// Text of JSON with escapes, and the journal, take so many times the bytes of the rows at most.
  private static let largestRatio = 4

  /// Throws if there is no room for so many more sandboxes.
  func requireRoom(for count: Int = 1) throws(ControlProblem) {
    guard sandboxes.countWithBuilds + count > sandboxes.maxCount else { return }
    throw ControlProblem(
      507,
      "sandboxes: expected at most \(sandboxes.maxCount); delete sandboxes that you do not need, or ask "
        + "the operator for more (--max-sandboxes)")
  }

  /// The name with this server's name before it, if there are several servers.
  func name(onShard name: String) throws(FieldError) -> String {
    guard let shard = sandboxes.shard, name != Sandboxes.defaultName else { return name }
    let full = shard.name(for: name)
    guard full.hasPrefix("\(shard.name).") else {
      throw FieldError(
        path: "$.name", expected: "a name that does not start with another shard than \(shard.name)",
        found: name)
    }
    guard SandboxName(full) != nil else {
      throw FieldError(path: "$.name", expected: "at most 61 characters, because of the shard", found: name)
    }
    return full
  }

  /// Throws for a time that could never take effect.
  private func requireUseful(_ ttl: Duration?, for name: String) throws(FieldError) {
    if let ttl, name == Sandboxes.defaultName {
      throw FieldError(
        path: "$.ttl", expected: "none: the default sandbox is never removed", found: ttl.text)
    }
    guard let ttl, let longest = sandboxes.ttl, ttl > longest else { return }
    throw FieldError(
      path: "$.ttl", expected: "at most \(longest.text), the server's --sandbox-ttl", found: ttl.text)
  }

  func namedSandbox(_ request: Request) throws(ControlProblem) -> Sandbox {
    let name = request[parameter: "name"]
    guard let sandbox = sandboxes[name] else { throw .notFound("sandbox \(name)") }
    return sandbox
  }

  /// The same, once nothing in it is half done.
  func idleSandbox(_ request: Request) throws -> Sandbox {
    let sandbox = try namedSandbox(request)
    if sandbox.isBusy { throw SandboxIsBusy(name: sandbox.name) }
    return sandbox
  }

  func view(of sandbox: Sandbox, _ request: Request) throws -> SandboxView {
    SandboxView(
      name: sandbox.name, entropySeed: sandbox.entropy.seed, clock: ClockView(sandbox),
      base: request.origin,
      https: sandboxes.addresses.httpsPort.flatMap { url("https", of: request, port: $0) },
      gateway: sandboxes.addresses.gatewayPort.flatMap { gatewayURL(for: request, port: $0) },
      credentials: try sandboxes.seeds.sections.map { section in
        JSON.Member(
          name: section.name,
          value: .object(
            try section.credentials(of: sandbox).map { JSON.Member(name: $0.name, value: .string($0.value)) })
        )
      }, ttl: sandbox.ttl, removedAt: sandbox.removalTime, uses: try sandbox.uses)
  }

  /// A public URL with https has no other port in front of which TLS ends.
  private func gatewayURL(for request: Request, port: UInt16) -> String? {
    let url = sandboxes.addresses.publicURL
    return url?.hasPrefix("https:") == true ? url : self.url("http", of: request, port: port)
  }

  /// The URL of another listener, on the host by which the client called this one.
  private func url(_ scheme: String, of request: Request, port: UInt16) -> String? {
    guard let host = Authority(request.host)?.host else { return nil }
    return AbsoluteURL("\(scheme)://\(Authority(host: host, port: port))")?.origin
  }
}

struct NewSandbox: RequestBody {
  var name: String?
  var entropySeed: Int?
  var clock: Timestamp?
  var seeds = [Sandboxes.defaultName]
  var ttl: Duration?
  var limits: Sandbox.Limits?

  static let schema = Schema<NewSandbox>(
    "NewSandbox", "A sandbox to create.",
    [
      .optional("name", \.name, .sandboxName, "The name; generated by default."),
      .optional(
        "entropySeed", \.entropySeed, .randomSeed,
        "The random seed of ids, codes and keys. Default: 1; where a token is required, one that nobody can guess."
      ),
      .optional(
        "clock", \.clock, .clockTime, "Freezes the clock at this time, 1970 to 9998; by default it runs."),
      .field(
        "seeds", \.seeds, .array(of: .string, maxItems: SandboxLimits.items),
        default: [Sandboxes.defaultName], "The seeds to load: default, and subfolders of --seeds."),
      .optional(
        "ttl", \.ttl, .ttl,
        "Removes the sandbox this long after its last request, on the server's clock; never by default, or after the "
          + "server's --sandbox-ttl."),
      .nullableNested(
        "limits", \.limits, Sandbox.Limits.schema, from: { Sandbox.Limits() },
        "What the sandbox may use. A request beyond it gets 429 or 507; on providers' paths, the provider's error."
      ),
    ])
}

struct SandboxChange: Sendable {
  var ttl: Duration?
  var limits: Sandbox.Limits?

  static let schema = Schema<SandboxChange>(
    "SandboxChange", "A change of a sandbox's limits.",
    [
      .optional(
        "ttl", \.ttl, .ttl,
        "Removes the sandbox this long after its last request; null: never, or after the server's --sandbox-ttl."
      ),
      .nullableNested(
        "limits", \.limits, Sandbox.Limits.schema, from: { Sandbox.Limits() },
        "The limits to change; null removes one, or all."),
    ])
}

struct SandboxView: Sendable {
  let name: String
  let entropySeed: Int
  let clock: ClockView
  let base: String
  let https: String?
  let gateway: String?
  let credentials: [JSON.Member]
  let ttl: Duration?
  let removedAt: Timestamp?
  let uses: [Sandbox.Use]
  var token: String?

  static let page = PageSchema<SandboxView, String>(
    "sandboxes", schema, "The sandboxes, ordered by name.", batch: 4)

  static let schema = Schema<SandboxView>(
    "Sandbox", "A sandbox with the URLs and credentials of its clients.",
    [
      .readOnly("name", .sandboxName, "The name.") { $0.name },
      .readOnly("entropySeed", .integer, "The random seed of ids, codes and keys.") { $0.entropySeed },
      .readOnly("clock", .object(ClockView.schema), "The clock.") { $0.clock },
      .readOnly("urls", .object(urlSchema), "The sandbox's URLs.") { $0 },
      .readOnly(
        "credentials", .json(.map(.map(.string()))), "The credentials of clients, by provider."
      ) { .object($0.credentials) },
      .readOnlyIfPresent("ttl", .ttl, "How long after its last request the sandbox is removed.") { $0.ttl },
      .readOnlyIfPresent(
        "removedAt", .timestamp, "When it is removed if no request arrives, on the server's clock."
      ) { $0.removedAt },
      .readOnlyIfPresent(
        "use", .json(.map(.map(.integer()))), "How much it uses of each of its limits: used, limit."
      ) { view in
        view.uses.isEmpty
          ? nil
          : .object(
            view.uses.map { use in
              JSON.Member(
                name: use.limit.rawValue,
                value: .object([
                  .init(name: "used", value: .integer(Int64(use.used))),
                  .init(name: "limit", value: .integer(Int64(use.maximum))),
                ]))
            })
      },
      .readOnlyIfPresent(
        "token", .string, "Opens this sandbox's control API. Only in the answer to its creation."
      ) { $0.token },
    ])

  private static let urlSchema = Schema<SandboxView>(
    nil, "",
    [
      .readOnly("base", .string, "The server's URL, for clients that send X-Sandbox or credentials.") {
        $0.base
      },
      .readOnly("prefixed", .string, "The URL that selects this sandbox by its path.") {
        "\($0.base)/s/\($0.name)"
      },
      .readOnlyIfPresent("https", .string, "The server's HTTPS URL; absent if HTTPS is off.") { $0.https },
      .readOnlyIfPresent(
        "gateway", .string, "The URL of the cellular gateway's listener; absent if it is off."
      ) {
        $0.gateway
      },
    ])
}

struct SandboxTokenView: Sendable {
  let sandbox: String
  let token: String

  static let schema = Schema<SandboxTokenView>(
    "SandboxToken", "A token that opens one sandbox.",
    [
      .readOnly("sandbox", .sandboxName, "The sandbox's name.") { $0.sandbox },
      .readOnly("token", .string, "Send it as: Authorization: Bearer TOKEN.") { $0.token },
    ])
}

/// The answer to a seed.
struct SeededSandbox: Sendable {
  let name: String

  static let schema = Schema<SeededSandbox>(
    "SeededSandbox", "The sandbox that was seeded.",
    [.readOnly("sandbox", .sandboxName, "The sandbox's name.") { $0.name }])
}
