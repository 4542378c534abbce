/// Rules about messages, requests and webhooks, as a client sees them.
extension GoldenTests {
  static let rules = [
    Case("listScenarios", "one", "GET /control/scenarios", after: .scenario),
    Case(
      "putScenarios", "set", "PUT /control/scenarios",
      #"{"scenarios":[{"match":{"channel":"sms","nth":2},"outcome":"slow","afterMs":20000}]}"#),
    Case("putScenarios", "bad-outcome", "PUT /control/scenarios", #"{"scenarios":[{"outcome":"boom"}]}"#),
    Case(
      "putScenarios", "misspelt-outcome", "PUT /control/scenarios",
      #"{"scenarios":[{"outcome":"undelivrable"}]}"#),
    Case("clearScenarios", "empty", "DELETE /control/scenarios", after: .scenario),
    Case("listFaults", "hit", "GET /control/faults", after: .fault, .code),
    Case("putFaults", "set", "PUT /control/faults", #"{"faults":[{"code":60203,"latencyMs":500}]}"#),
    Case("putFaults", "no-effect", "PUT /control/faults", #"{"faults":[{"provider":"acme"}]}"#),
    Case("clearFaults", "empty", "DELETE /control/faults", after: .fault),
    Case("fetchFaultOptions", "acme", "GET /control/faults/options?provider=acme"),
    Case("fetchFaultOptions", "unknown", "GET /control/faults/options?provider=acmee"),
    Case("listErrors", "acme", "GET /control/errors?provider=acme"),
    Case("listErrors", "unknown", "GET /control/errors?provider=acme&code=60204"),
    Case("listWebhookFaults", "hit", "GET /control/webhooks/faults", after: .lossOfWebhooks, .webhook),
    Case(
      "putWebhookFaults", "set", "PUT /control/webhooks/faults",
      #"{"webhookFaults":[{"provider":"acme","delayMs":60000,"signature":"wrong"}]}"#),
    Case(
      "putWebhookFaults", "unknown-kind", "PUT /control/webhooks/faults",
      #"{"webhookFaults":[{"kind":"thing.creatd","delivery":"lost"}]}"#),
    Case("clearWebhookFaults", "empty", "DELETE /control/webhooks/faults", after: .lossOfWebhooks),
    Case("listFailures", "silent", "GET /control/failures?flow=silent"),
    Case("listFailures", "unknown", "GET /control/failures?flow=silnt"),
    Case("fetchFailure", "lost", "GET /control/failures/text-lost"),
    Case("fetchFailure", "unknown", "GET /control/failures/text-lots"),
    Case(
      "produceFailure", "lost", "POST /control/failures/text-lost", #"{"number":"+12025550100","times":1}"#),
    Case("produceFailure", "unknown", "POST /control/failures/text-lots"),
    Case("undoFailure", "ended", "DELETE /control/failures/webhook-lost", after: .lossOfWebhooks),
    Case("undoFailure", "not-on", "DELETE /control/failures/text-lost"),
    Case("fetchChaos", "none", "GET /control/chaos"),
    Case("putChaos", "set", "PUT /control/chaos", #"{"rate":0,"seed":7}"#),
    Case("putChaos", "bad-rate", "PUT /control/chaos", #"{"rate":2}"#),
    Case("endChaos", "none", "DELETE /control/chaos"),
    Case("listLatency", "one", "GET /control/latency", after: .latency),
    Case("putLatency", "set", "PUT /control/latency", #"{"latency":[{"medianMs":1,"p99Ms":2}]}"#),
    Case(
      "putLatency", "less-than-median", "PUT /control/latency", #"{"latency":[{"medianMs":180,"p99Ms":90}]}"#),
    Case("clearLatency", "empty", "DELETE /control/latency", after: .latency),
    Case("listLimits", "exceeded", "GET /control/limits", after: .limit, .code, .code),
    Case("putLimits", "set", "PUT /control/limits", #"{"limits":[{"requestsPerSecond":100000}]}"#),
    Case("putLimits", "no-rate", "PUT /control/limits", #"{"limits":[{"provider":"acme"}]}"#),
    Case("clearLimits", "empty", "DELETE /control/limits", after: .limit),
  ]
}
