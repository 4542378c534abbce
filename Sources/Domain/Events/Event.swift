/// Something that happened in a sandbox.
package struct Event: Equatable, Sendable {
  /// What happened.
  package enum Kind: String, Sendable {
    /// A verification began; its own row says so.
    case verificationStarted = "verification.started"
    /// A message was handed to the carrier, a code or a code once more; its own row says so.
    case messageSent = "message.sent"
    /// Its code was right.
    case verificationApproved = "verification.approved"
    /// The person said no.
    case verificationDenied = "verification.denied"
    /// The app called it off.
    case verificationCanceled = "verification.canceled"
    /// Its time ended.
    case verificationExpired = "verification.expired"
    /// It was checked too often.
    case verificationExhausted = "verification.exhausted"
    /// A message that was late reached its handset.
    case messageArrived = "message.arrived"
    /// A new SIM card took over a number.
    case simSwapped = "subscriber.simSwapped"
    /// A number moved to another network.
    case ported = "subscriber.ported"
    /// A number was given to another person.
    case recycled = "subscriber.recycled"
    /// A number went out of service.
    case deactivated = "subscriber.deactivated"
    /// A handset came to another country's network, or home.
    case roamed = "subscriber.roamed"
    /// A handset found its network.
    case attached = "subscriber.attached"
    /// A handset lost its network.
    case detached = "subscriber.detached"
    /// A webhook is to be sent; its own row says so.
    case webhookEnqueued = "webhook.enqueued"
    /// Its receiver took it.
    case webhookDelivered = "webhook.delivered"
    /// An attempt was not acknowledged; others follow.
    case webhookUnanswered = "webhook.unanswered"
    /// It was given up.
    case webhookFailed = "webhook.failed"
    /// It may not go where it should.
    case webhookRefused = "webhook.refused"
    /// It made room for newer ones.
    case webhookDropped = "webhook.dropped"

    /// A handset asked for the URL of a silent session.
    case silentOpened = "silent.opened"
    /// The gateway identified the claimed number, and the provider was told.
    case silentMatched = "silent.matched"
    /// It did not, and the provider was told.
    case silentFailed = "silent.failed"

    /// An app registered itself on a handset.
    case deviceRegistered = "device.registered"
    /// The same app registered anew.
    case deviceReplaced = "device.replaced"
    /// An app was taken off its handset.
    case deviceRemoved = "device.removed"
    /// A question was put to a device, or shown for one to scan.
    case challengeAsked = "challenge.asked"
    /// A device scanned it.
    case challengeScanned = "challenge.scanned"
    /// The person said yes.
    case challengeApproved = "challenge.approved"
    /// The person said no.
    case challengeDenied = "challenge.denied"
    /// The app said that a push had come.
    case pushDelivered = "push.delivered"
    /// The app said that it was opened.
    case pushRead = "push.read"

    init(_ change: SubscriberChange.Kind) {
      switch change {
      case .simSwap: self = .simSwapped
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
      }
    }
  }

  /// Its number in the sandbox.
  package let ordinal: Int
  /// When it happened.
  package let at: Timestamp
  /// What happened.
  package let kind: Kind
  /// The provider concerned.
  package let provider: String
  /// The ordinal of what it happened to.
  package let subject: Int
  /// The phone number, email address or URL concerned.
  package let destination: String
}
