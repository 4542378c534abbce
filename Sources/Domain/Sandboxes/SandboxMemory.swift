import Basics
package import JSON

/// State of a sandbox that is in no row, but that a snapshot has.
package struct SandboxMemory: Sendable {
  /// The ids of requests so far.
  var requests = 0
  /// The time to which the clock is moving, in milliseconds; nil when it is not moving.
  var clockTarget: Int?
  /// History before this ordinal is deleted, except for rows still in use.
  var historyStart = 0

  package init() {}

  private static let count = 0...Int(Timestamp.latest.milliseconds)

  package static let schema = Schema<SandboxMemory>(
    nil, "",
    [
      .required("requests", \.requests, .integer(count), "The number of ids of requests so far."),
      .nullable(
        "clockTarget", \.clockTarget, .integer(count),
        "The time to which the clock is moving, in milliseconds since 1970."),
      .required("historyStart", \.historyStart, .integer(count), "Older history has been deleted."),
    ])
}
