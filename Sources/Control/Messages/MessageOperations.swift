extension ControlAPI {
  var messageOperations: [Operation] {
    [
      Operation(
        .deferred(.get, "/control/verifications", as: "listVerifications", listVerifications),
        access: .participant, secret: true,
        "List verifications with their attempts, codes, silent sessions and webhooks.",
        query: Parameter.verifications, .page(VerificationView.page)),
      Operation(
        .deferred(.get, "/control/records/{provider}", as: "listRecords", listRecords), access: .participant,
        secret: true,
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
        .deferred(
          .get, "/control/verifications/{destination}/share", as: "shareVerification", shareVerification),
        access: .participant, secret: true,
        "Get the verification with this id as one HTML file for other people, with its state, without secrets.",
        .file("text/html")),
      Operation(
        .deferred(.get, "/control/inbox", as: "listInbox", inbox), access: .participant, secret: true,
        "List the messages on all handsets, in the order of arrival.",
        query: Parameter.inbox, .page(MessageView.page)),
      Operation(
        .deferred(.get, "/control/inbox/latest", as: "fetchLatestMessage", latestMessage),
        access: .participant, secret: true,
        "Get the message that arrived last.", query: Parameter.latestMessage, .json(MessageView.schema)),
      Operation(
        .deferred(.get, "/control/inbox/latest/code", as: "fetchLatestCode", latestCode),
        access: .participant, secret: true,
        "Get the newest code, as plain text.", query: Parameter.latestCode, .text),
      Operation(
        .deferred(.get, "/control/inbox/code", as: "fetchCode", explainedCode),
        access: .participant, secret: true,
        "Get the newest code with the text that it was found in, and why it was chosen.",
        query: Parameter.latestCode, .json(FoundCode.schema)),
      Operation(
        .deferred(.get, "/control/inbox/{number}", as: "listInboxOfNumber", inbox), access: .participant,
        secret: true,
        "List the messages on one handset, in the order of arrival.", path: [Parameter.inboxOwner],
        query: Parameter.inboxOfNumber,
        .page(MessageView.page)),
      Operation(
        .deferred(.get, "/control/inbox/{number}/latest", as: "fetchLatestMessageOfNumber", latestMessage),
        access: .participant, secret: true,
        "Get the message that arrived last on one handset.", path: [Parameter.inboxOwner],
        query: Parameter.latestMessageOfNumber,
        .json(MessageView.schema)),
      Operation(
        .deferred(.get, "/control/inbox/{number}/latest/code", as: "fetchLatestCodeOfNumber", latestCode),
        access: .participant, secret: true,
        "Get the newest code on one handset, as plain text.", path: [Parameter.inboxOwner],
        query: Parameter.latestCodeOfNumber, .text),
      Operation(
        .deferred(.get, "/control/inbox/{number}/code", as: "fetchCodeOfNumber", explainedCode),
        access: .participant, secret: true,
        "Get the newest code on one handset with its text, and why it was chosen.",
        path: [Parameter.inboxOwner], query: Parameter.latestCodeOfNumber, .json(FoundCode.schema)),
      Operation(
        .delete("/control/inbox", as: "clearInbox", clearInbox), access: .participant, "Empty all inboxes.",
        .empty),
      Operation(
        .delete("/control/inbox/{number}", as: "clearInboxOfNumber", clearInbox), access: .participant,
        "Empty one inbox.",
        path: [Parameter.inboxOwner], .empty),
      Operation(
        .post("/control/inbox/{number}/reply", as: "reply", reply), access: .participant, secret: true,
        "Send a text from a handset. STOP and START change the person's opt-outs.",
        body: TextReply.schema.object, .json(MessageView.schema, 201)),
      Operation(
        .deferred(.get, "/control/messages", as: "listMessages", submitted), access: .participant,
        secret: true,
        "List all submitted messages, on a handset or not.", query: Parameter.messages,
        .page(MessageView.page)),
      Operation(
        .get("/control/messages/{id}", as: "fetchMessage", fetchMessage), access: .participant, secret: true,
        "Get a message with its receipts.",
        .json(MessageView.schema)),
      Operation(
        .post("/control/calls/{id}/keys", as: "pressKeys", pressKeys), access: .participant, secret: true,
        "Press keys during a call.",
        body: PressedKeys.schema.object, .json(MessageView.schema)),
    ]
  }
}
