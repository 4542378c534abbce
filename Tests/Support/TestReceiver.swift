package import Domain

/// Whoever webhooks of a `TestSandbox` go to: it keeps what was sent and answers at once, 200 unless told otherwise.
///
/// A class because tests change its mind between two requests.
package final class TestReceiver {
  /// One request that came.
  package struct Delivery {
    /// Where it was sent.
    package let url: String
    /// What was sent.
    package let request: WebhookRequest
    /// How long an answer would have been waited for.
    package let timeout: Duration

    /// The body as text.
    package var body: String { String(decoding: request.body, as: UTF8.self) }

    /// The value of a header field, named exactly as it was sent.
    package subscript(field: String) -> String? { request.fields.first { $0.name == field }?.value }
  }

  /// What came, oldest first.
  package private(set) var deliveries: [Delivery] = []
  /// What it answers from now on.
  package var answer = WebhookAttempt.Result.answered(status: 200, body: "")
  /// Whether nothing is sent to it for now.
  package var isSilent = false

  /// Forgets what came.
  package func clear() { deliveries = [] }

  func take(
    to url: String, _ request: WebhookRequest, waiting timeout: Duration,
    then: (WebhookAttempt.Result) -> Void
  ) {
    deliveries.append(Delivery(url: url, request: request, timeout: timeout))
    then(answer)
  }
}
