package import Domain

/// The receiver of a `TestSandbox`'s webhooks. It stores them and answers at once, with 200 by default.
///
/// A class, so that tests can change its answer between two requests.
package final class TestReceiver {
  package struct Delivery {
    package let url: String
    package let request: WebhookRequest
    package let timeouts: RetrySchedule.Timeouts

    package var body: String { String(decoding: request.body, as: UTF8.self) }

    /// The value of a header field; the name is compared with its case.
    package subscript(field: String) -> String? { request.fields.first { $0.name == field }?.value }
  }

  /// The received requests, oldest first.
  package private(set) var deliveries: [Delivery] = []
  /// The answer to later requests.
  package var answer = WebhookAttempt.Result.answered(status: 200, body: "")
  /// Answers instead, if it is set.
  package var app: ((Delivery) -> WebhookAnswer)?
  /// True while no webhooks are sent to it.
  package var isSilent = false

  package func clear() { deliveries = [] }

  func take(
    to url: String, _ request: WebhookRequest, within timeouts: RetrySchedule.Timeouts,
    then: (WebhookAttempt.Result) -> Void
  ) {
    let delivery = Delivery(url: url, request: request, timeouts: timeouts)
    deliveries.append(delivery)
    then(app.map { .answered($0(delivery)) } ?? answer)
  }
}
