extension Agenda {
  /// Runs one agenda item. `time` is the time to which the clock is moving.
  func run(_ item: Item, until time: Timestamp) throws {
    switch item.work {
    case .expireVerification:
      try sandbox.verifications.expire(item)
    case .fallBack:
      try sandbox.fallbacks.runDueItem(item)
    case .answerChallenge:
      try sandbox.challenges.react(item)
    case .deliverMessage:
      try sandbox.messages.deliver(item)
    case .reportLoss:
      try sandbox.withClock(at: item.dueAt) { try sandbox.messages.reportLoss(item) }
    case .sendWebhook:
      try sandbox.webhooks.ready(item)
    case .clearInboxes:
      try sandbox.messages.clearInboxes(item)
    case .clearInbox:
      try sandbox.messages.clearInbox(item)
    case .leaveMessages:
      try sandbox.messages.leaveMessages(item)
    case .clearPushes:
      try sandbox.pushes.clearAll(after: item.detail, upTo: item.subject, at: item.dueAt)
    case .sweepHistory:
      try sandbox.shared.settings.retention.sweep(sandbox, item, until: time)
    }
  }
}
