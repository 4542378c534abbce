/// A point in time on a sandbox's clock, in milliseconds since 1970-01-01T00:00:00Z.
package struct Timestamp: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z.
  package let milliseconds: Int64

  /// The latest time that can be written with four digits of year.
  package static let latest = Timestamp(milliseconds: 253_402_300_799_999)

  /// A time by its milliseconds since 1970.
  package init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// Which of two times comes first.
  package static func < (one: Timestamp, other: Timestamp) -> Bool {
    one.milliseconds < other.milliseconds
  }

  /// The time that much later.
  package static func + (time: Timestamp, span: Duration) -> Timestamp {
    Timestamp(milliseconds: time.milliseconds + span.milliseconds)
  }

  /// The time that much earlier.
  package static func - (time: Timestamp, span: Duration) -> Timestamp {
    Timestamp(milliseconds: time.milliseconds - span.milliseconds)
  }

  /// The span from the other time to this one.
  package static func - (time: Timestamp, other: Timestamp) -> Duration {
    .milliseconds(time.milliseconds - other.milliseconds)
  }
}

extension Duration {
  /// The span in whole milliseconds, rounded towards zero.
  package var milliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}
