import Domain
import HTTP
import JSON

extension ControlAPI {
  var ruleOperations: [Operation] {
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
      Operation(
        .get("/control/faults/options", as: "fetchFaultOptions", fetchFaultOptions), access: .participant,
        "List what faults can name: routes and error codes of each provider.",
        query: [Parameter.provider.member], .json(FaultOptions.schema)),
      Operation(
        .get("/control/webhooks/faults", as: "listWebhookFaults", listWebhookFaults), access: .participant,
        "List the webhook faults: rules about webhooks that go wrong on purpose.",
        .json(Self.webhookFaultList)),
      Operation(
        .put("/control/webhooks/faults", as: "putWebhookFaults", putWebhookFaults), access: .participant,
        "Replace the webhook faults.", body: Self.newWebhookFaults, .json(Self.webhookFaultList)),
      Operation(
        .delete("/control/webhooks/faults", as: "clearWebhookFaults", clearWebhookFaults),
        access: .participant, "Remove the webhook faults.", .empty),
    ]
  }
}
