import Domain
import JSON
import ProviderKit

/// The nonces that customers have used of late. Source: contract 2.5.
struct Nonces {
  private let sandbox: Sandbox

  /// Those of a sandbox.
  init(_ sandbox: Sandbox) {
    self.sandbox = sandbox
  }

  /// Whether a customer has used a nonce within so many seconds.
  func isKnown(_ nonce: String, of customer: String, for window: Int) throws -> Bool {
    guard let item = try sandbox.records.find(Self.key(nonce, customer), in: Self.section) else {
      return false
    }
    return try Self.time(of: item) + .seconds(window) > sandbox.clock.now
  }

  /// Remembers one, and lets go of some that are too old.
  func note(_ nonce: String, of customer: String, for window: Int) throws {
    let now = sandbox.clock.now
    for item in try sandbox.records.list(Self.section, of: customer, limit: 4)
    where try Self.time(of: item) + .seconds(window) <= now {
      _ = try sandbox.records.delete(item.key, in: Self.section)
    }
    let record = JSONWriter.object { $0.member("at", Int(now.milliseconds)) }
    try sandbox.records.save(record, under: Self.key(nonce, customer), of: customer, in: Self.section)
  }

  private static func key(_ nonce: String, _ customer: String) -> String { "\(customer) \(nonce)" }

  private static func time(of item: RecordStore.Item) throws -> Timestamp {
    Timestamp(milliseconds: Int64(try Fields(Array(item.record.utf8)).int("at")))
  }

  private static let section = RecordStore.Section(provider: TelesignProvider.name, kind: "nonce")
}
