import Basics
import Numbers

/// How a message is delivered where no scenario decides.
enum UsualDelivery {
  /// To a line without anything special.
  static func plan(of draft: MessageDraft) -> DeliveryPlan {
    draft.channel == .call ? draft.speech.defaultPlan : Behaviour.delivered.plan(Scenario())
  }

  /// As the subscriber's record says. Source: `carrier.md` 4.3.
  static func plan(of draft: MessageDraft, to subscriber: Subscriber, at now: Timestamp) -> DeliveryPlan {
    switch draft.channel {
    case .sms: subscriber.textPlan(from: draft.sender, at: now)
    case .call: subscriber.callPlan(draft.speech, at: now)
    case .whatsapp: subscriber.networkPlan(hasChannel: subscriber.whatsapp, from: draft.sender, at: now)
    case .rcs: subscriber.networkPlan(hasChannel: subscriber.rcs, from: draft.sender, at: now)
    case .viber, .telegram, .zalo: subscriber.networkPlan(hasChannel: true, from: draft.sender, at: now)
    case .push:
      subscriber.reach.data ? Behaviour.delivered.plan(Scenario()) : Behaviour.absent.plan(Scenario())
    case .email, .silent: Behaviour.delivered.plan(Scenario())
    }
  }
}

extension Subscriber {
  fileprivate func textPlan(from sender: String, at now: Timestamp) -> DeliveryPlan {
    if isDeactivated(at: now) { return Behaviour.undeliverable.plan(Scenario()) }
    guard lineType.takesTexts else { return .notSupported }
    if suspended || barring.contains(.smsIn) || hasStopped(sender) {
      return Behaviour.rejected.plan(Scenario())
    }
    return reach.sms ? Behaviour.delivered.plan(Scenario()) : Behaviour.absent.plan(Scenario())
  }

  fileprivate func callPlan(_ speech: Speech, at now: Timestamp) -> DeliveryPlan {
    if isDeactivated(at: now) { return Behaviour.undeliverable.plan(Scenario()) }
    if suspended || barring.contains(.voiceIn) { return Behaviour.rejected.plan(Scenario()) }
    guard reach.sms || reach.data else { return Behaviour.unreachable.plan(Scenario()) }
    var plan = speech.defaultPlan
    // Another phone rings, and shows the number.
    if speech.onlyRings, forwarding.contains(.unconditional) { plan.arrivesAfter = nil }
    return plan
  }

  fileprivate func networkPlan(hasChannel: Bool, from sender: String, at now: Timestamp) -> DeliveryPlan {
    guard hasChannel, lineType.takesTexts, !isDeactivated(at: now) else {
      return Behaviour.notCapable.plan(Scenario())
    }
    if hasStopped(sender) { return Behaviour.rejected.plan(Scenario()) }
    return reach.data ? Behaviour.delivered.plan(Scenario()) : Behaviour.absent.plan(Scenario())
  }
}

extension Speech {
  /// Without a scenario a call is answered, unless it only rings.
  fileprivate var defaultPlan: DeliveryPlan {
    onlyRings ? Behaviour.noAnswer.plan(Scenario(after: ringTime)) : Behaviour.answer.plan(Scenario())
  }
}
