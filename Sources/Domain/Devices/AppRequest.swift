package import Numbers

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

/// Requests of apps and their back ends go to the provider's public routes.
extension Sandbox {
  /// The request by which an app has a code sent to a number; nil if the provider has none.
  package func testCode(of provider: String, to number: PhoneNumber) throws -> AppRequest? {
    try shared.hooks.first { $0.name == provider }?.testCode?(number, self)
  }

  /// The names of the providers that have such a request.
  package var testCodeProviders: [String] {
    shared.hooks.compactMap { $0.testCode == nil ? nil : $0.name }
  }

  /// Sends a request; returns the answer, whatever its status is. Throws if there is none.
  func exchange(_ request: AppRequest, with provider: String) throws(AppRefusal) -> AppResponse {
    guard let send = shared.connections.sendAppRequest else {
      throw AppRefusal("\(request.path): apps are not connected to providers")
    }
    guard let response = send(request, provider, self) else {
      throw AppRefusal("\(request.path) did not answer in time")
    }
    return response
  }

  /// Sends a request; returns the body of a successful answer. Throws for others.
  package func send(_ request: AppRequest, to provider: String) throws(AppRefusal) -> [UInt8] {
    let response = try exchange(request, with: provider)
    guard response.isSuccess else { throw AppRefusal(request, response) }
    return response.body
  }
}
