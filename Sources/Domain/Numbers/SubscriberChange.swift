package import JSON

/// Something that happens to a line or its handset. Source: `carrier.md` 4.2.
package struct SubscriberChange: Sendable {
  /// What can happen.
  package enum Kind: String, CaseIterable, Sendable {
    /// A new SIM card takes over the number.
    case simSwap
    /// The number moves to another network.
    case port
    /// The number is given to another person.
    case recycle
    /// The number goes out of service.
    case deactivate
    /// The handset comes to another network's country, or home.
    case roam
    /// The handset is switched on, or finds its network.
    case attach
    /// The handset is switched off, or loses its network.
    case detach
  }

  /// What happens.
  package let kind: Kind
  /// When, where it was said; nil: now.
  let at: Timestamp?
  /// When the number's last holder gave it up, before a `recycle`.
  let endedAt: Timestamp?
  /// Members of the record that come with it: the new network of a `port`, the country of a `roam`, the address
  /// of an `attach`.
  let record: JSON

  /// Reads `{"event":"simSwap","at":…}` and what belongs to the event.
  package init(_ fields: Fields, since start: Timestamp) throws(FieldError) {
    guard let kind = try fields.optionalWord("event", of: Kind.self) else {
      throw fields.mismatch(
        "event", expected: "one of \(Kind.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    self.kind = kind
    at = try fields.optionalTime("at", since: start)
    endedAt = kind == .recycle ? try fields.optionalTime("endedAt", since: start) : nil
    var members: [JSON.Member] = []
    for name in kind.members where fields.has(name) {
      members.append(JSON.Member(name: name, value: try fields.json(name)))
    }
    record = .object(members)
  }
}

extension SubscriberChange.Kind {
  /// The members of the record that the event may bring.
  fileprivate var members: [String] {
    switch self {
    case .simSwap: ["imsi", "iccid"]
    case .port: ["operator", "mcc", "mnc", "coversSilent", "imsi", "iccid"]
    case .recycle: ["imsi", "iccid", "kyc", "email"]
    case .roam: ["roaming"]
    case .attach: ["session"]
    case .deactivate, .detach: []
    }
  }
}

extension Subscribers {
  /// Lets something happen to a line; the record, the log and the messages that wait for the handset follow.
  package func apply(_ change: SubscriberChange, to number: PhoneNumber) throws -> Subscriber {
    let now = sandbox.clock.now
    let time = change.at ?? now
    var subscriber = try self[number]
    let ordinal = sandbox.nextOrdinal()
    let card = sandbox.entropy.code(
      length: 11, for: number.description, provider: "carrier", series: ordinal)
    try subscriber.apply(change, at: time, card: card)
    try keep(subscriber)
    try sandbox.events.append(
      Event.Kind(change.kind), provider: "", subject: ordinal, destination: number.description, at: now)
    switch change.kind {
    case .attach: try sandbox.messages.release(to: number, over: .data.union([.sms]))
    case .deactivate, .recycle: try sandbox.report(.abandoned(number), to: nil)
    case .simSwap, .port, .roam, .detach: break
    }
    return subscriber
  }
}

extension Subscriber {
  /// Changes the record as the event does; `card` are the digits of a new SIM card.
  fileprivate mutating func apply(
    _ change: SubscriberChange, at time: Timestamp, card: String
  ) throws(FieldError) {
    switch change.kind {
    case .simSwap:
      insert(card: card)
      simSwaps.append(time)
    case .port:
      port(at: time)
      try merge(Fields(change.record))
      insert(card: card)
    case .recycle: try recycle(at: time, after: change.endedAt ?? time, card: card)
    case .deactivate:
      deactivatedAt = time
      statedSession.isOn = false
    case .roam: roaming = Roaming(isOn: true)
    case .attach: attach(true)
    case .detach: attach(false)
    }
    try merge(Fields(change.record))
    if change.kind == .roam, !roaming.isOn { roaming = Roaming() }
  }

  /// A new card; the session of the old one ends. Source: `carrier.md` 4.2.
  private mutating func insert(card: String) {
    statedIMSI = String((mcc + mnc + card).prefix(15))
    statedICCID = Self.checked("89" + mcc + mnc + card.suffix(10))
    statedSession.isOn = false
  }

  private mutating func port(at time: Timestamp) {
    (statedOriginalMCC, statedOriginalMNC) = (originalMCC, originalMNC)
    (operatorName, mnc) = ("Wren Mobile", mnc == "99" ? "98" : "99")
    ported = true
    portedAt = time
  }

  /// Another person gets the number: nothing of the last one stays.
  private mutating func recycle(at time: Timestamp, after end: Timestamp, card: String) throws(FieldError) {
    var periods = subscriberPeriods
    if let last = periods.indices.last {
      guard periods[last].from <= end, end <= time else {
        throw FieldError(
          path: "$.endedAt", expected: "a time between the last period's start and the event",
          found: end.iso8601Exact)
      }
      periods[last].to = min(periods[last].to ?? end, end)
    }
    let fresh = Subscriber(happyLineOf: number, since: start)
    (consent, risk, email, kyc) = (fresh.consent, fresh.risk, fresh.email, fresh.kyc)
    (optOut, code, preferredChannel, pushes) = ([], nil, nil, nil)
    (deactivatedAt, suspended, barring, forwarding) = (nil, false, [], [])
    statedPeriods = periods + [SubscriberPeriod(from: time)]
    statedActivation = time
    insert(card: card)
  }

  private mutating func attach(_ isOn: Bool) {
    reach.sms = isOn
    reach.data = isOn
    statedSession.isOn = isOn
  }
}

extension Roaming {
  fileprivate init(isOn: Bool) {
    self.init()
    self.isOn = isOn
  }
}
