import JSON

/// A status that a provider shows for a message or call. A scenario can ask for it by name.
package struct ProviderStatus: Equatable, Sendable {
  /// As in the provider's API: `521`, `undelivered`.
  package let name: String
  /// The provider's text for it.
  package let text: String
  /// The carrier's state that it stands for.
  package let state: DeliveryReceipt.State
  /// The channels whose messages can have it.
  package let channels: Set<Channel>

  package init(_ name: String, _ text: String, _ state: DeliveryReceipt.State, over channels: Set<Channel>) {
    self.name = name
    self.text = text
    self.state = state
    self.channels = channels
  }
}

extension DeliveryPlan {
  /// The plan of a message for which a scenario names a provider's status, but no outcome: the one that the
  /// status usually has.
  init(endingWith status: ProviderStatus, of scenario: Scenario, over channel: Channel) {
    let isCall = channel == .call
    switch status.state {
    case .accepted, .enroute:
      self.init(
        arrivesAfter: nil, receipts: [DeliveryReceipt(status.state, after: scenario.after ?? .zero)])
    case .delivered: self = (isCall ? Behaviour.answer : .delivered).plan(scenario, over: channel)
    case .read: self = Behaviour.read.plan(scenario, over: channel)
    case .expired, .undeliverable, .rejected:
      self =
        isCall
        ? Behaviour.unreachable.plan(scenario, over: channel)
        : DeliveryPlan(
          ending: status.state, after: scenario.after ?? .milliseconds(500), error: scenario.error ?? 0)
    case .refused: self.init(ending: .refused, after: .zero, error: SubmitStatus.refused.commandStatus)
    }
  }

  /// The same with the provider's status at the end.
  func reported(as status: ProviderStatus, after time: Duration?) -> DeliveryPlan {
    var plan = self
    let last = receipts.last ?? DeliveryReceipt(status.state, after: time ?? .milliseconds(500))
    plan.receipts = DeliveryReceipts(
      receipts.all.dropLast() + [
        DeliveryReceipt(last.state, after: last.after, error: last.error, providerStatus: status.name)
      ])
    return plan
  }
}

/// The statuses that a scenario names, by provider.
package struct ProviderStatuses: Equatable, Sendable {
  private var names: [String: String] = [:]

  package init() {}

  package subscript(provider: String) -> String? { names[provider] }

  package var isEmpty: Bool { names.isEmpty }

  /// In the order of providers.
  package var all: [(provider: String, status: String)] {
    names.sorted { $0.key < $1.key }.map { (provider: $0.key, status: $0.value) }
  }

  /// A member of scenarios: `{"acme":521}`.
  static func field<Record>(
    _ path: any WritableKeyPath<Record, ProviderStatuses> & Sendable
  ) -> Field<Record> {
    Field(
      ObjectSchema.Member(
        "providerStatus", .map(.anyOf([.string(), .integer()])),
        "The status that providers show in the end: one of the statuses in GET /control/faults/options.",
        .optional)
    ) { input, record throws(FieldError) in
      guard let object = try input.optionalObject("providerStatus") else { return }
      record[keyPath: path] = ProviderStatuses()
      for provider in object.names {
        record[keyPath: path].names[provider] = try object.name(provider)
      }
    } write: { record, json in
      let statuses = record[keyPath: path]
      guard !statuses.isEmpty else { return }
      json.object("providerStatus") { json in
        for (provider, status) in statuses.all {
          if let code = Int(status) {
            json.member(named: provider, code)
          } else {
            json.member(named: provider, status)
          }
        }
      }
    } differs: {
      $0[keyPath: path] != $1[keyPath: path]
    }
  }
}

extension Fields {
  /// A name that may be a number.
  fileprivate func name(_ member: String) throws(FieldError) -> String {
    if let text = try? string(member) { return text }
    guard let code = try? int(member) else {
      throw mismatch(member, expected: "the name or number of a status")
    }
    return String(code)
  }
}
