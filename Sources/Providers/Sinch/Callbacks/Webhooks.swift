package import ProviderKit

extension SinchProvider {
  package static let webhookKinds =
    CallbackKind.allCases.map(\.rawValue) + SMSCallback.Kind.allCases.map(\.rawValue)
  package static let timestampedKinds = webhookKinds
  package static let signatureFields = ["Authorization", SMSCallback.signatureField]

  package static func request(for webhook: Webhook, in sandbox: Sandbox) throws -> WebhookRequest? {
    if let kind = SMSCallback.Kind(rawValue: webhook.draft.kind) {
      return try SMSCallback.request(for: webhook, kind, in: sandbox)
    }
    guard let kind = CallbackKind(rawValue: webhook.draft.kind),
      let stored = try StoredVerification.find(webhook.draft.subject, in: sandbox),
      let application = try Application.find(stored.verification.claim.owner, in: sandbox),
      let body = try Callback.body(kind, about: stored, in: sandbox)
    else { return nil }
    let time = (webhook.nextAt ?? webhook.createdAt) - webhook.timestampAge
    return Callback.sign(
      body, to: webhook.draft.url, by: application, at: time, contentType: webhook.fault?.fault.contentType)
  }

  package static func request(
    sending body: JSON, of kind: String, to url: String, in sandbox: Sandbox
  ) throws -> (url: String, request: WebhookRequest) {
    if SMSCallback.Kind(rawValue: kind) != nil {
      let plan = try Plan.all(in: sandbox).first?.id ?? ""
      let (number, now) = (sandbox.nextOrdinal(), sandbox.clock.now)
      return (url, try SMSCallback.sign(body.encoded(), of: plan, number, at: now, in: sandbox))
    }
    guard let application = try Application.find("", in: sandbox) else { return (url, .json(body.encoded())) }
    return (url, Callback.sign(body.encoded(), to: url, by: application, at: sandbox.clock.now))
  }

  /// That of results and deliveries with the default settings. Source: contract 9.
  package static var retries: RetrySchedule { schedule(Settings()) }

  /// A decision is asked for once. Source: contract 7.
  package static func retries(of webhook: Webhook, in sandbox: Sandbox) throws -> RetrySchedule {
    guard SMSCallback.Kind(rawValue: webhook.draft.kind) == nil else { return SMSCallback.retries }
    let schedule = schedule(try Settings.current(in: sandbox))
    return webhook.draft.kind == CallbackKind.request.rawValue ? schedule.withoutRepetition : schedule
  }

  /// After 1, 5, 25 seconds and so on.
  private static func schedule(_ settings: Settings) -> RetrySchedule {
    var pauses: [Duration] = []
    var seconds = 1
    for _ in 0..<settings.callbackRetries {
      pauses.append(.seconds(seconds))
      seconds *= 5
    }
    var schedule = RetrySchedule(pauses: pauses)
    schedule.timeouts.total = .seconds(settings.callbackTimeout)
    return schedule
  }
}
