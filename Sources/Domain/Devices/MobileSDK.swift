/// What a vendor's mobile SDK does in an app on a virtual handset. It uses the vendor's public requests only.
package struct MobileSDK {
  /// Registers the app with the provider.
  package typealias Register = (HandsetApp, Enrolment) throws -> Void
  /// Sends a person's answer to a challenge. The provider's route records it with `Challenges.answer(_:to:)`.
  package typealias Answer = (HandsetApp, Challenge.Answer, Challenge) throws -> Void

  /// Names and values that an app reads, such as a service and an access token for it.
  package typealias Invite = (ProviderConnection, Enrolment, PhoneNumber?) throws -> [AppRequest.Parameter]

  /// The members of an enrolment that `register` reads.
  package let members: Set<Enrolment.Member>
  /// True if the app signs times of the handset's clock.
  let signsTimes: Bool
  let register: Register
  let answer: Answer
  /// Makes the values that the vendor's SDK on a real phone needs to register, besides a URL. Nil if the
  /// app's back end gives them to it.
  package let invite: Invite?

  package init(
    reading members: Set<Enrolment.Member> = [], signsTimes: Bool = false, invite: Invite? = nil,
    register: @escaping Register,
    answer: @escaping Answer
  ) {
    self.members = members
    self.signsTimes = signsTimes
    self.invite = invite
    self.register = register
    self.answer = answer
  }
}

/// An app on a virtual handset: its registration, the handset's clock, and its connection to the provider.
package struct HandsetApp {
  package let device: Device
  package let sandbox: Sandbox

  /// The time that the handset shows.
  package var now: Timestamp { sandbox.clock.now + .seconds(device.draft.handset.clockOffset ?? 0) }

  /// The code that the person reads in a message. Throws if none is on its way.
  package func readCode(about reference: String) throws -> String {
    let message = try sandbox.messages.find(about: reference, to: device.draft.holder)
    guard let message, message.arrivesAt != nil, let code = message.code else {
      throw AppRefusal("no code for \(reference) reaches \(device.draft.holder)")
    }
    return code
  }

  /// Keeps the provider's id of the registration.
  package func keep(reference: String) throws {
    _ = try sandbox.devices.change(device, reference: reference)
  }

  package func exchange(_ request: AppRequest) throws(AppRefusal) -> AppResponse {
    try connection.exchange(request)
  }

  package func send(_ request: AppRequest) throws(AppRefusal) -> [UInt8] { try connection.send(request) }

  package var connection: ProviderConnection {
    ProviderConnection(provider: device.draft.provider, sandbox: sandbox)
  }
}

/// Sends requests to a provider's public routes.
package struct ProviderConnection {
  package let provider: String
  package let sandbox: Sandbox

  package init(provider: String, sandbox: Sandbox) {
    self.provider = provider
    self.sandbox = sandbox
  }

  /// Sends a request; returns the answer, whatever its status is. Throws if there is none.
  package func exchange(_ request: AppRequest) throws(AppRefusal) -> AppResponse {
    guard let send = sandbox.appTransport.send else {
      throw AppRefusal("\(request.path): apps are not connected to providers")
    }
    guard let response = send(request, provider, sandbox) else {
      throw AppRefusal("\(request.path) did not answer in time")
    }
    return response
  }

  /// Sends a request; returns the body of a successful answer. Throws for others.
  package func send(_ request: AppRequest) throws(AppRefusal) -> [UInt8] {
    let response = try exchange(request)
    guard response.isSuccess else { throw AppRefusal(request, response) }
    return response.body
  }
}

/// A request of an app, or of its back end.
package struct AppRequest: Equatable, Sendable {
  package enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
  }

  package enum Body: Equatable, Sendable {
    case none
    case form([Parameter])
    case json([UInt8])
  }

  package struct Parameter: Equatable, Sendable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  package let method: Method
  /// The path of the provider's route, with a query if there is one.
  package let path: String
  /// All headers but Host, Content-Type and Content-Length.
  package var headers: [Parameter] = []
  package let body: Body

  package init(_ method: Method, _ path: String, authorization: String? = nil, body: Body = .none) {
    self.method = method
    self.path = path
    self.body = body
    if let authorization { headers.append(Parameter("Authorization", authorization)) }
  }
}

/// A provider's answer to an app.
package struct AppResponse: Sendable {
  package let status: Int
  package let headers: [AppRequest.Parameter]
  package let body: [UInt8]

  package init(status: Int, headers: [AppRequest.Parameter], body: [UInt8]) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The first value of a header.
  package func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  package var isSuccess: Bool { (200...299).contains(status) }
}

/// An app on a virtual handset could not do what a person wanted: the provider has refused a request, or the
/// app cannot send one.
package struct AppRefusal: Error, Equatable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }

  package init(_ request: AppRequest, _ response: AppResponse) {
    description =
      "\(request.path) answered \(response.status) \(String(decoding: response.body, as: UTF8.self))"
  }
}

/// Takes the requests of apps to the providers' routes.
///
/// A class because it is connected after the sandboxes exist.
package final class AppTransport {
  /// Nil for a request that was not answered in time.
  package typealias Send = (AppRequest, _ provider: String, Sandbox) -> AppResponse?

  /// Set once, when the process is put together.
  package var send: Send?
}
