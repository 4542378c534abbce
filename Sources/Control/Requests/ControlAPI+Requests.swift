/// Requests that a person sends to a provider. They pass faults, limits and the journal as those of an app.
extension ControlAPI {
  var requestOperations: [Operation] {
    [
      Operation(
        .deferred(.post, "/control/requests", as: "sendRequest", sendRequest), access: .participant,
        secret: true,
        "Send a request to a provider, as an app would; with like, one of the journal again. A signature that was right is made anew.",
        body: RequestDraft.schema.object, .json(Self.exchangeSchema)),
      Operation(
        .deferred(.post, "/control/test-codes", as: "sendTestCode", sendTestCode), access: .participant,
        secret: true,
        "Have a provider send a code to a number, by the request of an app.",
        body: TestCodeOrder.schema.object, .json(Self.exchangeSchema)),
    ]
  }

  private func sendRequest(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let draft = try request.decodeBody(RequestDraft.self)
    let earlier = try draft.like.map { id in
      guard let found = exchange(id, in: sandbox) else {
        throw ControlProblem.notFound("request \(id) in the journal")
      }
      return MaskedExchange(found, in: sandbox)
    }
    let parse = { (bytes: [UInt8]) throws(MalformedRequest) in
      try Request(parsing: bytes, scheme: request.scheme, peer: request.peer) {
        transport.bodyLimit(for: $0) ?? Limits().body
      }
    }
    let made = { (draft: RequestDraft, masking: Masking?) in
      try parse(
        draft.bytes(like: earlier, masking, host: request.headers["Host"] ?? "", in: sandbox))
    }
    do {
      guard let earlier else { return try send(made(draft, nil), like: nil, in: sandbox) }
      // Each provider has names of secrets of its own.
      let owner = try transport.ownerName(of: made(draft.withoutBody, nil))
      return try send(
        made(draft, Masking(sandbox.secretNames(of: owner ?? ""))),
        like: made(RequestDraft(), Masking(sandbox.secretNames(of: earlier.exchange.owner))), in: sandbox)
    } catch let error as MalformedRequest {
      throw ControlProblem(
        400, "the request is not sent: \(error.sentence)", field: error.status == 413 ? "$.body" : nil)
    }
  }

  private func sendTestCode(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let order = try request.decodeBody(TestCodeOrder.self)
    try sandboxes.seeds.names.validate(provider: order.provider, route: nil, in: "$")
    let app = try PhoneNumber(order.number).flatMap { try sandbox.testCode(of: order.provider, to: $0) }
    guard var app else {
      throw FieldError(
        path: "$.provider", expected: "one of \(sandbox.testCodeProviders.joined(separator: ", "))",
        found: .string(order.provider))
    }
    app.headers.append(.init("User-Agent", "ringfence"))
    let prefix = sandbox === sandboxes.defaultSandbox ? "" : "/s/\(sandbox.name)"
    var code = Request(app, at: "\(prefix)/\(order.provider)", host: request.headers["Host"] ?? "")
    (code.scheme, code.peer) = (request.scheme, request.peer)
    return try send(code, like: nil, in: sandbox)
  }

  /// Answers with the exchange, as soon as the provider has answered.
  private func send(_ request: Request, like earlier: Request?, in sandbox: Sandbox) throws -> Reply {
    let answer = { () throws(ControlProblem) -> Response in
      guard let last = sandbox.journal.last else { throw .notFound("request in the journal any more") }
      return Self.exchangeSchema.response(MaskedExchange(last, in: sandbox))
    }
    switch try transport.send(request, like: earlier, in: sandbox) {
    case .now, .after, .streamed, .blocked: return .now(try answer())
    case .pending(let pending):
      return .pending(
        PendingReply(for: pending.timeout) {
          try pending.reply().map { _ in try answer() }
        } onTimeout: {
          _ = try pending.onTimeout()
          return try answer()
        })
    case .webSocket:
      throw ControlProblem(400, at: "$.headers", "a WebSocket cannot be opened this way")
    }
  }
}

struct TestCodeOrder: RequestBody {
  fileprivate var provider = ""
  fileprivate var number = ""

  static let schema = Schema<TestCodeOrder>(
    "TestCodeOrder", "A code for a number.",
    [
      .required("provider", \.provider, .string, "The provider that sends the code."),
      .required("number", \.number, .e164, "The number that gets it."),
    ])
}

extension FieldType<String> {
  fileprivate static var e164: FieldType {
    .text(FieldType<PhoneNumber>.phoneNumber.schema, expected: PhoneNumber.expected) {
      PhoneNumber($0) != nil
    }
  }
}
