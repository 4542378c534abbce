package import Basics
import JSON
package import Numbers

/// Temporary tokens of SIM cards (GSMA TS.43): an app on a handset gets one from the operator, over any
/// network, and so proves which card is in the handset. A token can be redeemed once, until it expires or the
/// number gets another card.
package struct SIMTokens {
  let sandbox: Sandbox

  package static let lifetime = Duration.seconds(300)
  /// Older ones are deleted.
  private static let limit = 1_000
  private static let section = RecordStore.Section(provider: "carrier", kind: "SIM token")

  package func issue(for number: PhoneNumber) throws -> (text: String, expiresAt: Timestamp) {
    let subscriber = try sandbox.subscribers[number]
    guard subscriber.simCard != .missing else {
      throw FieldError(path: "number", expected: "a number with a SIM card", found: "one without (simCard)")
    }
    let ordinal = sandbox.nextOrdinal()
    let text = sandbox.tokenEntropy.identifier("SIM token", ordinal)
    let (imsi, end) = (subscriber.imsi, sandbox.clock.now + Self.lifetime)
    let record = JSONWriter.object { json in
      json.member("number", number.description)
      json.member("imsi", imsi)
      json.member("expiresAt", Int(end.milliseconds))
    }
    let item = RecordStore.Item(
      ordinal: ordinal, key: text, record: String(decoding: record, as: UTF8.self))
    try sandbox.records.add(item, of: "", in: Self.section, keeping: Self.limit)
    return (text, end)
  }

  /// The number of the card. Nil for a text that is no token, or whose token is used, has expired, or is of
  /// an earlier card.
  package func redeem(_ text: String) throws -> PhoneNumber? {
    guard let item = try sandbox.records.find(text, in: Self.section) else { return nil }
    _ = try sandbox.records.delete(text, in: Self.section)
    let fields = try Fields(Array(item.record.utf8))
    guard let number = PhoneNumber(try fields.string("number")),
      try sandbox.subscribers[number].imsi == fields.string("imsi"),
      try sandbox.clock.now.milliseconds < Int64(fields.int("expiresAt"))
    else { return nil }
    return number
  }
}
