// How a message is delivered where no scenario decides.

extension Subscriber {
  /// The delivery that follows from the record, without a scenario. Source: `carrier.md` 4.3.
  func plan(for draft: MessageDraft, at now: Timestamp) -> DeliveryPlan {
    switch draft.channel {
    case .sms: textPlan(from: draft.sender, at: now)
    case .call: callPlan(draft.speech, at: now)
    case .whatsapp: networkPlan(hasChannel: whatsapp, from: draft.sender, at: now)
    case .rcs: networkPlan(hasChannel: rcs, from: draft.sender, at: now)
    case .viber, .telegram, .zalo: networkPlan(hasChannel: true, from: draft.sender, at: now)
    case .push: reach.data ? Behaviour.delivered.plan(Scenario()) : Behaviour.absent.plan(Scenario())
    case .email, .silent: Behaviour.delivered.plan(Scenario())
    }
  }

  private func textPlan(from sender: String, at now: Timestamp) -> DeliveryPlan {
    if isDeactivated(at: now) { return Behaviour.undeliverable.plan(Scenario()) }
    guard lineType.takesTexts else { return .notSupported }
    if suspended || barring.contains(.smsIn) || hasStopped(sender) {
      return Behaviour.rejected.plan(Scenario())
    }
    return reach.sms ? Behaviour.delivered.plan(Scenario()) : Behaviour.absent.plan(Scenario())
  }

  private func callPlan(_ speech: Speech, at now: Timestamp) -> DeliveryPlan {
    if isDeactivated(at: now) { return Behaviour.undeliverable.plan(Scenario()) }
    if suspended || barring.contains(.voiceIn) { return Behaviour.rejected.plan(Scenario()) }
    return reach.sms || reach.data ? speech.defaultPlan : Behaviour.unreachable.plan(Scenario())
  }

  private func networkPlan(hasChannel: Bool, from sender: String, at now: Timestamp) -> DeliveryPlan {
    guard hasChannel, lineType.takesTexts, !isDeactivated(at: now) else {
      return Behaviour.notCapable.plan(Scenario())
    }
    if hasStopped(sender) { return Behaviour.rejected.plan(Scenario()) }
    return reach.data ? Behaviour.delivered.plan(Scenario()) : Behaviour.absent.plan(Scenario())
  }
}

extension MessageDraft {
  /// The delivery to a line without anything special.
  var usualPlan: DeliveryPlan {
    channel == .call ? speech.defaultPlan : Behaviour.delivered.plan(Scenario())
  }
}

extension Speech {
  /// Without a scenario a call is answered, unless it only rings.
  fileprivate var defaultPlan: DeliveryPlan {
    onlyRings ? Behaviour.noAnswer.plan(Scenario()) : Behaviour.answer.plan(Scenario())
  }
}
