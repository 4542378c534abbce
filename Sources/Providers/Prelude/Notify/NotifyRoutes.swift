import ProviderKit

extension PreludeProvider {
  static var notifyRoutes: [Route<Sandbox>] {
    [
      withBody(.post, "/v2/notify", as: "sendMessage", sendMessage),
      withBody(.post, "/v2/notify/batch", as: "sendBatch", sendBatch),
      withBody(.post, "/v2/notify/reply", as: "replyToMessage", replyToMessage),
    ]
  }

  /// The older API.
  static var transactionalRoutes: [Route<Sandbox>] {
    [withBody(.post, "/v2/transactional", as: "sendTransactional", sendTransactional)]
  }
}
