package import Domain
package import HTTP
package import JSON

/// A vendor whose API the sandbox serves.
///
/// A provider has no state of its own (state is in the `Sandbox`), so it needs no instance. Nothing here has a
/// default: with one, the first vendor's habits would become everybody's.
package protocol Provider: SendableMetatype {
  /// URL prefix, member of a seed, tag in events and in the journal.
  static var name: String { get }
  /// Further path prefixes of its routes.
  static var prefixes: [String] { get }
  /// Host names that the vendor's SDKs call.
  static var hosts: [String] { get }
  /// Environment variables in which its SDKs and its documentation look for credentials and base URLs.
  static var variables: [Variable] { get }
  /// Its client libraries, for `ringfence doctor --sdk`.
  static var sdks: [SDK] { get }

  /// The vendor's operations.
  static var routes: [Route<Sandbox>] { get }
  /// The answer to a request that no handler answers.
  static func errorResponse(
    for failure: RequestFailure, to request: Request, in sandbox: Sandbox
  ) -> Response
  /// Adds the header fields that every answer of the vendor has.
  static func addCommonHeaders(to headers: inout Headers, in sandbox: Sandbox)
  /// The user name or key that a request signs in with, not verified yet.
  static func credential(in request: Request) -> String?

  /// The bytes of a webhook; nil when nobody is to be called.
  ///
  /// Called once, before the first attempt: each attempt sends the same bytes, so ids and times must follow from
  /// the webhook and not from the moment.
  static func request(for webhook: Webhook, in sandbox: Sandbox) throws -> WebhookRequest?
  /// When a webhook that nobody acknowledged is sent again.
  static var retries: RetrySchedule { get }
  /// Reacts to an event of the provider's own verifications and messages, or of no provider in particular.
  ///
  /// It runs in the event's transaction. An error is a mistake of ours and undoes the whole transaction.
  static func handleEvent(_ event: DomainEvent, in sandbox: Sandbox) throws
  /// True if the data of a push are for this vendor's SDK on the handset.
  static func ownsPushPayload(_ data: Texts) -> Bool

  /// The seed that a bare start loads: an object with one member, `name`.
  static var defaultSeed: [UInt8] { get }
  /// Loads the member `name` of a seed.
  static func loadSeed(_ seed: Fields, into sandbox: Sandbox) throws
  /// The seed that would bring back the sandbox's present state, secrets masked.
  static func exportSeed(from sandbox: Sandbox) throws -> JSON
  /// Creates what clients of a new sandbox need to sign in.
  static func createCredentials(in sandbox: Sandbox) throws
  /// What clients of a sandbox sign in with, by the names of the control API.
  static func credentials(of sandbox: Sandbox) throws -> [(name: String, value: String)]
}

extension Provider {
  /// The provider as the router sees it.
  package static var owner: RouteOwner<Sandbox> {
    RouteOwner(
      name: name, prefixes: [name] + prefixes, hosts: hosts, routes: routes,
      errorResponse: { errorResponse(for: $0, to: $1, in: $2) },
      addCommonHeaders: { addCommonHeaders(to: &$0, in: $1) }, credential: { credential(in: $0) })
  }

  /// The provider as the core calls it.
  package static var hooks: ProviderHooks {
    ProviderHooks(
      name: name, ownsPushPayload: { ownsPushPayload($0) }, handleEvent: { try handleEvent($0, in: $1) })
  }

  /// The provider's part of a seed.
  package static var seedSection: SeedSection {
    SeedSection(
      name: name, load: { try loadSeed($0, into: $1) }, export: { try exportSeed(from: $0) },
      provision: { try createCredentials(in: $0) }, credentials: { try credentials(of: $0) })
  }
}
