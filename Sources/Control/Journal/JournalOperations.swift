extension ControlAPI {
  var journalOperations: [Operation] {
    [
      Operation(
        .deferred(.get, "/control/journal", as: "listJournal", listJournal), access: .participant,
        secret: true,
        "List requests with their answers, secrets masked.", query: Parameter.journal,
        .page(Self.exchangePage)),
      Operation(
        .deferred(.get, "/control/journal/wait", as: "waitForJournal", waitForJournal), access: .participant,
        secret: true,
        "Wait for a matching request.", query: Parameter.journalWait, .page(Self.exchangePage)),
      Operation(
        .deferred(.post, "/control/journal/verify", as: "verifyJournal", verifyJournal),
        access: .participant,
        "Check the number of matching requests.", body: JournalClaim.schema.object,
        .json(JournalResult.schema, 200, 409)),
      Operation(
        .deferred(.get, "/control/explanation", as: "explain", explain), access: .participant, secret: true,
        "Tell what happened, as text for people: requests with refusals and reasons, messages, webhooks.",
        .text),
      Operation(
        .post("/control/tests", as: "markTest", markTest), access: .participant,
        "Name the test to which the next requests belong, or say how it ended. Reports show both.",
        body: TestMark.schema.object, .empty),
      Operation(
        .get("/control/journal/{id}", as: "fetchExchange", fetchExchange), access: .participant, secret: true,
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
        secret: true,
        "List webhooks with their attempts.", query: Parameter.webhooks, .page(WebhookView.page)),
      Operation(
        .get("/control/webhooks/keys", as: "fetchWebhookKeys", fetchWebhookKeys), access: .participant,
        "Get the public key of webhook signatures, in PEM.", .text),
      Operation(
        .get("/control/webhooks/{id}", as: "fetchWebhook", fetchWebhook), access: .participant, secret: true,
        "Get a webhook; `latest` works.",
        .json(WebhookView.schema)),
      Operation(
        .deferred(.post, "/control/webhooks/{id}/replay", as: "replayWebhook", replayWebhook),
        access: .participant, secret: true,
        "Send a webhook again. The answer comes after the attempt.", .json(WebhookView.schema, 200, 202)),
      Operation(
        .deferred(.post, "/control/webhooks/forge", as: "forgeWebhook", forgeWebhook), access: .participant,
        secret: true,
        "Send a webhook that was made by hand, once. The answer comes after the attempt.",
        body: ForgedWebhook.schema.object, .json(WebhookView.schema, 200, 202)),
    ]
  }
}
