package import Basics

/// Something that happened in a sandbox.
package struct Event: Equatable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    /// Derived from the verification's row.
    case verificationStarted = "verification.started"
    /// Derived from the message's row.
    case messageSent = "message.sent"
    case verificationApproved = "verification.approved"
    case verificationDenied = "verification.denied"
    case verificationCanceled = "verification.canceled"
    case verificationExpired = "verification.expired"
    /// Too many wrong codes.
    case verificationExhausted = "verification.exhausted"
    /// A message that was held or slow reached its handset.
    case messageArrived = "message.arrived"
    case simSwapped = "subscriber.simSwapped"
    case deviceSwapped = "subscriber.deviceSwapped"
    case ported = "subscriber.ported"
    case recycled = "subscriber.recycled"
    case deactivated = "subscriber.deactivated"
    case roamed = "subscriber.roamed"
    case attached = "subscriber.attached"
    case detached = "subscriber.detached"
    /// Derived from the webhook's row.
    case webhookEnqueued = "webhook.enqueued"
    case webhookDelivered = "webhook.delivered"
    /// An attempt was not acknowledged; there will be more.
    case webhookUnanswered = "webhook.unanswered"
    case webhookFailed = "webhook.failed"
    /// Its destination is not allowed.
    case webhookRefused = "webhook.refused"
    /// Too many newer webhooks are pending.
    case webhookDropped = "webhook.dropped"
    /// A webhook fault has lost it.
    case webhookLost = "webhook.lost"
    /// A webhook fault acts on it.
    case webhookFaultInjected = "webhook.faultInjected"
    /// It was made by hand.
    case webhookForged = "webhook.forged"

    /// A handset opened the URL of a silent session.
    case silentOpened = "silent.opened"
    /// The gateway identified the claimed number.
    case silentMatched = "silent.matched"
    case silentFailed = "silent.failed"

    case deviceRegistered = "device.registered"
    /// The same app registered again.
    case deviceReplaced = "device.replaced"
    case deviceRemoved = "device.removed"
    /// A provider has refused to register an app.
    case deviceRefused = "device.refused"
    case challengeAsked = "challenge.asked"
    case challengeScanned = "challenge.scanned"
    case challengeApproved = "challenge.approved"
    case challengeDenied = "challenge.denied"
    /// A provider has refused the answer from a virtual handset, or the app could not send it.
    case challengeRefused = "challenge.refused"
    /// The app confirmed the delivery.
    case pushDelivered = "push.delivered"
    /// The app confirmed that the notification was opened.
    case pushRead = "push.read"

    init(_ change: SubscriberChange.Kind) {
      switch change {
      case .simSwap: self = .simSwapped
      case .deviceSwap: self = .deviceSwapped
      case .port: self = .ported
      case .recycle: self = .recycled
      case .deactivate: self = .deactivated
      case .roam: self = .roamed
      case .attach: self = .attached
      case .detach: self = .detached
      }
    }

    init(ending state: Verification.State) {
      switch state {
      case .pending: self = .verificationStarted
      case .approved: self = .verificationApproved
      case .denied: self = .verificationDenied
      case .canceled: self = .verificationCanceled
      case .expired: self = .verificationExpired
      case .exhausted: self = .verificationExhausted
      }
    }

    init(ending state: Webhook.State) {
      switch state {
      case .pending: self = .webhookEnqueued
      case .delivered: self = .webhookDelivered
      case .failed: self = .webhookFailed
      case .refused: self = .webhookRefused
      case .dropped: self = .webhookDropped
      case .lost: self = .webhookLost
      }
    }
  }

  package let ordinal: Int
  package let at: Timestamp
  package let kind: Kind
  /// Empty for events of the network.
  package let provider: String
  /// The ordinal of the verification, message, webhook or other subject.
  package let subject: Int
  /// A phone number, an email address or a URL.
  package let destination: String
}
