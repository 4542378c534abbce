package import Domain
package import HTTP

/// Our own endpoints, under `/control/`: what a test or a person tells the sandbox, and asks it.
package struct ControlAPI {
  /// The owner's name in the router.
  package static let name = "control"

  let sandboxes: Sandboxes
  let metrics: Metrics
  let line: InProcessTransport

  /// The control API of these sandboxes, whose handsets use this line.
  package init(_ sandboxes: Sandboxes, metrics: Metrics, line: InProcessTransport) {
    self.sandboxes = sandboxes
    self.metrics = metrics
    self.line = line
  }

  /// The control API as the router sees it.
  package var owner: RouteOwner<Sandbox> {
    RouteOwner(
      name: Self.name, routes: operations.map(\.strictRoute),
      errorResponse: { failure, request, _ in
        Self.errorResponse(for: failure, to: request)
      })
  }

  /// Every operation: the API's table of contents, and the source of `/control/openapi.json`.
  var operations: [Operation] {
    [
      // Sandboxes
      Operation(.get("/control/sandboxes", as: "listSandboxes", listSandboxes), "All sandboxes."),
      Operation(
        .post("/control/sandboxes", as: "createSandbox", createSandbox),
        "Makes a sandbox with fresh credentials.", body: .sandbox),
      Operation(.get("/control/sandboxes/{name}", as: "fetchSandbox", fetchSandbox), "One sandbox."),
      Operation(
        .delete("/control/sandboxes/{name}", as: "deleteSandbox", deleteSandbox),
        "Removes a sandbox with all that it holds."),
      Operation(
        .post("/control/sandboxes/{name}/reset", as: "resetSandbox", resetSandbox),
        "Brings a sandbox back to its seeds."),
      Operation(.post("/control/reset", as: "reset", resetThis), "Brings this sandbox back to its seeds."),
      Operation(
        .get("/control/sandboxes/{name}/export", as: "exportSandbox", exportSandbox),
        "The seed that would bring back the present state; secrets are masked."),
      Operation(
        .on(.post, "/control/seed", as: "seed", bodyLimit: 8 << 20, seed), "Loads a seed into this sandbox.",
        body: .seed),

      // Clock and entropy
      Operation(.get("/control/clock", as: "fetchClock", fetchClock), "The sandbox's time."),
      Operation(
        .deferred(.post, "/control/clock", as: "setClock", setClock),
        "Moves, sets, freezes or releases the clock; due work is done before the answer.", body: .clock),
      Operation(.get("/control/entropy", as: "fetchEntropy", fetchEntropy), "The number behind all chance."),
      Operation(
        .put("/control/entropy", as: "setEntropy", setEntropy),
        "Puts another number behind codes to come.", body: .entropy),
      Operation(
        .get("/control/gateway", as: "fetchGateway", fetchGateway), "The operators' gateway to mobile data."),
      Operation(
        .put("/control/gateway", as: "putGateway", putGateway), "Changes what the body names.",
        body: .gateway),

      // Subscribers
      Operation(
        .get("/control/subscribers", as: "listSubscribers", listSubscribers), "Numbers with a record."),
      Operation(
        .get("/control/subscribers/{number}", as: "fetchSubscriber", fetchSubscriber),
        "What the carrier knows of a number."),
      Operation(
        .put("/control/subscribers/{number}", as: "putSubscriber", putSubscriber),
        "Changes what the body names.", body: .subscriber),
      Operation(
        .delete("/control/subscribers/{number}", as: "deleteSubscriber", deleteSubscriber),
        "Forgets a number's record."),
      Operation(
        .post("/control/subscribers/{number}/events", as: "applySubscriberEvent", applyEvent),
        "Lets something happen to a line: simSwap, port, recycle, deactivate, roam, attach, detach.",
        body: .subscriberEvent),

      // Devices
      Operation(
        .get("/control/devices", as: "listDevices", listDevices),
        "Handsets with the apps that are registered on them."),
      Operation(
        .post("/control/devices", as: "createDevice", createDevice),
        "Gives a number its handset, and registers an app on it where the body names a provider.",
        body: .device),
      Operation(
        .get("/control/devices/{id}", as: "fetchDevice", fetchDevice),
        "A handset by its number, or a registered app by its id; `latest` works."),
      Operation(
        .put("/control/devices/{id}", as: "putDevice", putDevice),
        "Changes what pushes to a registered app meet; `latest` works.", body: .deviceChange),
      Operation(
        .post("/control/devices/{id}/rotate", as: "rotateToken", rotateToken),
        "Gives a registered app a new push token; the old one is worth nothing any more.", body: .newToken),
      Operation(
        .delete("/control/devices/{id}", as: "deleteDevice", deleteDevice),
        "Takes an app off its handset, or all apps off a number's."),
      Operation(
        .post("/control/devices/{id}/approve", as: "approveOnDevice", approve),
        "Says yes to the newest question to a number, a device, about a reference, or `latest`."),
      Operation(
        .post("/control/devices/{id}/deny", as: "denyOnDevice", deny),
        "Says no to the newest question to a number, a device, about a reference, or `latest`."),
      Operation(
        .post("/control/devices/{id}/scan", as: "scanOnDevice", scan),
        "Scans a QR code with a device; a number or `latest` works.", body: .scan),
      Operation(
        .post("/control/devices/{id}/open", as: "openOnDevice", openOnDevice),
        "Opens a silent URL on a handset and follows it to its end; `latest` works.", body: .opening),

      Operation(
        .deferred(.get, "/control/pushes", as: "listPushes", listPushes),
        "What was pushed to devices, and what has become of it.", query: .pushes),
      Operation(
        .get("/control/pushes/attempts", as: "listPushAttempts", listPushAttempts),
        "Requests to push something, those that were refused and dry runs among them.", query: .pushAttempts),
      Operation(
        .get("/control/pushes/{id}", as: "fetchPush", fetchPush),
        "One push; `latest` works, and `.apns` behind either is what a simulator takes.", query: .token),
      Operation(
        .delete("/control/pushes", as: "clearPushes", clearPushes), "Forgets what was pushed.", query: .token),

      // Verifications, and what providers keep besides
      Operation(
        .get("/control/verifications", as: "listVerifications", listVerifications),
        "What waits for a code or is over, with attempts, codes, silent tokens and webhooks.",
        query: .verifications),
      Operation(
        .get("/control/records/{provider}", as: "listRecords", listRecords),
        "What a provider keeps besides, in its own words.", query: .records),
      Operation(
        .post("/control/verifications/{destination}/cancel", as: "cancelVerification", cancelVerification),
        "Calls off the newest verification that waits for a phone number or an email address."),

      // Inbox
      Operation(
        .deferred(.get, "/control/inbox", as: "listInbox", inbox), "Messages on all handsets.",
        query: .inbox),
      Operation(
        .deferred(.get, "/control/inbox/latest", as: "fetchLatestMessage", latestMessage),
        "The newest message.", query: .inbox),
      Operation(
        .deferred(.get, "/control/inbox/latest/code", as: "fetchLatestCode", latestCode),
        "The newest code, as plain text.", query: .inbox, answer: .text),
      Operation(
        .deferred(.get, "/control/inbox/{number}", as: "listInboxOfNumber", inbox),
        "Messages on one handset.", query: .inbox),
      Operation(
        .deferred(.get, "/control/inbox/{number}/latest", as: "fetchLatestMessageOfNumber", latestMessage),
        "The newest message on one handset.", query: .inbox),
      Operation(
        .deferred(.get, "/control/inbox/{number}/latest/code", as: "fetchLatestCodeOfNumber", latestCode),
        "The newest code on one handset, as plain text.", query: .inbox, answer: .text),
      Operation(.delete("/control/inbox", as: "clearInbox", clearInbox), "Empties all handsets."),
      Operation(
        .delete("/control/inbox/{number}", as: "clearInboxOfNumber", clearInbox), "Empties one handset."),
      Operation(
        .post("/control/inbox/{number}/reply", as: "reply", reply),
        "Sends a text from a handset; STOP and START change whose texts it gets.", body: .reply),
      Operation(
        .deferred(.get, "/control/messages", as: "listMessages", submitted),
        "Every message that the carrier was asked to carry, on a handset or not.", query: .messages),
      Operation(
        .get("/control/messages/{id}", as: "fetchMessage", fetchMessage), "One message with its receipts."),
      Operation(
        .post("/control/calls/{id}/keys", as: "pressKeys", pressKeys), "Presses keys during a call.",
        body: .keys),

      // What goes wrong
      Operation(.get("/control/scenarios", as: "listScenarios", listScenarios), "What becomes of messages."),
      Operation(
        .put("/control/scenarios", as: "putScenarios", putScenarios), "Replaces the scenarios.",
        body: .scenarios),
      Operation(
        .delete("/control/scenarios", as: "clearScenarios", clearScenarios), "Removes the scenarios."),
      Operation(.get("/control/faults", as: "listFaults", listFaults), "What becomes of requests."),
      Operation(.put("/control/faults", as: "putFaults", putFaults), "Replaces the faults.", body: .faults),
      Operation(.delete("/control/faults", as: "clearFaults", clearFaults), "Removes the faults."),

      // What happened
      Operation(
        .get("/control/journal", as: "listJournal", listJournal), "Requests and answers, secrets masked.",
        query: .journal),
      Operation(
        .deferred(.get, "/control/journal/wait", as: "waitForJournal", waitForJournal),
        "Blocks until a request matches.", query: .journalWait),
      Operation(
        .post("/control/journal/verify", as: "verifyJournal", verifyJournal),
        "Asserts that so many requests matched.", body: .journalClaim),
      Operation(
        .get("/control/journal/{id}", as: "fetchExchange", fetchExchange), "One request; `latest` works."),
      Operation(.delete("/control/journal", as: "clearJournal", clearJournal), "Forgets all requests."),
      Operation(
        .deferred(.get, "/control/events", as: "listEvents", listEvents), "What happened, in order.",
        query: .events),

      // Webhooks
      Operation(
        .deferred(.get, "/control/webhooks", as: "listWebhooks", listWebhooks),
        "Requests that the sandbox sends, each with its attempts.", query: .webhooks),
      Operation(
        .get("/control/webhooks/keys", as: "fetchWebhookKeys", fetchWebhookKeys),
        "The public key of webhooks' signatures, in PEM.", answer: .text),
      Operation(
        .get("/control/webhooks/{id}", as: "fetchWebhook", fetchWebhook), "One webhook; `latest` works."),
      Operation(
        .deferred(.post, "/control/webhooks/{id}/replay", as: "replayWebhook", replayWebhook),
        "Sends a webhook once more; the answer waits for the attempt's end."),

      // Health
      Operation(
        .get("/control/openapi.json", as: "fetchOpenAPI", openAPI), "This description.", answer: .json),
      Operation(.get("/livez", as: "livez", live), "Whether the process runs.", answer: .text),
      Operation(.get("/readyz", as: "readyz", ready), "Whether requests are answered.", answer: .text),
      Operation(.get("/metrics", as: "metrics", prometheus), "Counts for Prometheus.", answer: .text),
    ]
  }
}
