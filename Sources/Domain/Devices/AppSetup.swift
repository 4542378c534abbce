package import Numbers

/// What an app on a real phone needs for the provider's SDK besides a URL, such as the key of the app.
package struct AppSetup {
  /// The members of an enrolment that `values` reads.
  package let members: Set<Enrolment.Member>
  /// For the person with this number, if it is known.
  package let values: (Sandbox, Enrolment, PhoneNumber?) throws -> [AppRequest.Parameter]

  package init(
    reading members: Set<Enrolment.Member> = [],
    values: @escaping (Sandbox, Enrolment, PhoneNumber?) throws -> [AppRequest.Parameter]
  ) {
    self.members = members
    self.values = values
  }
}

extension Sandbox {
  /// Nil if the app's back end gives it everything.
  package func appSetup(of provider: String) -> AppSetup? {
    shared.hooks.first { $0.name == provider }?.appSetup
  }
}
