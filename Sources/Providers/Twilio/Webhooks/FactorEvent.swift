import ProviderKit

/// Events of factors and challenges, and the webhooks that report them. Source: contract 14.1.
enum FactorEvent: String, CaseIterable, Sendable {
  case factorCreated = "factor.created"
  case factorVerified = "factor.verified"
  case factorDeleted = "factor.deleted"
  case challengeApproved = "challenge.approved"
  case challengeDenied = "challenge.denied"

  static func announce(
    _ event: FactorEvent, factor: Factor, challenge: FactorChallenge? = nil, in sandbox: Sandbox
  ) throws {
    let facts = challenge.map { challenge in
      FactorEventSubject.ChallengeFacts(
        sid: challenge.sid, status: challenge.status(at: sandbox.clock.now).rawValue,
        details: (challenge.details ?? .object([])).text, hiddenDetails: challenge.hiddenDetails?.text,
        respondedAt: challenge.respondedAt, expiresAt: challenge.expiresAt)
    }
    try announce(
      event,
      FactorEventSubject(
        account: factor.account, service: factor.service, entity: factor.entity, identity: factor.identity,
        factor: factor.sid, factorType: factor.kind.rawValue, friendlyName: factor.friendlyName,
        factorStatus: factor.status.rawValue, challenge: facts), in: sandbox)
  }

  static func announceAnswer(to challenge: FactorChallenge, of factor: Factor, in sandbox: Sandbox) throws {
    switch challenge.answer {
    case .approved: try announce(.challengeApproved, factor: factor, challenge: challenge, in: sandbox)
    case .denied: try announce(.challengeDenied, factor: factor, challenge: challenge, in: sandbox)
    case nil: break
    }
  }

  /// Enqueues the event for every enabled webhook of the Service that is subscribed to it.
  static func announce(_ event: FactorEvent, _ subject: FactorEventSubject, in sandbox: Sandbox) throws {
    let webhooks = try ServiceWebhook.table.list(group: subject.service, in: sandbox).map(\.record)
      .filter { $0.isSubscribed(to: event) }
    guard !webhooks.isEmpty else { return }
    let ordinal = sandbox.nextOrdinal()
    let uuid = sandbox.entropy.uuid("webhook event", ordinal, at: sandbox.clock.now)
    let form = try Settings.current(in: sandbox).webhookBody
    for webhook in webhooks {
      let parameters = subject.parameters(of: event, webhook.version, uuid: uuid)
      let body = form == .form ? SignedBody(form: parameters) : SignedBody(json: parameters)
      try sandbox.webhooks.enqueue(
        body.draft(to: webhook.url, kind: event.rawValue, subject: ordinal, of: subject.account))
    }
  }
}

/// What an event is about: a factor, and a challenge for events of challenges.
struct FactorEventSubject {
  let account: String
  let service: String
  let entity: String
  let identity: String
  /// The SID of the factor.
  let factor: String
  /// As in the API: `push`, `totp`.
  let factorType: String
  let friendlyName: String
  let factorStatus: String
  var challenge: ChallengeFacts?

  struct ChallengeFacts {
    let sid: String
    let status: String
    /// A JSON object.
    let details: String
    /// A JSON object; nil if there are none.
    let hiddenDetails: String?
    let respondedAt: Timestamp?
    let expiresAt: Timestamp
  }
}

extension FactorEventSubject {
  /// The fields of a webhook, in this order. Version 1 has the documented ones only.
  fileprivate func parameters(
    of event: FactorEvent, _ version: ServiceWebhook.Version, uuid: String
  ) -> KeyValuePairs<String, String?> {
    let isFull = version == .v2
    let isOfFactor = challenge == nil
    return [
      "uuid": uuid,
      "type": event.rawValue,
      "account_sid": account,
      "service_sid": service,
      "entity_identity": identity,
      "factor_sid": factor,
      "factor_type": factorType,
      "entity_sid": isFull && isOfFactor ? entity : nil,
      "factor_friendly_name": isFull && isOfFactor ? friendlyName : nil,
      "factor_status": isFull && isOfFactor ? factorStatus : nil,
      "challenge_sid": challenge?.sid,
      "challenge_status": isFull ? challenge?.status : nil,
      "challenge_details": isFull ? challenge?.details : nil,
      "challenge_hidden_details": isFull ? challenge?.hiddenDetails : nil,
      "challenge_date_responded": isFull ? challenge?.respondedAt?.iso8601 : nil,
      "challenge_expiration_date": isFull ? challenge?.expiresAt.iso8601 : nil,
    ]
  }
}

extension JSON {
  fileprivate var text: String { String(decoding: encoded(), as: UTF8.self) }
}
