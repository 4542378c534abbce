import ProviderKit

/// The applications' own names of verifications, each unique in its application. Source: contract 3 and 5.
struct References {
  private struct Entry {
    var verification = 0
  }

  let application: Application
  let sandbox: Sandbox

  private static let table = RecordTable(
    "reference", of: SinchProvider.name,
    Schema<Entry>([.required("verification", \.verification, .ordinal)])
  ) { Entry() }

  func find(_ reference: String) throws -> StoredVerification? {
    guard let entry = try Self.table.find(key(reference), in: sandbox) else { return nil }
    return try StoredVerification.find(entry.verification, in: sandbox)
  }

  func requireUnused(_ reference: String?) throws {
    guard let reference, let used = try find(reference) else { return }
    throw APIError(.referenceInUse)
      .because("verification \(used.id(in: sandbox)) has the reference \(reference)")
  }

  /// Saves a reference, and deletes up to two whose verifications are no longer kept. So their number never
  /// grows.
  func save(_ reference: String?, for verification: Verification) throws {
    guard let reference else { return }
    for item in try sandbox.records.list(Self.section, of: application.key, limit: 2) {
      let ordinal = try Fields(Array(item.record.utf8)).int("verification")
      if try sandbox.verifications.find(ordinal) == nil {
        _ = try sandbox.records.delete(item.key, in: Self.section)
      }
    }
    try Self.table.save(
      Entry(verification: verification.ordinal), as: key(reference), group: application.key, in: sandbox)
  }

  private func key(_ reference: String) -> String { "\(application.key) \(reference)" }

  private static let section = RecordStore.Section(provider: SinchProvider.name, kind: "reference")
}
