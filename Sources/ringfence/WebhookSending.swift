import Domain
import HTTP
import Server

extension HTTPClient {
  /// Sends a webhook. Calls back once with the result.
  func send(
    _ request: WebhookRequest, to url: String, within timeouts: RetrySchedule.Timeouts,
    then: @escaping (WebhookAttempt.Result) -> Void
  ) {
    let limits = Timeouts(
      total: timeouts.total, connecting: timeouts.connecting, silence: timeouts.silence)
    send(
      request.method == .get ? .get : .post, to: url, headers: Headers(request.fields), body: request.body,
      within: limits
    ) { then($0.result) }
  }
}

extension Headers {
  fileprivate init(_ fields: [WebhookRequest.Field]) {
    self.init()
    for field in fields { add(field.name, field.value) }
  }
}

extension HTTPClient.Outcome {
  fileprivate var result: WebhookAttempt.Result {
    switch self {
    case .answered(let response):
      .answered(
        WebhookAnswer(
          status: response.status.code,
          fields: response.headers.pairs.map { WebhookRequest.Field($0.name, $0.value) },
          body: response.body))
    case .unreachable(let why): .unreachable(why: why)
    case .failed(let why): .unanswered(why: why)
    case .denied(let why): .refused(why: why)
    }
  }
}
