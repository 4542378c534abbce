import Basics
package import JSON

/// How an app on a virtual handset enrols with a provider that has its own requests for that.
package struct Enrolment: Equatable, Sendable {
  package enum Member: String, CaseIterable, Sendable {
    case identity
    case service
  }

  /// The person's id at the provider; nil: made from the number.
  package var identity: String?
  /// The provider's id of the service; nil: that of the sandbox.
  package var service: String?

  package init() {}

  package init(_ fields: Fields) throws(FieldError) {
    try Self.schema.merge(fields, into: &self)
  }

  /// The members that have a value.
  package var members: [Member] {
    Member.allCases.filter { member in
      switch member {
      case .identity: identity != nil
      case .service: service != nil
      }
    }
  }

  package static let schema = Schema<Enrolment>(
    nil, "The enrolment of an app.",
    [
      .optional(
        "identity", \.identity, .string(1...255),
        "The person's id at the provider, for providers that have one; by default made from the number."),
      .optional(
        "service", \.service, .string(1...255),
        "The provider's id of the service to enrol with; the sandbox's own by default."),
    ])
}

extension Devices {
  /// Registers an app on a virtual handset, and enrols it as the provider's SDK does. All or nothing; an
  /// `AppRefusal` is also recorded as an event.
  package func enrol(_ draft: Device.Draft, _ enrolment: Enrolment) throws -> Device {
    do {
      return try sandbox.atomically {
        let device = try register(draft)
        guard let sdk = sandbox.mobileSDK(of: draft.provider) else { return device }
        try sdk.register(HandsetApp(device: device, sandbox: sandbox), enrolment)
        return try find(ordinal: device.ordinal) ?? device
      }
    } catch let refusal as AppRefusal {
      try sandbox.events.append(
        .deviceRefused, provider: draft.provider, subject: 0, destination: draft.holder, at: sandbox.clock.now
      )
      throw refusal
    }
  }
}
