// Written by Tests/Tools/swift_types.py: run make docs.

extension Ringfence {
  /// Who has a message.
  public struct Holder: Decodable, Equatable, Sendable {
    /// The person: the place in the record's subscriberPeriods, counted from 1.
    public let subscriber: Int
    /// The number of their SIM card, for the channels sms, call and rcs.
    public let iccid: String?
    /// True if they have the phone number now.
    public let present: Bool
  }
}
