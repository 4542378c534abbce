/// The maximum numbers of what a sandbox holds until it is deleted. History is limited by `Retention`.
package enum SandboxLimits {
  package static let sandboxes = 1_000
  package static let subscribers = 10_000
  package static let devices = 10_000
  /// In each table of a provider that a seed fills: accounts, services, templates.
  package static let records = 1_000
  /// In a list of phone numbers.
  package static let numbers = 10_000
  /// In a short list inside of a record, such as countries.
  package static let items = 300
}
