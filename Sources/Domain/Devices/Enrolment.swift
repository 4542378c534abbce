package import JSON

/// How an app on a virtual handset enrols with a provider that has its own requests for that.
package struct Enrolment: Equatable, Sendable {
  /// The person's id at the provider; nil: made from the number.
  package var identity: String?
  /// The provider's id of the service; nil: that of the sandbox.
  package var service: String?

  package init() {}

  package init(_ fields: Fields) throws(FieldError) {
    try Self.schema.merge(fields, into: &self)
  }

  package static let schema = Schema<Enrolment>(
    nil, "The enrolment of an app.",
    [
      .optional(
        "identity", \.identity, .string(1...255),
        "The person's id at the provider, for providers with push factors; user- and the number by default."),
      .optional(
        "service", \.service, .string(1...255),
        "The provider's id of the service to enrol with; the sandbox's own by default."),
    ])
}

/// A POST request of an app, or of its back end, with a form.
package struct AppRequest: Equatable, Sendable {
  /// The path of the provider's route.
  package let path: String
  /// The value of the header.
  package let authorization: String
  package let form: [(name: String, value: String)]

  package init(_ path: String, authorization: String, form: [(name: String, value: String)]) {
    self.path = path
    self.authorization = authorization
    self.form = form
  }

  package static func == (one: AppRequest, other: AppRequest) -> Bool {
    one.path == other.path && one.authorization == other.authorization
      && one.form.elementsEqual(other.form) { $0 == $1 }
  }
}

/// A provider has refused an app's request.
package struct EnrolmentFailure: Error, Equatable, CustomStringConvertible {
  /// What failed, and the provider's answer.
  package let description: String

  package init(_ description: String) { self.description = description }
}

extension ProviderHooks {
  /// Enrols a registered device. `send` returns the body of a successful answer, and throws `EnrolmentFailure` for others.
  package typealias Enrol = (
    _ device: Device, Enrolment, Sandbox, _ send: (AppRequest) throws -> [UInt8]
  ) throws -> Void
}

extension Sandbox {
  /// Nil for a provider whose apps need no requests to be registered.
  package func enrol(with provider: String) -> ProviderHooks.Enrol? {
    hooks.first { $0.name == provider }?.enrol
  }
}
