import CatalogSupport
import Domain
import HTTP
import Support
import Testing

/// One exchange for each outcome of each route that is worth the bytes: what other tests say in sentences
/// stands here as a client sees it.
@Suite("Control · goldens", .contract("/control/openapi.json"))
struct GoldenTests {
  let world: TestSandbox

  init() throws { world = try TestSandbox.withAcme() }

  /// The control API's own description.
  private static let document = Result {
    let world = try TestSandbox.withAcme()
    return try OpenAPIDocument(world.answer(request("GET /control/openapi.json")).body)
  }

  /// An exchange with the requests before it.
  struct Case: CustomTestStringConvertible, Sendable {
    let route: String
    let outcome: String
    let line: String
    let body: String?
    let before: [Step]

    init(_ route: String, _ outcome: String, _ line: String, _ body: String? = nil, after before: Step...) {
      self.route = route
      self.outcome = outcome
      self.line = line
      self.body = body
      self.before = before
    }

    var testDescription: String { "\(route), \(outcome)" }
  }

  /// The state before the request.
  enum Step: String {
    /// Acme sends a code to +12025550100.
    case code = "POST /things/v1/things"
    /// There is a sandbox `ci` with nothing in it.
    case sandbox =
      #"POST /control/sandboxes {"name":"ci","entropySeed":7,"clock":"2026-01-05T10:20:30Z","seeds":[]}"#
    /// The sandbox `ci` has heard of one number.
    case number = #"PUT /s/ci/control/subscribers/+12025550199 {"code":"4711"}"#
    /// Acme calls +12025550100, asks for a key and reads a code out.
    case call = "POST /calls/v1/calls"
    /// Half a minute less a bit goes by.
    case later = #"POST /control/clock {"advance":"20s"}"#
    /// Calls are answered, but no key is pressed.
    case silence = #"PUT /control/scenarios {"scenarios":[{"outcome":"answer","keys":""}]}"#
    /// A machine answers.
    case machine = #"PUT /control/scenarios {"scenarios":[{"outcome":"voicemail"}]}"#
    /// Nothing arrives.
    case lost = #"PUT /control/scenarios {"scenarios":[{"outcome":"lostButDelivrd"}]}"#
    /// Texts to +12025550130 do not arrive.
    case scenario =
      #"PUT /control/scenarios {"scenarios":[{"match":{"number":"+12025550130"},"outcome":"undeliverable"}]}"#
    /// Acme tells a receiver of a thing.
    case webhook = "POST /things/v1/things callback"
    /// Acme's app is on the handset of +12025550100.
    case app =
      #"POST /control/devices {"number":"+12025550100","provider":"acme","app":"com.acme.app:1.2.0","pushToken":"fcm-1"}"#
    /// The handset of the app is locked.
    case locked = #"PUT /control/devices/latest {"condition":"locked"}"#
    /// Somebody wants to push and has no right to.
    case refusedPush = #"POST /v1/projects/acme-app/messages:send {"message":{"token":"sbx-a"}}"#
    /// Acme has sent +12025550100 a challenge: by a push to the app, or one to scan if there is no app.
    case question = "POST /questions/v1/questions"
    /// Yes.
    case yes = "POST /control/devices/latest/approve"
    /// Acme fails twice.
    case fault = #"PUT /control/faults {"faults":[{"provider":"acme","status":503,"times":2}]}"#
    /// Webhooks are lost.
    case lossOfWebhooks = #"PUT /control/webhooks/faults {"webhookFaults":[{"delivery":"lost"}]}"#
    /// Acme takes a while.
    case latency = #"PUT /control/latency {"latency":[{"provider":"acme","medianMs":180,"p99Ms":900}]}"#
    /// Acme accepts one request a second.
    case limit = #"PUT /control/limits {"limits":[{"provider":"acme","requestsPerSecond":1}]}"#
    /// Ana and Ben are in a workshop.
    case workshop =
      #"POST /control/workshops {"name":"tuesday","story":"first-sign-in","participants":["Ana","Ben"],"seeds":[]}"#
  }

  @Test(
    "an exchange matches its golden and the API's description",
    arguments: sandboxes + state + devices + answerFaults + passkeys + inbox + waiting + rules + workshops
      + history + requests + webhooks + health
  )
  func exchange(of golden: Case) throws {
    for step in golden.before {
      _ = try world.send(step == .webhook ? Self.tellingRequest : Self.request(step.rawValue))
    }

    let exchange = try world.send(Self.request(golden.line, golden.body))

    #expect(exchange.route == golden.route)
    exchange.matches(golden: golden.outcome)
    #expect(exchange.disagreements(with: try Self.document.get()) == [])
  }

  /// A sandbox with one pending verification.
  static func snapshot(
    version: Int = DatabaseSchema.version, state: String = "pending"
  ) -> String {
    let verification =
      #"[1,"acme","","+12025550199",1,"sms","\#(state)","4711",0,1767608430000,1767608430000,1767609030000,"#
      + #""sms@1767608430000","{}"]"#
    return #"{"format":"ringfence-snapshot","version":\#(version),"#
      + #""sandbox":{"entropy_seed":7,"clock":"frozen","clock_value":1767608430000,"first_clock":"frozen","#
      + #""first_clock_value":1767608430000,"seeds":"","first_entropy_seed":7,"last_ordinal":3,"starts":1,"#
      + #""started_at":1767608430000},"memory":{"requests":5,"clockTarget":null,"historyStart":0},"tables":{"#
      + #""agenda":{"columns":["due_at","ordinal","kind","subject","detail","trace","holder"],"rows":["#
      + #"[1767609030000,2,"expireVerification",1,600000,null,null],[1767612030000,3,"sweepHistory",0,0,null,null]]},"#
      + #""subscribers":{"columns":["number","record"],"rows":[["+12025550199","{\"code\":\"4711\"}"]]},"#
      + #""verifications":{"columns":["ordinal","provider","owner","destination","series","channel","state","#
      + #""code","checks","created_at","updated_at","expires_at","attempts","details"],"rows":[\#(verification)]}},"#
      + #""journal":{"columns":["ordinal","at","owner","route","method","target","request_head","request_body","#
      + #""status","response_head","response_body","why","unread","nearest","newest_before","newest_after","#
      + #""verification","delay"],"rows":[]}}"#
  }

  static let sandboxes = [
    Case("listSandboxes", "two", "GET /control/sandboxes", after: .sandbox),
    Case(
      "createSandbox", "made", "POST /control/sandboxes",
      #"{"name":"ci","entropySeed":7,"clock":"2026-01-05T10:20:30Z","seeds":[]}"#),
    Case(
      "createSandbox", "limited", "POST /control/sandboxes",
      #"{"name":"ci","clock":"2026-01-05T10:20:30Z","seeds":[],"ttl":"12h","limits":{"messages":500,"requestsPerSecond":50,"storedBytes":4194304}}"#
    ),
    Case("createSandbox", "bad-limit", "POST /control/sandboxes", #"{"limits":{"storedBytes":1000}}"#),
    Case("createSandbox", "bad-name", "POST /control/sandboxes", #"{"name":"a/b"}"#),
    Case("createSandbox", "taken", "POST /control/sandboxes", #"{"name":"default"}"#),
    Case("fetchSandbox", "found", "GET /control/sandboxes/ci", after: .sandbox),
    Case("fetchSandbox", "unknown", "GET /control/sandboxes/ci"),
    Case(
      "updateSandbox", "limited", "PATCH /control/sandboxes/ci",
      #"{"ttl":"12h","limits":{"messages":500}}"#, after: .sandbox),
    Case(
      "updateSandbox", "bad-limit", "PATCH /control/sandboxes/ci", #"{"limits":{"messages":0}}"#,
      after: .sandbox),
    Case("revokeSandboxToken", "not-required", "DELETE /control/sandboxes/ci/tokens", after: .sandbox),
    Case("deleteSandbox", "gone", "DELETE /control/sandboxes/ci", after: .sandbox),
    Case("deleteSandbox", "default", "DELETE /control/sandboxes/default"),
    Case("resetSandbox", "done", "POST /control/sandboxes/ci/reset", after: .sandbox),
    Case("createSandboxToken", "not-required", "POST /control/sandboxes/ci/tokens", after: .sandbox),
    Case("reset", "done", "POST /control/reset"),
    Case("fetchSnapshot", "saved", "GET /control/sandboxes/ci/snapshot", after: .sandbox, .number),
    Case("fetchSnapshot", "unknown", "GET /control/sandboxes/ci/snapshot"),
    Case("restoreSnapshot", "created", "PUT /control/sandboxes/ci/snapshot", snapshot()),
    Case("restoreSnapshot", "replaced", "PUT /control/sandboxes/ci/snapshot", snapshot(), after: .sandbox),
    Case("restoreSnapshot", "bad-version", "PUT /control/sandboxes/ci/snapshot", snapshot(version: 1)),
    Case("restoreSnapshot", "bad-row", "PUT /control/sandboxes/ci/snapshot", snapshot(state: "lost")),
    Case("shareVerification", "unknown", "GET /control/verifications/7/share"),
    Case("openSharedFile", "opened", "POST /control/shared-files", sharedFile()),
    Case("openSharedFile", "another-file", "POST /control/shared-files", "<p>another</p>"),
    Case("fetchReport", "unknown", "GET /control/sandboxes/ci/report"),
    Case("exportSandbox", "empty", "GET /control/sandboxes/ci/export", after: .sandbox),
    Case(
      "seed", "loaded", "POST /control/seed", #"{"subscribers":[{"number":"+12025550100","code":"4711"}]}"#),
    Case("seed", "bad-number", "POST /control/seed", #"{"subscribers":[{"number":"12"}]}"#),
    Case("seed", "unknown-member", "POST /control/seed", #"{"subscriber":[]}"#),
  ]

  static let state = [
    Case("fetchClock", "frozen", "GET /control/clock"),
    Case("setClock", "advanced", "POST /control/clock", #"{"advance":"11m"}"#),
    Case("setClock", "bad-mode", "POST /control/clock", #"{"mode":"stopped"}"#),
    Case("fetchEntropy", "first", "GET /control/entropy"),
    Case("setEntropy", "changed", "PUT /control/entropy", #"{"entropySeed":7}"#),
    Case("setEntropy", "no-seed", "PUT /control/entropy", "{}"),
    Case("fetchGateway", "magic", "GET /control/gateway"),
    Case("putGateway", "strict", "PUT /control/gateway", #"{"mode":"strict","hops":2}"#),
    Case("putGateway", "bad-mode", "PUT /control/gateway", #"{"mode":"kind"}"#),
    Case("listSubscribers", "one", "GET /s/ci/control/subscribers", after: .sandbox, .number),
    Case("fetchNumber", "fictional", "GET /control/numbers/+12025550199"),
    Case("fetchNumber", "too-short", "GET /control/numbers/+1202555"),
    Case("fetchNumber", "unassigned-code", "GET /control/numbers/+999123456789"),
    Case("fetchSubscriber", "nothing-said", "GET /control/subscribers/+12025550199"),
    Case("fetchSubscriber", "bad-number", "GET /control/subscribers/12"),
    Case("putSubscriber", "changed", "PUT /control/subscribers/+12025550199", #"{"reach":{"sms":false}}"#),
    Case(
      "putSubscriber", "bad-line-type", "PUT /control/subscribers/+12025550199", #"{"lineType":"string"}"#),
    Case(
      "deleteSubscriber", "forgotten", "DELETE /s/ci/control/subscribers/+12025550199",
      after: .sandbox, .number),
    Case("deleteSubscriber", "unknown", "DELETE /control/subscribers/+12025550199"),
    Case(
      "applySubscriberEvent", "sim-swap", "POST /control/subscribers/+12025550199/events",
      #"{"event":"simSwap"}"#),
    Case(
      "applySubscriberEvent", "bad-event", "POST /control/subscribers/+12025550199/events",
      #"{"event":"swap"}"#),
  ]

  static let devices = [
    Case("listDevices", "one", "GET /s/ci/control/devices", after: .sandbox, .number),
    Case("createDevice", "made", "POST /control/devices", #"{"number":"+12025550160"}"#),
    Case(
      "createDevice", "app", "POST /control/devices",
      #"{"number":"+12025550160","provider":"acme","app":"com.acme.app","platform":"ios","publicKey":"MFkw"}"#
    ),
    Case(
      "createDevice", "token-only", "POST /control/devices",
      #"{"provider":"acme","pushToken":"sbx-i","platform":"ios","online":false}"#),
    Case("createDevice", "no-number", "POST /control/devices", #"{"provider":"acme"}"#),
    Case("createDevice", "landline", "POST /control/devices", #"{"number":"+12025550112"}"#),
    Case(
      "createDevice", "bad-provider", "POST /control/devices",
      #"{"number":"+12025550160","provider":"nobody"}"#),
    Case("fetchDevice", "handset", "GET /control/devices/+12025550100", after: .app),
    Case("fetchDevice", "app", "GET /control/devices/latest", after: .app),
    Case("fetchDevice", "unknown", "GET /control/devices/019b8dc1-7570-7000-8000-000000000000", after: .app),
    Case("deleteDevice", "gone", "DELETE /control/devices/+12025550100", after: .app),
    Case("deleteDevice", "unknown", "DELETE /control/devices/+12025550100"),
    Case(
      "approveOnDevice", "approved", "POST /control/devices/+12025550100/approve", after: .app, .question),
    Case(
      "approveOnDevice", "answered", "POST /control/devices/latest/approve", after: .app, .question, .yes),
    Case("denyOnDevice", "denied", "POST /control/devices/latest/deny", after: .app, .question),
    Case("denyOnDevice", "nobody", "POST /control/devices/latest/deny"),
    Case(
      "scanOnDevice", "scanned", "POST /control/devices/latest/scan",
      #"{"text":"https://acme.example/qr/Q12025550100"}"#,
      after: .question, .app),
    Case("scanOnDevice", "nothing", "POST /control/devices/latest/scan", #"{"text":"hello"}"#, after: .app),
    Case("listPushes", "one", "GET /control/pushes?state=pending", after: .app, .question),
    Case("listPushes", "answered", "GET /control/pushes", after: .app, .question, .yes),
    Case("listPushes", "bad-state", "GET /control/pushes?state=lost"),
    Case("listPushAttempts", "refused", "GET /control/pushes/attempts", after: .refusedPush),
    Case("listPushAttempts", "bad-cursor", "GET /control/pushes/attempts?after=x"),
    Case("fetchPush", "latest", "GET /control/pushes/latest?token=fcm-1", after: .app, .question),
    Case("fetchPush", "none", "GET /control/pushes/latest"),
    Case("fetchPush", "no-simulator", "GET /control/pushes/latest.apns", after: .app, .question),
    Case("clearPushes", "empty", "DELETE /control/pushes", after: .app, .question),
    Case("clearPushes", "unknown-field", "DELETE /control/pushes?number=1"),
    Case(
      "putDevice", "changed", "PUT /control/devices/latest", #"{"state":"flaky:2","online":false}"#,
      after: .app),
    Case(
      "putDevice", "handset", "PUT /control/devices/+12025550100",
      #"{"behaviour":"approve","answerAfterMs":1500,"condition":"locked"}"#, after: .app),
    Case(
      "putDevice", "no-effect", "PUT /control/devices/latest",
      #"{"behaviour":"ignore","answerAfterMs":1500}"#, after: .app),
    Case(
      "approveOnDevice", "locked", "POST /control/devices/latest/approve", after: .app, .locked, .question),
    Case("listPhonePushes", "one", "GET /control/phone/pushes?token=fcm-1", after: .app, .question),
    Case("listPhonePushes", "no-token", "GET /control/phone/pushes"),
    Case("fetchPhoneSetup", "acme", "GET /control/phone/setup?provider=acme"),
    Case("fetchPhoneSetup", "bad-provider", "GET /control/phone/setup?provider=nobody"),
    Case("fetchPhoneSetupCode", "acme", "GET /control/phone/qr.svg?provider=acme"),
    Case("fetchPhoneSetupCode", "bad-provider", "GET /control/phone/qr.svg"),
    Case("fetchAuthorityProfile", "none", "GET /control/phone/authority.mobileconfig"),
    Case("fetchAuthorityCertificate", "none", "GET /control/phone/authority.crt"),
    Case("putDevice", "bad-state", "PUT /control/devices/latest", #"{"state":"flaky"}"#, after: .app),
    Case("putDevice", "unknown", "PUT /control/devices/latest", #"{"online":false}"#),
    Case("rotateToken", "made", "POST /control/devices/latest/rotate", "{}", after: .app),
    Case(
      "rotateToken", "bad-token", "POST /control/devices/latest/rotate", #"{"pushToken":""}"#, after: .app),
    Case(
      "openOnDevice", "nowhere", "POST /control/devices/+12025550100/open",
      #"{"url":"http://127.0.0.1:5550/handset/nobody","as":"android"}"#),
    Case(
      "openOnDevice", "bad-client", "POST /control/devices/+12025550100/open",
      #"{"url":"http://a/","as":"tv"}"#),
    Case("openOnDevice", "no-session", "POST /control/devices/latest/open", #"{"url":"http://a/"}"#),
  ]

  static let inbox = [
    Case(
      "cancelVerification", "canceled", "POST /control/verifications/+12025550100/cancel", after: .code),
    Case("lockVerification", "locked", "POST /control/verifications/+12025550100/lock", after: .code),
    Case("lockVerification", "nothing", "POST /control/verifications/999/lock"),
    Case("cancelVerification", "nothing", "POST /control/verifications/+12025550100/cancel"),
    Case("listInboxOfNumber", "push", "GET /control/inbox/+12025550100", after: .app, .question),
    Case("listInbox", "one", "GET /control/inbox", after: .code),
    Case("listInbox", "bad-channel", "GET /control/inbox?channel=pigeon"),
    Case("listInboxOfNumber", "none", "GET /control/inbox/+12025550199", after: .code),
    Case("fetchLatestMessage", "found", "GET /control/inbox/latest", after: .code),
    Case("fetchLatestMessage", "none", "GET /control/inbox/latest"),
    Case("fetchLatestMessageOfNumber", "found", "GET /control/inbox/+12025550100/latest", after: .code),
    Case("fetchLatestMessageOfNumber", "none", "GET /control/inbox/+12025550199/latest", after: .code),
    Case("fetchLatestCode", "found", "GET /control/inbox/latest/code", after: .code),
    Case("fetchLatestCodeOfNumber", "found", "GET /control/inbox/+12025550100/latest/code", after: .code),
    Case("fetchCode", "found", "GET /control/inbox/code", after: .code),
    Case("fetchCodeOfNumber", "found", "GET /control/inbox/+12025550100/code", after: .code),
    Case("fetchCodeOfNumber", "none", "GET /control/inbox/+12025550199/code", after: .code),
    Case("fetchLatestCodeOfNumber", "none", "GET /control/inbox/+12025550199/latest/code", after: .code),
    Case("clearInbox", "empty", "DELETE /control/inbox", after: .code),
    Case("clearInboxOfNumber", "empty", "DELETE /control/inbox/+12025550100", after: .code),
    Case(
      "reply", "stop", "POST /control/inbox/+12025550100/reply", #"{"text":"STOP"}"#, after: .code),
    Case(
      "reply", "bad-channel", "POST /control/inbox/+12025550100/reply",
      #"{"text":"Hello","to":"Acme","channel":"pigeon"}"#),
    Case("reply", "nobody", "POST /control/inbox/+12025550100/reply", #"{"text":"STOP"}"#),
    Case(
      "reply", "silenced", "POST /control/inbox/+12025550112/reply", #"{"text":"STOP","to":"Acme"}"#),
    Case("listMessages", "lost", "GET /control/messages?number=%2B12025550100", after: .lost, .code),
    Case("listMessages", "bad-channel", "GET /control/messages?channel=pigeon"),
    Case("fetchMessage", "latest", "GET /control/messages/latest", after: .code),
    Case("fetchMessage", "call", "GET /control/messages/latest", after: .call, .later),
    Case("fetchMessage", "unknown", "GET /control/messages/msg_9"),
    Case(
      "pressKeys", "pressed", "POST /control/calls/latest/keys", ##"{"keys":"1#"}"##,
      after: .silence, .call, .later),
    Case("pressKeys", "machine", "POST /control/calls/latest/keys", #"{"keys":"1"}"#, after: .machine, .call),
    Case("pressKeys", "no-call", "POST /control/calls/latest/keys", #"{"keys":"1"}"#, after: .code),
    Case("pressKeys", "bad-keys", "POST /control/calls/latest/keys", #"{"keys":"A"}"#, after: .call),
  ]

  static let waiting = [
    Case("listVerifications", "one", "GET /control/verifications?provider=acme", after: .code),
    Case("listVerifications", "bad-cursor", "GET /control/verifications?after=first"),
    Case("listRecords", "none", "GET /control/records/acme"),
    Case("listRecords", "bad-cursor", "GET /control/records/acme?after=first"),
  ]

  static let history = [
    Case("listJournal", "one", "GET /control/journal?provider=acme", after: .code),
    Case("listJournal", "newest", "GET /control/journal?order=newest&limit=1", after: .code, .app, .code),
    Case("listJournal", "bad-cursor", "GET /control/journal?after=first"),
    Case("waitForJournal", "found", "GET /control/journal/wait?route=createThing&wait=5", after: .code),
    Case("waitForJournal", "none", "GET /control/journal/wait?route=createThing"),
    Case(
      "verifyJournal", "holds", "POST /control/journal/verify", #"{"match":{"provider":"acme"}}"#,
      after: .code),
    Case("verifyJournal", "does-not", "POST /control/journal/verify", #"{"count":2}"#, after: .code),
    Case("fetchExchange", "fault", "GET /control/journal/latest", after: .fault, .code),
    Case("fetchExchange", "unknown", "GET /control/journal/req_9"),
    Case("markTest", "begun", "POST /control/tests", #"{"name":"test_sign_in"}"#),
    Case("markTest", "bad-outcome", "POST /control/tests", #"{"name":"test_sign_in","outcome":"fail"}"#),
    Case("clearJournal", "empty", "DELETE /control/journal", after: .code),
    Case("explain", "lost", "GET /control/explanation", after: .lost, .code, .fault, .code, .webhook),
    Case("listEvents", "one", "GET /control/events", after: .code),
    Case("listEvents", "newest", "GET /control/events?order=newest&limit=1", after: .code),
    Case("listEvents", "impatient", "GET /control/events?wait=60"),
    Case("streamEvents", "from-the-start", "GET /control/events/stream?after=0.0", after: .code),
    Case("streamEvents", "nowhere", "GET /control/events/stream?after=first"),
  ]

  static let requests = [
    Case("sendRequest", "again", "POST /control/requests", #"{"like":"latest"}"#, after: .code),
    Case(
      "sendRequest", "new", "POST /control/requests",
      #"{"method":"GET","target":"/things/v1/things/7","headers":["Accept: text/plain"]}"#),
    Case(
      "sendRequest", "own-path", "POST /control/requests", #"{"method":"POST","target":"/control/reset"}"#),
    Case("sendTestCode", "sent", "POST /control/test-codes", #"{"provider":"acme","number":"+12025550100"}"#),
    Case(
      "sendTestCode", "unknown", "POST /control/test-codes", #"{"provider":"acmee","number":"+12025550100"}"#),
    Case(
      "sendTestCode", "no-codes", "POST /control/test-codes", #"{"provider":"fcm","number":"+12025550100"}"#),
  ]

  static let webhooks = [
    Case("listWebhooks", "one", "GET /control/webhooks", after: .webhook),
    Case("listWebhooks", "bad-state", "GET /control/webhooks?state=gone"),
    Case("fetchWebhook", "found", "GET /control/webhooks/latest", after: .webhook),
    Case("fetchWebhook", "unknown", "GET /control/webhooks/whk_000001"),
    Case("replayWebhook", "done", "POST /control/webhooks/latest/replay", after: .webhook),
    Case("replayWebhook", "unknown", "POST /control/webhooks/latest/replay"),
    Case("fetchWebhook", "lost", "GET /control/webhooks/latest", after: .lossOfWebhooks, .webhook),
    Case(
      "forgeWebhook", "sent", "POST /control/webhooks/forge",
      #"{"provider":"acme","url":"http://127.0.0.1:9/hook","body":{"thing":2}}"#),
    Case("forgeWebhook", "no-provider", "POST /control/webhooks/forge", "{}"),
    Case("fetchWebhookKeys", "default", "GET /control/webhooks/keys"),
    Case("fetchWebhookKeys", "none", "GET /s/ci/control/webhooks/keys", after: .sandbox),
  ]

  private static var tellingRequest: Request {
    .post("/things/v1/things", form: ["callback": "http://127.0.0.1:9/hook"])
  }

  /// The description's own text is held against the routes by its tests; here it would be a line of 15 KB.
  static let health = [
    Case("fetchOpenAPI", "bad-query", "GET /control/openapi.json?format=yaml"),
    Case("listPages", "bad-query", "GET /control/docs?page=carrier"),
    Case("fetchPage", "unknown", "GET /control/docs/Carier.md"),
    Case("fetchPageInFolder", "unknown", "GET /control/docs/Recipes/rust.md"),
    Case("livez", "well", "GET /livez"),
    Case("readyz", "well", "GET /readyz"),
    Case("metrics", "one-request", "GET /metrics", after: .code),
  ]

  /// A request from its line; a body may follow the target.
  private static func request(_ line: String, _ body: String? = nil) -> Request {
    let words = line.split(separator: " ", maxSplits: 2).map(String.init)
    let method = HTTP.Method(rawValue: words[0]) ?? .options
    guard let body = body ?? (words.count > 2 ? words[2] : nil) else { return .to(words[1], method) }
    guard body.hasPrefix("<") else { return .json(method, words[1], body) }
    return .to(words[1], method, headers: ["Content-Type": "text/html"], body: Array(body.utf8))
  }
}
