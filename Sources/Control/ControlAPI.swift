package import Domain
package import HTTP
import JSON

/// Our own endpoints under `/control/`, for tests and people.
package struct ControlAPI {
  /// The owner's name in the router.
  package static let name = "control"

  let sandboxes: Sandboxes
  /// Shared by the event streams.
  let batches = EventBatches()
  let metrics: Metrics
  /// How handsets reach routes within the process.
  let transport: InProcessTransport
  /// Nil if no token is required.
  let tokens: AccessTokens?
  /// The files by which phones trust the server's certificates; nil if it has none.
  let authority: (() throws -> AuthorityFiles)?
  /// Makes the report of a sandbox, as HTML in pieces.
  let report: (Sandbox) throws -> BodyPieces
  let openAPICache = OpenAPICache()

  package init(
    _ sandboxes: Sandboxes, metrics: Metrics, transport: InProcessTransport, tokens: AccessTokens? = nil,
    authority: (() throws -> AuthorityFiles)? = nil,
    report: @escaping (Sandbox) throws -> BodyPieces
  ) {
    self.sandboxes = sandboxes
    self.metrics = metrics
    self.transport = transport
    self.tokens = tokens
    self.authority = authority
    self.report = report
  }

  /// The control API as the router sees it.
  package var owner: RouteOwner<Sandbox> {
    RouteOwner(
      name: Self.name, routes: operations.map(\.strictRoute), isOwn: true,
      errorResponse: { failure, request, _ in Self.errorResponse(for: failure, to: request) })
  }

  /// Every operation: the API's table of contents, and the source of `/control/openapi.json`.
  var operations: [Operation] {
    sandboxOperations + networkOperations + deviceOperations + phoneOperations + messageOperations
      + ruleOperations + workshopOperations + journalOperations + healthOperations
  }

  private var sandboxOperations: [Operation] {
    [
      Operation(
        .get("/control/sandboxes", as: "listSandboxes", listSandboxes), access: .admin, "List all sandboxes.",
        query: Parameter.namedPage, .page(SandboxView.page)),
      Operation(
        .deferred(.post, "/control/sandboxes", as: "createSandbox", createSandbox), access: .admin,
        "Create a sandbox with new credentials.", body: NewSandbox.schema.object,
        .json(SandboxView.schema, 201)),
      Operation(
        .get("/control/sandboxes/{name}", as: "fetchSandbox", fetchSandbox), access: .participant,
        "Get a sandbox.",
        .json(SandboxView.schema)),
      Operation(
        .on(.patch, "/control/sandboxes/{name}", as: "updateSandbox", updateSandbox), access: .admin,
        "Change a sandbox's limits, and when it is removed.",
        body: SandboxChange.schema.object, .json(SandboxView.schema)),
      Operation(
        .delete("/control/sandboxes/{name}", as: "deleteSandbox", deleteSandbox), access: .admin,
        "Delete a sandbox with all its data.", .empty),
      Operation(
        .deferred(.post, "/control/sandboxes/{name}/reset", as: "resetSandbox", resetSandbox),
        access: .participant,
        "Reset a sandbox to its seeds.", .json(SandboxView.schema)),
      Operation(
        .post("/control/sandboxes/{name}/tokens", as: "createSandboxToken", createSandboxToken),
        access: .admin,
        "Get the token that opens this sandbox only.",
        .json(SandboxTokenView.schema, 201)),
      Operation(
        .delete("/control/sandboxes/{name}/tokens", as: "revokeSandboxToken", revokeSandboxToken),
        access: .admin,
        "Revoke the sandbox's token. It then has another one.", .empty),
      Operation(
        .deferred(.post, "/control/reset", as: "reset", resetThis), access: .participant,
        "Reset this sandbox to its seeds.",
        .json(SandboxView.schema)),
      Operation(
        .deferred(.get, "/control/sandboxes/{name}/export", as: "exportSandbox", exportSandbox),
        access: .participant,
        "Export a sandbox as a seed, with secrets masked.", .request(sandboxes.seeds.schema)),
      Operation(
        .deferred(.get, "/control/sandboxes/{name}/report", as: "fetchReport", fetchReport),
        access: .participant,
        "Get requests, phones and verifications as one HTML file, secrets masked.", .file("text/html")),
      Operation(
        .deferred(.get, "/control/sandboxes/{name}/snapshot", as: "fetchSnapshot", fetchSnapshot),
        access: .participant,
        "Get the whole state of a sandbox, with its secrets.", .request(Sandboxes.snapshotSchema)),
      Operation(
        .deferred(
          .put, "/control/sandboxes/{name}/snapshot", as: "restoreSnapshot",
          bodyLimit: SandboxLimits.snapshotBytes, restoreSnapshot), access: .sandbox,
        "Replace a sandbox by a snapshot, or create it from one.", body: Sandboxes.snapshotSchema,
        .json(SandboxView.schema, 200, 201)),
      Operation(
        .deferred(.post, "/control/seed", as: "seed", bodyLimit: 8 << 20, seed), access: .participant,
        "Load a seed into this sandbox.", body: sandboxes.seeds.schema, .json(SeededSandbox.schema)),
      Operation(
        .deferred(.get, "/control/clock", as: "fetchClock", fetchClock), access: .participant,
        "Get the time.",
        query: Parameter.clock, .json(ClockView.schema)),
      Operation(
        .deferred(.post, "/control/clock", as: "setClock", setClock), access: .participant,
        "Advance, set, freeze or release the clock. Answers 200 after all due work, or 202 if that takes longer.",
        query: Parameter.clock, body: ClockChange.schema.object, .json(ClockView.schema, 200, 202)),
      Operation(
        .get("/control/entropy", as: "fetchEntropy", fetchEntropy), access: .participant,
        "Get the random seed.",
        .json(RandomSeed.schema)),
      Operation(
        .put("/control/entropy", as: "setEntropy", setEntropy), access: .participant, "Set the random seed.",
        body: RandomSeed.schema.object, .json(RandomSeed.schema)),
    ]
  }

  private var networkOperations: [Operation] {
    [
      Operation(
        .get("/control/gateway", as: "fetchGateway", fetchGateway), access: .participant,
        "Get the settings of the operators' gateway to mobile data.", .json(GatewayView.schema)),
      Operation(
        .put("/control/gateway", as: "putGateway", putGateway), access: .participant,
        "Change the settings that the body names.", body: GatewayView.schema.object, .json(GatewayView.schema)
      ),
      Operation(
        .get("/control/numbers/{number}", as: "fetchNumber", fetchNumber), access: .participant,
        "Get what the sandbox knows about a number: if it can exist, its country, if it is fictional.",
        .json(NumberView.schema)),
      Operation(
        .get("/control/subscribers", as: "listSubscribers", listSubscribers), access: .participant,
        "List the subscribers with a record.", query: Parameter.namedPage, .page(Self.subscriberPage)),
      Operation(
        .get("/control/subscribers/{number}", as: "fetchSubscriber", fetchSubscriber), access: .participant,
        "Get the subscriber of a number, with or without a record.", .json(Subscriber.schema)),
      Operation(
        .put("/control/subscribers/{number}", as: "putSubscriber", putSubscriber), access: .participant,
        "Change the members of a subscriber that the body names.", body: Subscriber.schema.object,
        .json(Subscriber.schema)),
      Operation(
        .delete("/control/subscribers/{number}", as: "deleteSubscriber", deleteSubscriber),
        access: .participant,
        "Delete the record of a number.", .empty),
      Operation(
        .post("/control/subscribers/{number}/events", as: "applySubscriberEvent", applyEvent),
        access: .participant,
        "Apply an event to a line: simSwap, port, recycle, deactivate, roam, attach, detach.",
        body: SubscriberChange.schema.object, .json(Subscriber.schema)),
    ]
  }

  private var deviceOperations: [Operation] {
    [
      Operation(
        .get("/control/devices", as: "listDevices", listDevices), access: .participant,
        "List the handsets with their apps.",
        query: Parameter.namedPage, .page(HandsetView.page)),
      Operation(
        .post("/control/devices", as: "createDevice", createDevice), access: .participant,
        "Create a handset for a number. If the body names a provider, also register an app with it.",
        body: Self.newDevice, .json(anyOf: Self.handsetOrDevice, 201)),
      Operation(
        .get("/control/devices/{id}", as: "fetchDevice", fetchDevice), access: .participant,
        "Get a handset by its number, or a registered app by its id; `latest` works.",
        .json(anyOf: Self.handsetOrDevice)),
      Operation(
        .put("/control/devices/{id}", as: "putDevice", putDevice), access: .participant,
        "Change a registered app: its push token, the person's behaviour, the handset's state. A number means all apps on its handset; `latest` works.",
        body: DeviceChange.schema.object, .json(anyOf: Self.handsetOrDevice)),
      Operation(
        .post("/control/devices/{id}/rotate", as: "rotateToken", rotateToken), access: .participant,
        "Give a registered app a new push token; the old one becomes invalid.",
        body: NewToken.schema.object, .json(DeviceView.schema)),
      Operation(
        .delete("/control/devices/{id}", as: "deleteDevice", deleteDevice), access: .participant,
        "Remove an app from its handset, or all apps of a number.", .empty),
      Operation(
        .post("/control/devices/{id}/approve", as: "approveOnDevice", approve), access: .participant,
        "Approve the newest challenge of a number, a device or a reference; `latest` works.",
        .json(ChallengeView.schema)),
      Operation(
        .post("/control/devices/{id}/deny", as: "denyOnDevice", deny), access: .participant,
        "Deny the newest challenge of a number, a device or a reference; `latest` works.",
        .json(ChallengeView.schema)),
      Operation(
        .post("/control/devices/{id}/scan", as: "scanOnDevice", scan), access: .participant,
        "Scan a QR code with a device; a number or `latest` works.", body: Scan.schema.object,
        .json(ChallengeView.schema)),
      Operation(
        .post("/control/devices/{id}/open", as: "openOnDevice", openOnDevice), access: .participant,
        "Open a silent URL on a handset and follow its redirects; `latest` works.",
        body: Opening.schema.object, .json(WalkResult.schema)),
      Operation(
        .deferred(.get, "/control/pushes", as: "listPushes", listPushes), access: .participant,
        "List the pushes to devices.",
        query: Parameter.pushes, .page(PushView.page)),
      Operation(
        .get("/control/pushes/attempts", as: "listPushAttempts", listPushAttempts), access: .participant,
        "List all push requests, including rejected ones and dry runs.", query: Parameter.pushAttempts,
        .page(Self.pushAttemptPage)),
      Operation(
        .get("/control/pushes/{id}", as: "fetchPush", fetchPush), access: .participant,
        "Get a push; `latest` works. With `.apns` after the id, get the file for an iOS simulator.",
        query: [Parameter.token.member],
        .json(anyOf: [.object(PushView.schema.object), .map(.any)])),
      Operation(
        .delete("/control/pushes", as: "clearPushes", clearPushes), access: .participant, "Delete pushes.",
        query: [Parameter.token.member], .empty),
    ]
  }

  private static let handsetOrDevice: [JSONSchema] = [
    .object(HandsetView.schema.object), .object(DeviceView.schema.object),
  ]

  private var messageOperations: [Operation] {
    [
      Operation(
        .get("/control/verifications", as: "listVerifications", listVerifications), access: .participant,
        "List verifications with their attempts, codes, silent sessions and webhooks.",
        query: Parameter.verifications, .page(VerificationView.page)),
      Operation(
        .get("/control/records/{provider}", as: "listRecords", listRecords), access: .participant,
        "List a provider's other records, such as templates.", query: Parameter.records,
        .page(ProviderRecord.page)),
      Operation(
        .post("/control/verifications/{destination}/cancel", as: "cancelVerification", cancelVerification),
        access: .participant,
        "Cancel the verification with this id, or the newest pending one of a phone number or email address.",
        .json(Self.endedSchema)),
      Operation(
        .post("/control/verifications/{destination}/lock", as: "lockVerification", lockVerification),
        access: .participant,
        "Lock it, as too many wrong codes do.", .json(Self.endedSchema)),
      Operation(
        .deferred(.get, "/control/inbox", as: "listInbox", inbox), access: .participant,
        "List the messages on all handsets.",
        query: Parameter.inbox, .page(MessageView.page)),
      Operation(
        .deferred(.get, "/control/inbox/latest", as: "fetchLatestMessage", latestMessage),
        access: .participant,
        "Get the newest message.", query: Parameter.latestMessage, .json(MessageView.schema)),
      Operation(
        .deferred(.get, "/control/inbox/latest/code", as: "fetchLatestCode", latestCode),
        access: .participant,
        "Get the newest code, as plain text.", query: Parameter.latestMessage, .text),
      Operation(
        .deferred(.get, "/control/inbox/{number}", as: "listInboxOfNumber", inbox), access: .participant,
        "List the messages on one handset.", path: [Parameter.inboxOwner], query: Parameter.inbox,
        .page(MessageView.page)),
      Operation(
        .deferred(.get, "/control/inbox/{number}/latest", as: "fetchLatestMessageOfNumber", latestMessage),
        access: .participant,
        "Get the newest message on one handset.", path: [Parameter.inboxOwner],
        query: Parameter.latestMessage,
        .json(MessageView.schema)),
      Operation(
        .deferred(.get, "/control/inbox/{number}/latest/code", as: "fetchLatestCodeOfNumber", latestCode),
        access: .participant,
        "Get the newest code on one handset, as plain text.", path: [Parameter.inboxOwner],
        query: Parameter.latestMessage, .text),
      Operation(
        .delete("/control/inbox", as: "clearInbox", clearInbox), access: .participant, "Empty all inboxes.",
        .empty),
      Operation(
        .delete("/control/inbox/{number}", as: "clearInboxOfNumber", clearInbox), access: .participant,
        "Empty one inbox.",
        path: [Parameter.inboxOwner], .empty),
      Operation(
        .post("/control/inbox/{number}/reply", as: "reply", reply), access: .participant,
        "Send a text from a handset. STOP and START change the person's opt-outs.",
        body: TextReply.schema.object, .json(MessageView.schema, 201)),
      Operation(
        .deferred(.get, "/control/messages", as: "listMessages", submitted), access: .participant,
        "List all submitted messages, on a handset or not.", query: Parameter.messages,
        .page(MessageView.page)),
      Operation(
        .get("/control/messages/{id}", as: "fetchMessage", fetchMessage), access: .participant,
        "Get a message with its receipts.",
        .json(MessageView.schema)),
      Operation(
        .post("/control/calls/{id}/keys", as: "pressKeys", pressKeys), access: .participant,
        "Press keys during a call.",
        body: PressedKeys.schema.object, .json(MessageView.schema)),
    ]
  }

  private var ruleOperations: [Operation] {
    [
      Operation(
        .get("/control/scenarios", as: "listScenarios", listScenarios), access: .participant,
        "List the scenarios: rules about the outcome of messages.", .json(Self.scenarioList)),
      Operation(
        .put("/control/scenarios", as: "putScenarios", putScenarios), access: .participant,
        "Replace the scenarios.",
        body: Self.newScenarios, .json(Self.scenarioList)),
      Operation(
        .delete("/control/scenarios", as: "clearScenarios", clearScenarios), access: .participant,
        "Remove the scenarios.", .empty),
      Operation(
        .get("/control/faults", as: "listFaults", listFaults), access: .participant,
        "List the faults: rules about requests that fail on purpose.", .json(Self.faultList)),
      Operation(
        .put("/control/faults", as: "putFaults", putFaults), access: .participant, "Replace the faults.",
        body: Self.newFaults,
        .json(Self.faultList)),
      Operation(
        .delete("/control/faults", as: "clearFaults", clearFaults), access: .participant,
        "Remove the faults.", .empty),
    ]
  }

  private var journalOperations: [Operation] {
    [
      Operation(
        .get("/control/journal", as: "listJournal", listJournal), access: .participant,
        "List requests with their answers, secrets masked.", query: Parameter.journal,
        .page(Self.exchangePage)),
      Operation(
        .deferred(.get, "/control/journal/wait", as: "waitForJournal", waitForJournal), access: .participant,
        "Wait for a matching request.", query: Parameter.journalWait, .page(Self.exchangePage)),
      Operation(
        .post("/control/journal/verify", as: "verifyJournal", verifyJournal), access: .participant,
        "Check the number of matching requests.", body: JournalClaim.schema.object,
        .json(JournalResult.schema, 200, 409)),
      Operation(
        .post("/control/tests", as: "markTest", markTest), access: .participant,
        "Name the test to which the next requests belong, or say how it ended. Reports show both.",
        body: TestMark.schema.object, .empty),
      Operation(
        .get("/control/journal/{id}", as: "fetchExchange", fetchExchange), access: .participant,
        "Get a request with its answer; `latest` works.", .json(Self.exchangeSchema)),
      Operation(
        .delete("/control/journal", as: "clearJournal", clearJournal), access: .participant,
        "Empty the journal.", .empty),
      Operation(
        .deferred(.get, "/control/events", as: "listEvents", listEvents), access: .participant,
        "List events.",
        query: Parameter.events, .page(Self.eventPage)),
      Operation(
        .deferred(.get, "/control/events/stream", as: "streamEvents", streamEvents), access: .participant,
        "Follow events and requests as they come (server-sent events).", query: Parameter.eventStream,
        .file("text/event-stream")),
      Operation(
        .deferred(.get, "/control/webhooks", as: "listWebhooks", listWebhooks), access: .participant,
        "List webhooks with their attempts.", query: Parameter.webhooks, .page(WebhookView.page)),
      Operation(
        .get("/control/webhooks/keys", as: "fetchWebhookKeys", fetchWebhookKeys), access: .participant,
        "Get the public key of webhook signatures, in PEM.", .text),
      Operation(
        .get("/control/webhooks/{id}", as: "fetchWebhook", fetchWebhook), access: .participant,
        "Get a webhook; `latest` works.",
        .json(WebhookView.schema)),
      Operation(
        .deferred(.post, "/control/webhooks/{id}/replay", as: "replayWebhook", replayWebhook),
        access: .participant,
        "Send a webhook again. The answer comes after the attempt.", .json(WebhookView.schema, 200, 202)),
    ]
  }

  private var healthOperations: [Operation] {
    [
      Operation(
        .get("/control/openapi.json", as: "fetchOpenAPI", openAPI), access: .participant,
        "Get this description.", .anyJSON),
      Operation(.get("/livez", as: "livez", live), access: .open, "Check that the process runs.", .text),
      Operation(
        .get("/readyz", as: "readyz", ready), access: .open, "Check that the database answers.", .text),
      Operation(
        .get("/metrics", as: "metrics", prometheus), access: .admin, "Get counts for Prometheus.", .text),
    ]
  }
}
