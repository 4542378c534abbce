package import Domain
package import JSON

/// The state of a provider that seeds, exports and new sandboxes have.
package protocol Seeded: SendableMetatype {
  static var name: String { get }
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

extension Seeded {
  /// A sandbox's credentials by their names.
  package static func credentialsByName(of sandbox: Sandbox) throws -> [String: String] {
    Dictionary(try credentials(of: sandbox).map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
  }

  /// What loading and exporting seeds needs.
  package static var seedSection: SeedSection {
    SeedSection(
      name: name, schema: seedSchema, load: { try loadSeed($0, into: $1, &$2) },
      export: { try exportSeed(from: $0) },
      provision: { try createCredentials(in: $0) }, credentials: { try credentials(of: $0) })
  }
}

/// Generates credentials for a new sandbox, and generates others if a seed gave the same to another sandbox.
///
/// `register` generates them from its labels with this suffix. It returns false if another sandbox has them.
package func generateUnique(_ register: (_ suffix: String) throws -> Bool) rethrows {
  var suffix = ""
  while try !register(suffix) { suffix += " again" }
}
