// All behaviours. A scenario's `after` and `error` replace the times and error numbers given here.
// Source: `carrier.md` 4.3.

extension Behaviour {
  package static let all: [Behaviour] = [
    absent, answer, answerHangup, busy, decline, delivered, duplicate, failed, filtered, garbled,
    lostButDelivered, memoryFull, networkDown, noAnswer, noReceipt, notCapable, oldCode, outOfOrder, read,
    receiptFirst, rejected, segmentLost, shownExpired, slow, submitFail, truncated, undeliverable,
    unreachable, voicemail,
    wrongEncoding,
  ]
}

/// Messages that reach the handset, or for which the carrier keeps trying.
extension Behaviour {
  /// The handset is off until the carrier gives up. Source: `carrier.md` 7, C3.
  package static let absent = Behaviour("absent", channels: .written) { scenario in
    let end = scenario.after ?? .seconds(300)
    return DeliveryPlan(
      arrivesAfter: nil,
      receipts: [
        DeliveryReceipt(.enroute, after: min(end, .milliseconds(50))),
        DeliveryReceipt(.expired, after: end, error: scenario.error ?? 60),
      ])
  }

  /// The handset shows the message at once and acknowledges it after 200 ms.
  package static let delivered = Behaviour("deliver", channels: .written) { _ in plainDelivery }

  fileprivate static let plainDelivery = DeliveryPlan(
    arrivesAfter: .zero,
    receipts: [
      DeliveryReceipt(.enroute, after: .milliseconds(50)),
      DeliveryReceipt(.delivered, after: .milliseconds(200)),
    ])

  /// The handset shows the message twice, with the receipts of one delivery.
  package static let duplicate = Behaviour("duplicate", channels: .written) { _ in
    var plan = plainDelivery
    plan.copies = 2
    return plan
  }

  /// The receipts of a delivery, but nothing on the handset: carriers send false receipts.
  package static let lostButDelivered = Behaviour("lostButDelivrd", channels: .written) { _ in
    DeliveryPlan(arrivesAfter: nil, receipts: plainDelivery.receipts.all)
  }

  /// The message arrives, but no receipt does.
  package static let noReceipt = Behaviour("noReceipt", channels: .written) { scenario in
    DeliveryPlan(arrivesAfter: scenario.after ?? .zero, receipts: [])
  }

  /// The message is delivered, and read after 2 s.
  package static let read = Behaviour("read", channels: .apps) { scenario in
    let end = scenario.after ?? .seconds(2)
    return DeliveryPlan(
      arrivesAfter: .zero,
      receipts: [
        DeliveryReceipt(.enroute, after: min(end, .milliseconds(50))),
        DeliveryReceipt(.delivered, after: min(end, .milliseconds(200))), DeliveryReceipt(.read, after: end),
      ])
  }

  /// The handset shows the message after the next one, or after a minute.
  package static let outOfOrder = Behaviour("outOfOrder", channels: Set<Channel>.apps.union([.sms])) {
    scenario in
    var plan = DeliveryPlan(
      arrivesAfter: scenario.after ?? .seconds(60), receipts: plainDelivery.receipts.all)
    plan.arrivesAfterNext = true
    return plan
  }

  /// The receipt arrives before the carrier's answer to the submission.
  package static let receiptFirst = Behaviour("receiptFirst", channels: .written) { _ in
    DeliveryPlan(arrivesAfter: .zero, receipts: [DeliveryReceipt(.delivered, after: .zero)])
  }

  /// The handset shows the push after 10 minutes, although its validity is over.
  package static let shownExpired = Behaviour("shownExpired", channels: [.push]) { scenario in
    let delay = scenario.after ?? .seconds(600)
    var plan = DeliveryPlan(
      arrivesAfter: delay,
      receipts: [
        DeliveryReceipt(.enroute, after: min(delay, .milliseconds(50))),
        DeliveryReceipt(.expired, after: delay, error: scenario.error ?? 60),
      ])
    plan.ignoresExpiry = true
    return plan
  }

  /// The message arrives after 20 s.
  package static let slow = Behaviour("slow", channels: .written) { scenario in
    let delay = scenario.after ?? .seconds(20)
    return DeliveryPlan(
      arrivesAfter: delay,
      receipts: [
        DeliveryReceipt(.enroute, after: min(delay, .milliseconds(50))),
        DeliveryReceipt(.delivered, after: delay),
      ])
  }
}

/// Messages that are delivered, but not as they were sent.
extension Behaviour {
  /// Question marks instead of digits. Not in the contract: the console offers it to trainers.
  package static let garbled = damage("garbled", .garbled, channels: Set<Channel>.apps.union([.sms]))
  /// The code of an earlier message.
  package static let oldCode = damage(
    "oldCode", .oldCode, channels: Set<Channel>.apps.union([.sms, .email])
  ) { $0.places != nil }
  /// A long text without one of its parts.
  package static let segmentLost = damage("segmentLost", .segmentLost, channels: [.sms]) {
    TextEncoding(of: $0.text).segments > 1
  }
  /// The text ends in the middle of its code, or half-way.
  package static let truncated = damage("truncated", .truncated, channels: Set<Channel>.apps.union([.sms]))
  /// The bytes of the text, read in another encoding.
  package static let wrongEncoding = damage("wrongEncoding", .wrongEncoding, channels: [.sms])

  private static func damage(
    _ name: String, _ damage: TextDamage, channels: Set<Channel>,
    suits: @escaping @Sendable (MessageDraft) -> Bool = { _ in true }
  ) -> Behaviour {
    Behaviour(name, channels: channels, suits: suits) { _ in
      var plan = plainDelivery
      plan.damage = damage
      return plan
    }
  }
}

/// Calls: 300 ms of ringing, then the result.
extension Behaviour {
  package static let answer = call("answer", .answered)
  /// The person hangs up before the code is read.
  package static let answerHangup = call("answerHangup", .hungUp)
  package static let busy = call("busy", .busy)
  package static let decline = call("decline", .declined)
  package static let noAnswer = call("noAnswer", .noAnswer)
  package static let unreachable = call("unreachable", .unreachable)
  /// A machine answers; it presses no key.
  package static let voicemail = call("voicemail", .voicemail)

  private static func call(_ name: String, _ result: CallPlan.Result) -> Behaviour {
    Behaviour(name, channels: [.call]) { .call(result, $0) }
  }
}

/// Messages and calls that end with one failure and never reach the handset.
extension Behaviour {
  /// The channel's own system fails.
  package static let failed = failure("fail", .undeliverable, after: 500, error: 34, channels: .apps)
  /// The carrier's spam filter rejects the message.
  package static let filtered = failure("filtered", .rejected, after: 100, error: 0, channels: [.sms])
  /// The handset has no room for the message.
  package static let memoryFull = failure(
    "memoryFull", .undeliverable, after: 500, error: 40, channels: [.sms])
  /// The number's network fails: texts are held until the rule is removed, calls do not reach the handset.
  /// Silent verifications end with `carrierError`.
  package static let networkDown = Behaviour(
    "networkDown", channels: [.sms, .call, .silent], callPlan: unreachable.plan
  ) { scenario in
    var scenario = scenario
    scenario.error = scenario.error ?? 34
    return absent.plan(scenario)
  }
  /// The number does not have the channel.
  package static let notCapable = failure("notCapable", .rejected, after: 300, error: 21, channels: .apps)
  /// The line is barred, or the person has blocked the sender.
  package static let rejected = failure(
    "reject", .rejected, after: 0, error: 13, channels: .messagesAndCalls)
  /// The carrier knows no such subscriber.
  package static let undeliverable = failure(
    "undeliverable", .undeliverable, after: 500, error: 1, channels: .messagesAndCalls)

  /// The carrier does not accept the message: there is no id and no receipt. The outcome names the status:
  /// `submitFail:throttled`.
  package static let submitFail = Behaviour(
    "submitFail", outcomes: SubmitStatus.allCases.map { "submitFail:\($0.rawValue)" },
    channels: .messagesAndCalls
  ) { scenario in
    let status = scenario.outcome?.split(separator: ":").last.flatMap { SubmitStatus(rawValue: String($0)) }
    return DeliveryPlan(ending: .refused, after: .zero, error: (status ?? .refused).commandStatus)
  }

  private static func failure(
    _ name: String, _ state: DeliveryReceipt.State, after milliseconds: Int, error: Int,
    channels: Set<Channel>
  ) -> Behaviour {
    Behaviour(name, channels: channels) { scenario in
      DeliveryPlan(
        ending: state, after: scenario.after ?? .milliseconds(milliseconds), error: scenario.error ?? error)
    }
  }
}
