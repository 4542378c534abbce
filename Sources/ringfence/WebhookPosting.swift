import Domain
import HTTP
import Server

extension HTTPClient {
  /// Sends a webhook. Calls back once with the result.
  func post(
    _ request: WebhookRequest, to url: String, within timeouts: RetrySchedule.Timeouts,
    then: @escaping (WebhookAttempt.Result) -> Void
  ) {
    let limits = Timeouts(
      total: timeouts.total, connecting: timeouts.connecting, silence: timeouts.silence)
    post(to: url, headers: Headers(request.fields), body: request.body, within: limits) { then($0.result) }
  }
}

extension Headers {
  fileprivate init(_ fields: [WebhookRequest.Field]) {
    self.init()
    for field in fields { add(field.name, field.value) }
  }
}

extension HTTPClient.Outcome {
  /// The longest body to keep of a webhook's response, in bytes.
  private static let excerptLength = 4096

  fileprivate var result: WebhookAttempt.Result {
    switch self {
    case .answered(let response):
      .answered(
        status: response.status.code,
        body: String(decoding: response.body.prefix(Self.excerptLength), as: UTF8.self))
    case .unreachable(let why): .unreachable(why: why)
    case .failed(let why): .unanswered(why: why)
    case .denied(let why): .refused(why: why)
    }
  }
}
