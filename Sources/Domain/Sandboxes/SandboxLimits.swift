import Database
import JSON

/// The maximum numbers of what a sandbox holds until it is deleted. History is limited by `Retention`.
package enum SandboxLimits {
  package static let sandboxes = 1_000
  package static let subscribers = 2_000
  package static let devices = 1_000
  /// In each table of a provider that a seed fills: accounts, services, templates.
  package static let records = 1_000
  /// Services that calls of a provider's API create.
  package static let services = 10_000
  /// In a list of phone numbers.
  package static let numbers = 2_000
  /// Of a snapshot, in bytes and in values of its JSON.
  package static let snapshotBytes = 32 << 20
  package static let snapshotValues = 2_000_000
  /// In a short list inside of a record, such as countries.
  package static let items = 300
}

extension Sandbox {
  /// Throws if there are too many subscribers or devices. Check this after adding some.
  package func checkLimits() throws {
    try check("subscribers", SandboxLimits.subscribers, "SELECT count(*) FROM subscribers WHERE sandbox = ?")
    try check(
      "devices", SandboxLimits.devices,
      "SELECT count(*) FROM devices WHERE sandbox = ? AND ending IS NULL")
  }

  private func check(_ name: String, _ limit: Int, _ sql: StaticString) throws {
    let count = try database.first(sql, id) { $0.int(0) } ?? 0
    guard count <= limit else {
      throw FieldError(path: name, expected: "at most \(limit) in a sandbox", found: "\(count)")
    }
  }
}
