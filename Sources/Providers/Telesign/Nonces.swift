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
    guard let item = try sandbox.shelf.find(Self.key(nonce, customer), in: Self.section) else {
      return false
    }
    return try Self.time(of: item) + .seconds(window) > sandbox.clock.now
  }

  /// Remembers one, and lets go of some that are too old.
  func note(_ nonce: String, of customer: String, for window: Int) throws {
    let now = sandbox.clock.now
    for item in try sandbox.shelf.list(Self.section, of: customer, limit: 4)
    where try Self.time(of: item) + .seconds(window) <= now {
      _ = try sandbox.shelf.forget(item.key, in: Self.section)
    }
    let record = JSONWriter.object { $0.member("at", Int(now.milliseconds)) }
    try sandbox.shelf.keep(record, under: Self.key(nonce, customer), of: customer, in: Self.section)
  }

  private static func key(_ nonce: String, _ customer: String) -> String { "\(customer) \(nonce)" }

  private static func time(of item: Shelf.Item) throws -> Timestamp {
    Timestamp(milliseconds: Int64(try Fields(Array(item.record.utf8)).int("at")))
  }

  private static let section = Shelf.Section(provider: TelesignProvider.name, kind: "nonce")
}
