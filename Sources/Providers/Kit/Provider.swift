/// Answers the requests of a route.
package typealias RequestHandler = (Request, Sandbox) throws -> Response

/// A provider whose API the sandbox emulates.
///
/// All state is in the `Sandbox`, so a provider needs no instance.
package protocol Provider: Seeded, Capabilities {
  /// The provider's name in lower case: URL prefix, member of seeds, tag in events and in the journal.
  static var name: String { get }
  /// The seed of a start without options: an object with one member, `name`.
  static var defaultSeed: [UInt8] { get }
  /// Where the requests of its clients arrive.
  static var address: ProviderAddress { get }
  /// Environment variables from which the provider's SDKs and documentation take credentials and base URLs.
  static var variables: [Variable] { get }
  /// Its client libraries, for `ringfence doctor --sdk`.
  static var sdks: [SDK] { get }

  static var routes: [Route<Sandbox>] { get }
  /// The provider's table of errors.
  static var errors: [ErrorRow] { get }
  /// The files `Checks/*.http`: its behaviour as requests and answers. See `CheckFile`. Default: none.
  static var checkFiles: [(name: String, text: [UInt8])] { get }
  /// The file `Failures.json`: what an app sees of each kind of failure. Default: empty.
  static var failureRecord: [UInt8] { get }
  /// The error codes that injected faults can name. Default: those of `errors`.
  static var errorCodes: [String] { get }
  /// The scopes for which a record can have an answer of its own. Default: none.
  static var consentScopes: [String] { get }
  /// The response to a request that no handler answers.
  static func errorResponse(
    for failure: RequestFailure, to request: Request, in sandbox: Sandbox
  ) -> Response
  /// Adds the headers that every response of the provider has. Default: `X-Sandbox-Provider`, which marks a
  /// response as not the real provider's.
  static func addCommonHeaders(to headers: inout Headers, in sandbox: Sandbox)
  /// The fields with which a page of another origin can read the response to a request, also an injected
  /// error. Default: none.
  static func crossOriginHeaders(for request: Request) -> Headers
  /// The user name or key in a request's credentials, not verified yet.
  static func credential(in request: Request) -> String?
  /// The names of fields whose values are secret, in headers, queries, forms and JSON, besides those that end
  /// as in `SecretNames`. Letter case and punctuation do not matter. Default: none.
  static var secretFields: [String] { get }
}

extension Provider {
  package static var secretFields: [String] { [] }
  package static var consentScopes: [String] { [] }
  package static var checkFiles: [(name: String, text: [UInt8])] { [] }
  package static var failureRecord: [UInt8] { [] }

  package static var errorCodes: [String] {
    errors.map(\.code).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }

  package static func addCommonHeaders(to headers: inout Headers, in sandbox: Sandbox) {
    headers.add("X-Sandbox-Provider", name)
  }

  package static func crossOriginHeaders(for request: Request) -> Headers { [:] }

  package static var hosts: [String] { address.hosts }

  /// What injected faults can name.
  package static var routeNames: RouteNames {
    var names = RouteNames(
      provider: name,
      routes: routes.map {
        .init(name: $0.name, method: $0.method.rawValue, path: $0.pattern.description)
      }, errorCodes: errorCodes)
    names.documentedErrors = { try documentedErrors() }
    names.failureRecord = { failureRecord }
    if let sender = webhookSender {
      names.webhookKinds = sender.webhookKinds
      names.timestampedKinds = sender.timestampedKinds
    }
    names.readStatuses = { deliveryStatuses }
    names.consentScopes = consentScopes
    return names
  }

  /// The provider as the router sees it.
  package static var owner: RouteOwner<Sandbox> {
    RouteOwner(
      name: name, prefixes: [name] + address.prefixes,
      hosts: HostNames(address.hosts, patterns: address.hostPatterns),
      decompressesBodies: address.decompressesBodies, routes: routes,
      errorResponse: { errorResponse(for: $0, to: $1, in: $2) },
      addCommonHeaders: {
        addCommonHeaders(to: &$0, in: $2)
        $0.append(crossOriginHeaders(for: $1))
      },
      skipsFault: { try skipsFault(code: $0, for: $1, in: $2) },
      namesNumber: { text, request in PhoneNumber(text).map { names($0, in: request) } ?? false },
      credential: { credential(in: $0) },
      renewSignature: { try renewSignature(of: &$0, like: $1, in: $2) })
  }

  /// The callbacks that the core needs.
  package static var hooks: ProviderHooks {
    var hooks = ProviderHooks(name: name) { try handleEvent($0, in: $1) }
    hooks.secretNames = SecretNames(secretFields)
    hooks.ownsPushPayload = { ownsPushPayload($0) }
    hooks.mobileSDK = mobileSDK
    hooks.appSetup = appSetup
    hooks.sendPush = sendPush
    hooks.testCode = testCode
    hooks.deliveryStatuses = { deliveryStatuses }
    hooks.receivesTexts = { try receivesTexts(at: $0, in: $1) }
    hooks.findNetworkClient = findNetworkClient
    return hooks
  }
}

/// Where the requests of a provider's clients arrive, and how they connect.
package struct ProviderAddress: Sendable {
  /// Host names that the provider's SDKs call.
  package let hosts: [String]
  /// Further host names that differ in some labels, such as those of a region.
  package var hostPatterns: [HostPattern] = []
  /// Path prefixes of its routes, besides its name.
  package var prefixes: [String] = []
  /// True if it takes bodies that are compressed with gzip.
  package var decompressesBodies = false
  /// True if clients may identify themselves by a certificate.
  package var acceptsClientCertificates = false
  /// True if the provider is known to speak HTTP/2. False by default, because some clients behave differently
  /// with HTTP/2: OkHttp keeps a program alive for a minute.
  package var speaksHTTP2 = false

  package init(hosts: [String]) { self.hosts = hosts }
}
