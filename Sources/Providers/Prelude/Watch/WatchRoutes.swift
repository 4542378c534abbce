import ProviderKit

extension PreludeProvider {
  static var watchRoutes: [Route<Sandbox>] {
    [
      withBody(.post, "/v2/watch/predict", as: "predictOutcome", predictOutcome),
      withBody(.post, "/v2/watch/eval", as: "evaluateFlow", evaluateFlow),
      withBody(.post, "/v2/watch/event", as: "sendEvents", sendEvents),
      withBody(.post, "/v2/watch/feedback", as: "sendFeedbacks", sendFeedbacks),
    ]
  }
}
