import Domain
import HTTP
import Server

// Where the words of the domain for a webhook meet those of the client that sends it.

extension Headers {
  /// A webhook's fields.
  init(_ fields: [WebhookRequest.Field]) {
    self.init()
    for field in fields { add(field.name, field.value) }
  }
}

extension HTTPClient.Outcome {
  /// How much of an answer's body is kept, in bytes.
  private static let excerptLength = 1024

  /// What the outcome is to the webhook whose attempt it was.
  var result: WebhookAttempt.Result {
    switch self {
    case .answered(let response):
      .answered(
        status: response.status.code,
        body: String(decoding: response.body.prefix(Self.excerptLength), as: UTF8.self))
    case .failed(let reason): .unanswered(reason: reason)
    case .denied(let reason): .refused(reason: reason)
    }
  }
}
