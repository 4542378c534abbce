extension ControlAPI {
  var networkOperations: [Operation] {
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
        .deferred(.get, "/control/subscribers", as: "listSubscribers", listSubscribers),
        access: .participant, secret: true,
        "List the subscribers with a record.", query: Parameter.namedPage, .page(Self.subscriberPage)),
      Operation(
        .get("/control/subscribers/{number}", as: "fetchSubscriber", fetchSubscriber), access: .participant,
        secret: true,
        "Get the subscriber of a number, with or without a record.", .json(Subscriber.schema)),
      Operation(
        .put("/control/subscribers/{number}", as: "putSubscriber", putSubscriber), access: .participant,
        secret: true,
        "Change the members of a subscriber that the body names.", body: Subscriber.schema.object,
        .json(Subscriber.schema)),
      Operation(
        .delete("/control/subscribers/{number}", as: "deleteSubscriber", deleteSubscriber),
        access: .participant,
        "Delete the record of a number.", .empty),
      Operation(
        .post("/control/subscribers/{number}/events", as: "applySubscriberEvent", applyEvent),
        access: .participant, secret: true,
        "Apply an event to a line: simSwap, deviceSwap, port, recycle, deactivate, roam, attach, detach.",
        body: SubscriberChange.schema.object, .json(Subscriber.schema)),
      Operation(
        .post("/control/subscribers/{number}/sim-token", as: "createSIMToken", createSIMToken),
        access: .participant, secret: true,
        "Get the temporary token of a SIM card, as an app on the handset gets it from the operator.",
        .json(SIMTokenView.schema)),
    ]
  }
}
