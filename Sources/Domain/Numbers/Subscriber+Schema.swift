package import Basics
package import JSON
import Numbers

/// The record as seeds, the control API and the database have it. Source: `carrier.md` 4.2.
extension Subscriber {
  package static let schema = Schema<Subscriber>(
    "Subscriber",
    "The holder of a line. The last digits of the number choose the defaults, and a record overrides them.",
    lineFields + contractFields + cardFields + handsetFields + personFields, check: normalize)

  private static let lineFields: [Field<Subscriber>] = [
    .readOnly("number", .phoneNumber, "E.164: + and 7 to 15 digits, the first not zero.") { $0.number },
    .nullable(
      "code", \.code, .string(4...10),
      "A fixed code for every verification of this number; null if codes come from the entropy."),
    .field("lineType", \.lineType, .word, "The kind of line; by default that of the numbering plan."),
    .field("operator", \.operatorName, .string(1...100), "The network's name; Sandpiper Mobile by default."),
    .computed("country", .countryCode, .nullable, "ISO 3166-1 alpha-2; derived from the number by default.") {
      $0.country
    } set: {
      if let country = $1 { $0.explicitCountry = country == $0.number.country ? nil : country }
    },
    .field("mcc", \.mcc, .digits(3...3), "Mobile country code; 001, the test network, by default."),
    .field("mnc", \.mnc, .digits(2...3), "Mobile network code; 01 by default."),
    .field(
      "coversSilent", \.coversSilent, .boolean,
      "True if the network supports silent verification; false by default."),
    .explicit(
      "originalMcc", \.explicitOriginalMCC, .digits(3...3), .always,
      "The mobile country code of the number's first network; mcc by default."
    ) { $0.originalMCC },
    .explicit(
      "originalMnc", \.explicitOriginalMNC, .digits(2...3), .always,
      "The mobile network code of the number's first network; mnc by default."
    ) { $0.originalMNC },
    .field(
      "ported", \.ported, .boolean,
      "True if the number came from another network; true by default if portedAt is set."),
    .time("portedAt", \.portedAt, .nullable, "When the number was ported; null if unknown.") { $0.portedAt },
  ]

  private static let contractFields: [Field<Subscriber>] = [
    .field(
      "contract", \.contract, .word,
      "How the line is paid: prepaid, monthly, or by a company; PAYM by default."),
    .time(
      "activatedAt", \.explicitActivation, .always,
      "When the contract began; three years before the start of the sandbox's clock by default."
    ) { $0.activatedAt },
    periodsField,
    .time(
      "deactivatedAt", \.deactivatedAt, .nullable,
      "When the number went out of service; null if it is in service."
    ) { $0.deactivatedAt },
    .field(
      "suspended", \.suspended, .boolean, "True if the network has suspended the line; false by default."),
    .field(
      "barring", \.barring, .array(of: .word, maxItems: SandboxLimits.items),
      "Services that are switched off."),
    .field(
      "forwarding", \.forwarding, .array(of: .word, maxItems: SandboxLimits.items),
      "When calls are forwarded."),
    .field(
      "throttled", \.throttled, .boolean,
      "True if the network slows the line's data down; false by default."),
    .nullable(
      "contentLock", \.contentLock, .boolean,
      "True if the network blocks some content for the line; null if unknown."),
    .nullable(
      "parentalControl", \.parentalControl, .boolean,
      "True if the line has a parental control; null if unknown."),
  ]

  private static let cardFields: [Field<Subscriber>] = [
    .explicit(
      "imsi", \.explicitIMSI, .digits(14...15), .nullable,
      "The SIM card's identity; derived from mcc, mnc and number by default."
    ) { $0.imsi },
    .computed(
      "imei", .digits(15...15), .nullable, "The handset's identity; derived from the number by default."
    ) {
      $0.imei
    } set: {
      $0.explicitIMEI = $1
    },
    .explicit(
      "iccid", \.explicitICCID, .digits(18...22), .nullable,
      "The SIM card's number; derived from mcc, mnc and number by default."
    ) { $0.iccid },
    .field(
      "simCard", \.simCard, .word,
      "Whether a network has seen the number's SIM card: connected, neverConnected, or none for a number without "
        + "one; connected by default. Without it, nothing reaches a handset."),
    .nested("handset", \.handset, Handset.schema, "The handset's model and software."),
    .times("simSwaps", \.simSwaps, "When the SIM card was changed."),
    .times("deviceSwaps", \.deviceSwaps, "When the handset was changed."),
  ]

  private static let handsetFields: [Field<Subscriber>] = [
    .nested("reach", \.explicitReach, Reach.schema, "Which traffic reaches the handset now."),
    .nested("roaming", \.roaming, Roaming.schema, "The network that the handset visits."),
    .nested(
      "session", \.recordedSession, DataSession.schema,
      "The handset's data connection through its own network."),
    .field(
      "interference", \.interference, .word,
      "Why the handset's traffic does not come from its own network; none by default."),
  ]

  private static let personFields: [Field<Subscriber>] = [
    consentField,
    .nullableNested(
      "risk", \.risk, Risk.schema, from: { Risk() },
      "The risk of misuse; null if it was not assessed."),
    .field("whatsapp", \.whatsapp, .boolean, "True if the number has WhatsApp; true by default."),
    .field("rcs", \.rcs, .boolean, "True if the handset supports RCS; true by default."),
    .nullable(
      "pushes", \.pushReaction, .word,
      "The person's automatic answer to challenges; null if challenges wait for an answer."),
    .nullable(
      "preferredChannel", \.preferredChannel, .word, "The person's preferred channel; null if there is none."),
    .nullable("email", \.email, .emailAddress, "The person's email address; null if unknown."),
    .nested("kyc", \.kyc, Person.schema, "The fictional person, for match scores."),
    .field(
      "optOut", \.optOut, .array(of: .string, maxItems: SandboxLimits.items),
      "Senders whose texts are blocked; * means all."),
    scenariosField,
  ]

  private static let periodsField = Field<Subscriber>(
    ObjectSchema.Member(
      "subscriberPeriods", .array(.object(PeriodForm.schema.object), maxItems: SandboxLimits.items),
      "The number's holders, oldest first; by default one person since activatedAt.", .always)
  ) { input, subscriber throws(FieldError) in
    guard let list = try input.optionalObjects("subscriberPeriods", atMost: SandboxLimits.items) else {
      return
    }
    var periods: [SubscriberPeriod] = []
    for fields in list {
      periods.append(try PeriodForm.read(fields, at: subscriber.present, after: periods.last))
    }
    let isDefault = periods == [SubscriberPeriod(from: subscriber.activatedAt)]
    subscriber.explicitPeriods = isDefault ? [] : periods
  } write: { subscriber, json in
    json.array("subscriberPeriods", subscriber.subscriberPeriods) { json, period in
      json.value(object: {
        PeriodForm.schema.write(PeriodForm(from: .at(period.from), to: period.to.map { .at($0) }), to: &$0)
      })
    }
  } differs: { one, other in
    one.subscriberPeriods != other.subscriberPeriods
      || !one.explicitPeriods.isEmpty && one.explicitPeriods != other.explicitPeriods
  }

  private static let consentField = Field<Subscriber>(
    ObjectSchema.Member(
      "consent", .map(.nullable(FieldType<Consent.Answer>.word.schema), maxProperties: Consent.limit),
      "Answers to requests for consent, by purpose, such as dpv:FraudPreventionAndDetection; * means all other "
        + "purposes. Granted by default; null forgets an answer.", .always)
  ) { input, subscriber throws(FieldError) in
    guard let consent = try input.optionalObject("consent") else { return }
    guard consent.count <= Consent.limit else {
      throw FieldError(
        path: consent.path, expected: "at most \(Consent.limit) purposes", found: "\(consent.count)")
    }
    for purpose in consent.names {
      guard let key = Consent.key(purpose) else {
        throw FieldError(
          path: consent.path, expected: "purposes such as dpv:FraudPreventionAndDetection, or *",
          found: .string(purpose))
      }
      if let answer = try consent.optionalWord(purpose, of: Consent.Answer.self) {
        subscriber.consent[key] = answer
      } else {
        subscriber.consent.clear(key)
      }
    }
  } write: { subscriber, json in
    json.object("consent") {
      for (purpose, answer) in subscriber.consent.answers { $0.member(named: purpose, answer.rawValue) }
    }
  } differs: {
    $0.consent != $1.consent
  }

  private static let scenariosField = Field<Subscriber>(
    ObjectSchema.Member(
      "scenarios", .array(.object(Scenario.schema.object), maxItems: RuleLimits.perList),
      "Outcomes of messages to this number; the sandbox's scenarios win over them.", .always)
  ) { input, subscriber throws(FieldError) in
    guard let list = try input.optionalObjects("scenarios", atMost: RuleLimits.perList) else { return }
    subscriber.scenarios = []
    for scenario in list {
      subscriber.scenarios.append(try Scenario(scenario, of: subscriber.number))
    }
  } write: { subscriber, json in
    json.array("scenarios", subscriber.scenarios) { json, scenario in
      json.value(object: { Scenario.schema.write(scenario, to: &$0) })
    }
  } differs: {
    $0.scenarios != $1.scenarios
  }

  /// Clears explicit values that are the default ones, so that a record names only differences.
  private static let normalize: Schema<Subscriber>.Check = { input, subscriber throws(FieldError) in
    if try input.optionalBool("ported") == nil, subscriber.portedAt != nil { subscriber.ported = true }
    func clear<Value: Equatable>(_ value: inout Value?, _ derived: Value) {
      if value == derived { value = nil }
    }
    clear(&subscriber.explicitOriginalMCC, subscriber.mcc)
    clear(&subscriber.explicitOriginalMNC, subscriber.mnc)
    clear(&subscriber.explicitActivation, subscriber.defaultActivation)
    clear(&subscriber.explicitIMSI, subscriber.derivedIMSI)
    clear(&subscriber.explicitIMEI, subscriber.derivedIMEI)
    clear(&subscriber.explicitICCID, subscriber.derivedICCID)
  }

  /// Changes the members that `fields` name, and leaves the rest. `null` clears optional members. Relative
  /// times are counted back from `present`; nil: from the start of the sandbox's clock.
  package mutating func merge(_ fields: Fields, at present: Timestamp? = nil) throws(FieldError) {
    self.present = present ?? start
    defer { self.present = start }
    try Self.schema.merge(fields, into: &self)
  }

  /// The record as it is kept and exported: the members that differ from those of the number without a
  /// record.
  package func difference(from other: Subscriber) -> [JSON.Member] {
    let bytes = JSONWriter.object { Self.schema.writeDifferences(self, from: other, to: &$0) }
    guard case .object(let members) = JSON(written: bytes) else { return [] }
    return members
  }
}

/// A period of a record, whose times may be relative.
private struct PeriodForm: Equatable, Sendable {
  var from = TimeReference.before(.zero)
  var to: TimeReference?

  static let schema = Schema<PeriodForm>(
    nil, "",
    [
      .required("from", \.from, .time, "When the period began."),
      .nullable("to", \.to, .time, "When the period ended; null if it has not ended."),
    ])

  static func read(
    _ fields: Fields, at present: Timestamp, after last: SubscriberPeriod?
  ) throws(FieldError) -> SubscriberPeriod {
    var form = PeriodForm()
    try schema.merge(fields, into: &form)
    let (from, to) = (form.from.resolved(at: present), form.to?.resolved(at: present))
    if let last {
      guard let end = last.to, end <= from else {
        throw fields.mismatch("from", expected: "a time after the end of the period before it")
      }
    }
    if let to, to < from { throw fields.mismatch("to", expected: "a time after from") }
    return SubscriberPeriod(from: from, to: to)
  }
}

extension Field<Subscriber> {
  /// A time that may be written as a span back from the present time.
  @inline(__always)
  fileprivate static func time(
    _ name: String, _ path: @autoclosure @escaping Path<Timestamp?>, _ presence: ObjectSchema.Presence,
    _ summary: String, _ get: @escaping @Sendable (Subscriber) -> Timestamp?
  ) -> Field {
    let property = Property(path())
    return .computed(name, .time, presence, summary) {
      get($0).map { .at($0) }
    } set: {
      property.set($1?.resolved(at: $0.present), in: &$0)
    }
  }

  @inline(__always)
  fileprivate static func times(
    _ name: String, _ path: @autoclosure @escaping Path<[Timestamp]>, _ summary: String
  ) -> Field {
    let property = Property(path())
    return .computed(name, .array(of: .time, maxItems: SandboxLimits.items), .always, summary) {
      property.value(in: $0).map { .at($0) }
    } set: { subscriber, times in
      property.set((times ?? []).map { $0.resolved(at: subscriber.present) }, in: &subscriber)
    }
  }

  /// A member whose default follows from other members. An explicit value is exported even where it equals
  /// the default: the default would be another one without this record.
  @inline(__always)
  fileprivate static func explicit(
    _ name: String, _ path: @autoclosure @escaping Path<String?>, _ type: FieldType<String>,
    _ presence: ObjectSchema.Presence, _ summary: String, _ get: @escaping @Sendable (Subscriber) -> String
  ) -> Field {
    let property = Property(path())
    return .computed(name, type, presence, summary) {
      get($0)
    } set: {
      property.set($1, in: &$0)
    } differs: { one, other in
      let explicit = property.value(in: one)
      return get(one) != get(other) || explicit != nil && explicit != property.value(in: other)
    }
  }
}
