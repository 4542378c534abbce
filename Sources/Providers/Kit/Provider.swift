package import Domain
package import HTTP
package import JSON

/// One vendor's face: its routes, and the words it uses to refuse.
///
/// It has no state of its own (state is in the `Sandbox`), so it needs no instance. Nothing here has a
/// default: a default is how the first vendor's ways become everybody's.
package protocol Provider: SendableMetatype {
  /// URL prefix, member of a seed, tag in events and in the journal.
  static var name: String { get }
  /// Further path prefixes under which its routes can be had.
  static var prefixes: [String] { get }
  /// Names that the vendor's SDK calls.
  static var hosts: [String] { get }
  /// Environment variables in which its SDKs and their documentation look for credentials and for where it is.
  static var variables: [Variable] { get }
  /// The vendor's operations: one screen, the table of contents.
  static var routes: [Route<Sandbox>] { get }
  /// The vendor's words for a request that no handler answers.
  static func refusal(_ reason: Reason, to request: Request, in sandbox: Sandbox) -> Response
  /// Puts the fields on an answer that stand on every one.
  static func addCommonHeaders(to headers: inout Headers, in sandbox: Sandbox)
  /// The user name or key that a request signs in with, unproven.
  static func credential(in request: Request) -> String?
  /// The bytes of a webhook that it has enqueued; nil where it tells nobody. Asked before the first attempt, once:
  /// each attempt sends the same, so ids and times follow from the webhook and not from the moment.
  static func render(_ webhook: Webhook, in sandbox: Sandbox) throws -> WebhookRequest?
  /// Takes notice of what the core reports: on a provider's own verifications and messages, and of whatever
  /// concerns no provider that is known. Nobody waits for an answer: where it throws, we are at fault, and nothing
  /// of it has happened.
  static func handleEvent(_ notice: DomainEvent, in sandbox: Sandbox) throws
  /// Whether the data of a push are this vendor's, as its SDK on a handset would tell; a push may come by a gateway that
  /// knows nothing of them.
  static func ownsPushPayload(_ data: Texts) -> Bool
  /// When a webhook that nobody acknowledged is sent again.
  static var retries: RetrySchedule { get }
  /// The seed file of a bare start: an object with one member, `name`.
  static var defaultSeed: [UInt8] { get }
  /// Loads what `Seeds/<story>/<name>.json` says under its name.
  static func load(_ seed: Fields, into sandbox: Sandbox) throws
  /// The seed that would bring back the sandbox's present state, secrets masked.
  static func export(from sandbox: Sandbox) throws -> JSON
  /// Gives a fresh sandbox what its clients need to sign in.
  static func provision(_ sandbox: Sandbox) throws
  /// What clients of a sandbox sign in with, by the names the control API has for it.
  static func credentials(of sandbox: Sandbox) throws -> [(name: String, value: String)]
}

extension Provider {
  /// The provider as the router sees it.
  package static var owner: Owner<Sandbox> {
    Owner(
      name: name, prefixes: [name] + prefixes, hosts: hosts, routes: routes,
      refusal: { refusal($0, to: $1, in: $2) }, addCommonHeaders: { addCommonHeaders(to: &$0, in: $1) },
      credential: { credential(in: $0) })
  }

  /// The provider as the core reports to it.
  package static var hooks: ProviderHooks {
    ProviderHooks(
      name: name, ownsPushPayload: { ownsPushPayload($0) }, handleEvent: { try handleEvent($0, in: $1) })
  }

  /// The provider's part of a seed.
  package static var seedSection: SeedSection {
    SeedSection(
      name: name, load: { try load($0, into: $1) }, export: { try export(from: $0) },
      provision: { try provision($0) }, credentials: { try credentials(of: $0) })
  }
}
