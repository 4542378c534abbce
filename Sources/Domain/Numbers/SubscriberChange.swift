import Basics
package import JSON
package import Numbers

/// An event of a line or its handset. Source: `carrier.md` 4.2.
package struct SubscriberChange: Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    /// A new SIM card takes over the number.
    case simSwap
    /// A new handset takes the SIM card.
    case deviceSwap
    /// The number moves to another network.
    case port
    /// The number is given to another person.
    case recycle
    /// The number goes out of service.
    case deactivate
    /// The handset enters another country's network, or returns home.
    case roam
    /// The handset is switched on, or finds its network.
    case attach
    /// The handset is switched off, or loses its network.
    case detach
  }

  package private(set) var kind = Kind.simSwap
  /// Nil: now.
  private(set) var at: TimeReference?
  /// When the number's last holder gave it up, before a `recycle`.
  private(set) var endedAt: TimeReference?
  /// Members of the record that the event changes: the new network of a `port`, the country of a `roam`, the
  /// address of an `attach`.
  private(set) var record: [JSON.Member] = []

  package init(_ fields: Fields) throws(FieldError) {
    try Self.schema.merge(fields, into: &self)
  }

  /// An event has only the members of its kind; others are unknown fields.
  package static let schema = Schema<SubscriberChange>(
    "SubscriberEvent", "An event of a line or its handset.",
    [
      .required("event", \.kind, .word, "The kind of event."),
      .optional("at", \.at, .time, "When, such as -2h for two hours ago; now by default."),
      Field(
        ObjectSchema.Member(
          "endedAt", FieldType<TimeReference>.time.schema,
          "recycle: when the last holder gave up the number; the value of at by default.")
      ) { input, change throws(FieldError) in
        guard change.kind == .recycle, input.has("endedAt") else { return }
        change.endedAt = try FieldType<TimeReference>.time.read(input, "endedAt")
      } write: { _, _ in
      },
    ] + Subscriber.schema.fields.compactMap(recordField))

  /// A member of the subscriber's record; nil for members that no event changes.
  private static func recordField(_ field: Field<Subscriber>) -> Field<SubscriberChange>? {
    let (name, kinds) = (field.member.name, Kind.allCases.filter { $0.members.contains(field.member.name) })
    guard !kinds.isEmpty else { return nil }
    let summary = "\(kinds.map(\.rawValue).joined(separator: ", ")): \(field.member.summary)"
    return Field(ObjectSchema.Member(name, field.member.schema, summary)) {
      input, change throws(FieldError) in
      guard change.kind.members.contains(name), input.has(name) else { return }
      change.record.append(JSON.Member(name: name, value: try input.json(name)))
    } write: { _, _ in
    }
  }
}

extension SubscriberChange.Kind {
  /// The members of the record that the event can change.
  fileprivate var members: [String] {
    switch self {
    case .simSwap: ["imsi", "iccid"]
    case .deviceSwap: ["imei", "handset"]
    case .port: ["operator", "mcc", "mnc", "coversSilent", "imsi", "iccid"]
    case .recycle: ["imsi", "iccid", "kyc", "email"]
    case .roam: ["roaming"]
    case .attach: ["session"]
    case .deactivate, .detach: []
    }
  }
}

extension Subscribers {
  /// Applies an event: to the record, the log and the messages that wait for the handset.
  package func apply(_ change: SubscriberChange, to number: PhoneNumber) throws -> Subscriber {
    let now = sandbox.clock.now
    let time = change.at?.resolved(at: now) ?? now
    let end = change.endedAt?.resolved(at: now) ?? time
    var subscriber = try self[number]
    let former = subscriber
    let ordinal = sandbox.nextOrdinal()
    let card = sandbox.entropy.code(
      length: 11, for: number.description, provider: "carrier", series: ordinal)
    try subscriber.apply(change, at: time, lastHolderUntil: end, card: card)
    try sandbox.events.append(
      Event.Kind(change.kind), provider: "", subject: ordinal, destination: number.description, at: now)
    try keep(subscriber, insteadOf: former)
    switch change.kind {
    case .attach: try sandbox.messages.release(to: number, over: .data.union([.sms]))
    case .simSwap: try sandbox.messages.leave(number, with: former.holder, isCardOnly: true)
    case .recycle:
      try sandbox.messages.leave(number, with: former.holder, isCardOnly: false)
      try sandbox.report(.abandoned(number), to: nil)
    case .deactivate: try sandbox.report(.abandoned(number), to: nil)
    case .deviceSwap, .port, .roam, .detach: break
    }
    return subscriber
  }
}

extension Subscriber {
  /// `card` are the digits of a new SIM card or handset.
  fileprivate mutating func apply(
    _ change: SubscriberChange, at time: Timestamp, lastHolderUntil end: Timestamp, card: String
  ) throws(FieldError) {
    let record = try Fields(.object(change.record))
    switch change.kind {
    case .simSwap:
      insert(card: card)
      simSwaps.append(time)
    case .deviceSwap:
      handset = Handset()
      explicitIMEI = Self.withCheckDigit("00101301" + card.prefix(6))
      deviceSwaps.append(time)
    case .port:
      port(at: time)
      try merge(record)
      insert(card: card)
    case .recycle: try recycle(at: time, after: end, card: card)
    case .deactivate:
      deactivatedAt = time
      explicitSession.isOn = false
    case .roam: roaming = Roaming(isOn: true)
    case .attach:
      connectCard(at: time)
      attach(true)
    case .detach: attach(false)
    }
    try merge(record)
    if change.kind == .roam, !roaming.isOn { roaming = Roaming() }
  }

  /// Inserts a new card; the session of the old one ends. Source: `carrier.md` 4.2.
  private mutating func insert(card: String) {
    explicitIMSI = String((mcc + mnc + card).prefix(15))
    explicitICCID = Self.withCheckDigit("89" + mcc + mnc + card.suffix(10))
    explicitSession.isOn = false
    simCard = .connected
  }

  /// The first connection of a card is its activation.
  private mutating func connectCard(at time: Timestamp) {
    guard simCard != .connected else { return }
    (simCard, explicitActivation) = (.connected, time)
  }

  private mutating func port(at time: Timestamp) {
    (explicitOriginalMCC, explicitOriginalMNC) = (originalMCC, originalMNC)
    (operatorName, mnc) = (FictionalOperator.wrenMobile.rawValue, mnc == "99" ? "98" : "99")
    ported = true
    portedAt = time
  }

  /// Another person gets the number; nothing of the last holder is kept.
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
    (optOut, code, preferredChannel, pushReaction) = ([], nil, nil, nil)
    (deactivatedAt, suspended, barring, forwarding) = (nil, false, [], [])
    explicitPeriods = periods + [SubscriberPeriod(from: time)]
    explicitActivation = time
    insert(card: card)
  }

  private mutating func attach(_ isOn: Bool) {
    reach.sms = isOn
    reach.data = isOn
    explicitSession.isOn = isOn
  }
}

extension Roaming {
  fileprivate init(isOn: Bool) {
    self.init()
    self.isOn = isOn
  }
}
