package import Domain
package import HTTP
package import JSON

/// A vendor whose API the sandbox emulates.
///
/// All state is in the `Sandbox`, so a provider needs no instance. Only host patterns, what concerns codes,
/// and what only the console shows have defaults: others would make one vendor's behaviour everybody's.
package protocol Provider: SendableMetatype {
  /// The provider's name in lower case: URL prefix, member of seeds, tag in events and in the journal.
  static var name: String { get }
  /// Other path prefixes of its routes.
  static var prefixes: [String] { get }
  /// Host names that the vendor's SDKs call.
  static var hosts: [String] { get }
  /// Further host names that differ in some labels, such as those of a region. Default: none.
  static var hostPatterns: [HostPattern] { get }
  /// True if `//a/b` is the same path as `/a/b`. Default: false.
  static var collapsesLeadingSlashes: Bool { get }
  /// Environment variables from which the vendor's SDKs and documentation take credentials and base URLs.
  static var variables: [Variable] { get }
  /// Its client libraries, for `ringfence doctor --sdk`.
  static var sdks: [SDK] { get }

  /// True if clients may identify themselves by a certificate under its hosts. Default: false.
  static var acceptsClientCertificates: Bool { get }
  /// True if the vendor is known to speak HTTP/2 on its hosts. Default: false, because some clients behave
  /// differently with HTTP/2: OkHttp keeps a program alive for a minute.
  static var speaksHTTP2: Bool { get }

  /// False if the provider never sends codes. Default: true.
  static var sendsCodes: Bool { get }
  /// The vendor's documented code for one of its test numbers; nil: the sandbox generates codes. Default:
  /// nil.
  static func fixedCode(for number: PhoneNumber) -> String?
  /// The vendor's operations.
  static var routes: [Route<Sandbox>] { get }
  /// The vendor's error codes, for injected faults.
  static var errorCodes: [String] { get }
  /// The vendor's page about the error in an answer's body; nil if there is none. Default: nil.
  static func documentation(ofError answer: JSON) -> String?
  /// The limits of a verification, for the console; nil if they are not the core's. Default: nil.
  static func rules(of verification: Verification, in sandbox: Sandbox) throws -> VerificationRules?
  /// The response to a request that no handler answers.
  static func errorResponse(
    for failure: RequestFailure, to request: Request, in sandbox: Sandbox
  ) -> Response
  /// True if an injected fault with this error code does not apply to a request, because its sender is
  /// exempt. Default: false.
  static func skipsFault(code: String, for request: Request, in sandbox: Sandbox) throws -> Bool
  /// True if a request names a phone number in a spelling of the vendor's own, besides E.164 and its digits:
  /// injected faults look for numbers. Default: false.
  static func names(_ number: PhoneNumber, in request: Request) -> Bool
  /// Adds the headers that every response of the vendor has.
  static func addCommonHeaders(to headers: inout Headers, in sandbox: Sandbox)
  /// The names of fields whose values are secret, in headers, queries, forms and JSON, besides those that end
  /// as in `SecretNames`. Letter case and punctuation do not matter. Default: none.
  static var secretFields: [String] { get }
  /// The user name or key in a request's credentials, not verified yet.
  static func credential(in request: Request) -> String?

  /// The request of a webhook; nil if the vendor sends none for this event.
  ///
  /// It is called once, when the webhook is due, and every attempt sends the same bytes. Ids and times must
  /// come from the webhook, not from the clock.
  static func request(for webhook: Webhook, in sandbox: Sandbox) throws -> WebhookRequest?
  /// When an unacknowledged webhook is sent again.
  static var retries: RetrySchedule { get }
  /// Reacts to an event of the provider's own verifications and messages, or of no provider in particular.
  ///
  /// It runs in the event's transaction. An error is a bug, and rolls the whole transaction back.
  static func handleEvent(_ event: DomainEvent, in sandbox: Sandbox) throws
  /// True if this vendor's SDK on the handset handles a push with these data.
  static func ownsPushPayload(_ data: Texts) -> Bool
  /// Sends the pushes of other providers, for a push gateway. Default: nil.
  static var sendPush: ProviderHooks.SendPush? { get }

  /// What the vendor's SDK does in an app on a virtual handset. Default: nil, for vendors without one.
  static var mobileSDK: MobileSDK? { get }

  /// The seed of a start without options: an object with one member, `name`.
  static var defaultSeed: [UInt8] { get }
  /// The shape of the member `name` of a seed. Members that are not in it are errors.
  static var seedSchema: ObjectSchema { get }
  /// Adds the steps that load the member `name` of a seed.
  static func loadSeed(_ seed: Fields, into sandbox: Sandbox, _ steps: inout Steps) throws
  /// The provider's state as a seed, secrets masked.
  static func exportSeed(from sandbox: Sandbox) throws -> JSON
  /// Creates the credentials of a new sandbox, except those that its seeds have.
  static func createCredentials(in sandbox: Sandbox) throws
  /// A sandbox's credentials, by their names in the control API.
  static func credentials(of sandbox: Sandbox) throws -> [(name: String, value: String)]
}

extension Provider {
  package static var hostPatterns: [HostPattern] { [] }
  package static var secretFields: [String] { [] }
  package static var acceptsClientCertificates: Bool { false }
  package static var speaksHTTP2: Bool { false }
  package static var sendsCodes: Bool { true }
  package static func fixedCode(for number: PhoneNumber) -> String? { nil }
  package static var mobileSDK: MobileSDK? { nil }
  package static var sendPush: ProviderHooks.SendPush? { nil }
  package static func documentation(ofError answer: JSON) -> String? { nil }
  package static func rules(of verification: Verification, in sandbox: Sandbox) throws -> VerificationRules? {
    nil
  }
  package static var collapsesLeadingSlashes: Bool { false }
  package static func skipsFault(code: String, for request: Request, in sandbox: Sandbox) throws -> Bool {
    false
  }

  package static func names(_ number: PhoneNumber, in request: Request) -> Bool { false }

  /// What injected faults can name.
  package static var routeNames: RouteNames {
    RouteNames(provider: name, routes: routes.map(\.name), errorCodes: errorCodes)
  }

  /// The provider as the router sees it.
  package static var owner: RouteOwner<Sandbox> {
    RouteOwner(
      name: name, prefixes: [name] + prefixes, hosts: HostNames(hosts, patterns: hostPatterns),
      collapsesLeadingSlashes: collapsesLeadingSlashes, routes: routes,
      errorResponse: { errorResponse(for: $0, to: $1, in: $2) },
      addCommonHeaders: { addCommonHeaders(to: &$0, in: $1) },
      skipsFault: { try skipsFault(code: $0, for: $1, in: $2) },
      namesNumber: { text, request in PhoneNumber(text).map { names($0, in: request) } ?? false },
      credential: { credential(in: $0) })
  }

  /// The callbacks that the core needs.
  package static var hooks: ProviderHooks {
    ProviderHooks(
      name: name, secretNames: SecretNames(secretFields), ownsPushPayload: { ownsPushPayload($0) },
      mobileSDK: mobileSDK, sendPush: sendPush,
      handleEvent: { try handleEvent($0, in: $1) })
  }

  /// What loading and exporting seeds needs.
  package static var seedSection: SeedSection {
    SeedSection(
      name: name, schema: seedSchema, load: { try loadSeed($0, into: $1, &$2) },
      export: { try exportSeed(from: $0) },
      provision: { try createCredentials(in: $0) }, credentials: { try credentials(of: $0) })
  }
}

/// An environment variable that a vendor's SDKs or documentation use.
package struct Variable: Sendable {
  package enum Content: Sendable {
    /// A credential, by its name in the control API.
    case credential(String)
    /// The path of a file with a credential.
    case fileOf(credential: String)
    /// Scheme and authority of the vendor's API.
    case baseURL
    /// The path of a PEM file with trusted certificate authorities.
    case authorities
    /// A phone number for trying things out, without a plus sign.
    case phoneNumber
  }

  package let name: String
  package let content: Content
  /// True for a common name that only the vendor's examples read. `run` sets it for its command, `env` does
  /// not print it: in a shell it could replace another program's variable.
  package let isForExamples: Bool

  package init(_ name: String, _ content: Content, isForExamples: Bool = false) {
    self.name = name
    self.content = content
    self.isForExamples = isForExamples
  }
}

/// An error response in a vendor's format.
package protocol VendorError: ResponseError {
  /// The cause, for the journal.
  var why: String? { get set }
  /// Adds the request's time and id, for vendors whose error bodies have them.
  mutating func stamp(at time: Timestamp, requestID: String)
}

extension VendorError {
  package mutating func stamp(at time: Timestamp, requestID: String) {}

  /// The same error with its cause for the journal.
  package func because(_ why: String) -> Self {
    var error = self
    error.why = why
    return error
  }

  /// The same error with the request's time and id.
  package func stamped(at time: Timestamp, requestID: String) -> Self {
    var error = self
    error.stamp(at: time, requestID: requestID)
    return error
  }
}
