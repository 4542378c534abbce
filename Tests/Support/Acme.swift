import Basics
package import Domain
package import HTTP
package import JSON
package import ProviderKit

/// A fictional provider with one route for each kind of response, for tests of the code between the parser
/// and the handlers.
package enum Acme: Provider, SendsWebhooks {
  /// The URL prefix and the member of a seed.
  package static let name = "acme"
  package static let address = {
    var address = ProviderAddress(hosts: ["api.acme.example"])
    address.prefixes = ["acme-things"]
    return address
  }()
  package static let variables: [Variable] = []
  package static let sdks: [SDK] = []

  /// One route for each kind of response.
  package static var routes: [Route<Sandbox>] {
    [
      .get("/things/v1/things/{thing}", as: "fetchThing", fetch),
      .post("/things/v1/things", as: "createThing", create),
      .post("/calls/v1/calls", as: "callThing", call),
      .post("/things/v1/refused", as: "refuseThing", refuse),
      .post("/things/v1/broken", as: "breakThing", fail),
      .deferred(.post, "/things/v1/slow", as: "slowThing", slow),
      .post("/questions/v1/questions", as: "askQuestion", ask),
      .webSocket("/things/v1/feeds/{feed}", as: "watchThings", watch),
      .notEmulated(.put, "/things/v1/things/{thing}", as: "replaceThing"),
    ] + AcmeURL.routes + StrictAcmeURL.routes
  }

  /// The provider's errors for requests without a handler.
  package static var errors: [ErrorRow] {
    [ErrorRow("60203", 429, "too many things"), ErrorRow("taken", 422, "acme: no")]
  }

  /// How its errors are produced.
  package static var checkFiles: [(name: String, text: [UInt8])] {
    [
      (
        "Errors",
        Array(
          """
          ### 60203 only by a fault
          Acme has no limits.

          ### The thing exists
          Routes: createThing
          POST /things/v1/refused name=A thing -> 422 taken
          """.utf8)
      )
    ]
  }

  package static func errorResponse(
    for failure: RequestFailure, to request: Request, in sandbox: Sandbox
  ) -> Response {
    let (status, words): (Status, String) =
      switch failure {
      case .unknownPath: (404, "no such path")
      case .wrongMethod(let allowed): (405, "only \(allowed.map(\.rawValue))")
      case .malformed(let field, let expected): (400, "\(field ?? "-"): \(expected)")
      case .notEmulated: (501, "not here")
      case .fault(let status, let code): (status ?? 418, "fault \(code ?? "-")")
      case .rejected(let status, let why): (status, why)
      case .internalError, .overload: (500, "our fault")
      }
    return .text(status, "acme: \(words)")
  }

  /// A field of every response.
  package static func addCommonHeaders(to headers: inout Headers, in sandbox: Sandbox) {
    headers.add("X-Acme", sandbox.name)
  }

  /// The API key of a request.
  package static func credential(in request: Request) -> String? { request.headers["X-Acme-Key"] }

  /// A request with the webhook's subject.
  package static func request(for webhook: Webhook, in sandbox: Sandbox) -> WebhookRequest? {
    .json(Array(webhook.draft.detail.utf8))
  }

  package static let webhookKinds = ["thing.created"]
  package static let signatureFields: [String] = []

  package static func request(
    sending body: JSON, of kind: String, to url: String, in sandbox: Sandbox
  ) -> (url: String, request: WebhookRequest) { (url, .json(body.encoded())) }

  /// After 1, 2, 4 minutes and so on up to an hour, for a day.
  package static var retries: RetrySchedule {
    .doubling(from: .seconds(60), upTo: .seconds(3600), for: .seconds(86_400))
  }

  package static var defaultSeed: [UInt8] { Array("{}".utf8) }

  package static var seed: SeedForm { SeedForm("Acme", []) }

  /// Registers one key, which contains the sandbox's name.
  package static func createCredentials(in sandbox: Sandbox) throws {
    let key = "key-\(sandbox.name)"
    _ = try sandbox.accounts.register(Credential(provider: name, name: key, secret: "secret", account: key))
  }

  package static func credentials(of sandbox: Sandbox) throws -> [(name: String, value: String)] {
    try sandbox.accounts.all(of: name).map { (name: "key", value: $0.name) }
  }

  /// An error in the provider's format, with a reason for the journal.
  struct Problem: ResponseError {
    let response = Response.text(422, "acme: no")
    let why: String? = "the thing is taken"
  }

  /// An internal error.
  struct TestError: Error {}

  private static func fetch(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    .text(
      200, "\(request[parameter: "thing"]) in \(sandbox.name) for \(try request.query["for"] ?? "nobody")")
  }

  private static func create(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    try start(request, sandbox, over: .sms)
  }

  private static func call(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    try start(request, sandbox, over: .call)
  }

  private static func start(
    _ request: Request, _ sandbox: Sandbox, over channel: Channel
  ) throws -> Response {
    let number = try request.form["to"] ?? "+12025550100"
    let claim = Claim(provider: name, owner: "shop", destination: number)
    let start = Verifications.Start(claim, over: channel, rules: VerificationRules()) { verification in
      var draft = MessageDraft(
        provider: name, reference: "AC\(verification.ordinal)", channel: channel, destination: number,
        sender: "Acme", text: "Your code is \(verification.code)", code: verification.code)
      draft.speech.asksForKey = channel == .call
      return draft
    }
    _ = try sandbox.verifications.start(start)
    if let url = try request.form["callback"] {
      try sandbox.webhooks.enqueue(
        WebhookDraft(provider: name, url: url, kind: "thing.created", subject: 1, detail: #"{"thing":1}"#))
    }
    return .text(201, "created")
  }

  /// Creates a challenge: with a push if the handset has an app, else one that an app can scan.
  private static func ask(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let number = try request.form["to"] ?? "+12025550100"
    var draft = Challenge.Draft(
      provider: name, reference: "Q\(number.dropFirst())", holder: number, lifetime: .seconds(60))
    draft.device = try sandbox.devices.all(of: number, provider: name).last
    let message = MessageDraft(
      provider: name, reference: draft.reference, channel: .push, destination: number, sender: "Acme",
      text: "Is it you?", code: nil)
    draft.push = (message: message, payload: #"{"data":{"question":"\#(draft.reference)"}}"#)
    return .text(201, try sandbox.challenges.create(draft).reference)
  }

  private static func slow(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    .after(.seconds(5), try create(request, sandbox))
  }

  /// Sends the kind of each event once, and closes with 4408 three minutes after the sandbox's start. The
  /// client can send `create`, `refuse` and `fail`, or JSON.
  private static func watch(_ request: Request, _ sandbox: Sandbox) throws -> WebSocket {
    let feed = request[parameter: "feed"]
    guard feed != "secret" else { throw Problem() }
    return WebSocket(key: feed, whenReplaced: 4409, state: 0) { last in
      let news = try sandbox.events.after(last)
      last = news.last?.ordinal ?? last
      let timeLeft: Duration = .seconds(180) - (sandbox.clock.now - sandbox.startedAt)
      return .init(
        news.map { Array($0.kind.rawValue.utf8) }, close: timeLeft <= .zero ? 4408 : nil,
        updateAfter: timeLeft)
    } receive: { message, _ in
      switch String(decoding: message, as: UTF8.self) {
      case "create": _ = try create(request, sandbox)
      case "refuse": _ = try refuse(request, sandbox)
      case "fail": _ = try fail(request, sandbox)
      default: _ = try Fields(message)
      }
      return ["done"]
    }
  }

  private static func refuse(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    _ = try create(request, sandbox)
    throw Problem()
  }

  private static func fail(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    _ = try create(request, sandbox)
    throw TestError()
  }
}
