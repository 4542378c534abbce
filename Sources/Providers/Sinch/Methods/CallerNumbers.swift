import ProviderKit

/// The caller numbers of flash calls: fictional ones, of which two pending calls never have the same. Source:
/// contract 8; `carrier.md` 5.
struct CallerNumbers {
  /// The pending call of a number.
  private struct Holder {
    var verification = 0
  }

  let sandbox: Sandbox

  private static let table = RecordTable(
    "caller", of: SinchProvider.name,
    Schema<Holder>([.required("verification", \.verification, .ordinal)])
  ) { Holder() }

  /// A number that no pending call has; nil if there is none.
  func next(for verification: Verification) throws -> String? {
    let start = sandbox.entropy.code(
      length: 4, for: verification.claim.destination, provider: "sinch caller", series: verification.series)
    let first = (Int(start) ?? 0) % Self.perArea
    for area in Self.areas {
      for number in area[first...] + area[..<first] where try !isHeld(number) {
        try hold(number, for: verification)
        return number
      }
    }
    return nil
  }

  /// Does nothing for a number of the callback's that no other call gets.
  func hold(_ number: String, for verification: Verification) throws {
    guard Self.all.contains(number) else { return }
    try Self.table.save(Holder(verification: verification.ordinal), as: number, in: sandbox)
  }

  private func isHeld(_ number: String) throws -> Bool {
    guard let holder = try Self.table.find(number, in: sandbox) else { return false }
    return try sandbox.verifications.find(holder.verification)?.isPending(at: sandbox.clock.now) ?? false
  }

  private static let perArea = 20
  private static let areas = [
    202, 206, 212, 213, 214, 215, 303, 305, 312, 313, 404, 415, 503, 504, 512, 602, 612, 617, 702, 713,
  ].map { area in (0..<perArea).map { "+1\(area)5550\(170 + $0)" } }
  private static let all = Set(areas.joined())
}
