/// A notification to an app on a handset: what its message, of the channel `push`, carries for the app.
package struct Push: Equatable, Sendable {
  /// What an app tells of a push that has reached it.
  package enum Mark: String, CaseIterable, Sendable {
    /// It is on the handset.
    case delivered
    /// The person has opened it.
    case read
  }

  /// The ordinal of its message.
  package let ordinal: Int
  /// The ordinal of the device it goes to.
  package let device: Int
  /// The token it was sent to.
  package let token: String
  /// What the app reads: a JSON object.
  package let payload: String
  /// When the app said that it had come.
  package internal(set) var deliveredAt: Timestamp?
  /// When the app said that it was opened.
  package internal(set) var readAt: Timestamp?

  /// What was told of it last.
  package var mark: Mark? { readAt != nil ? .read : deliveredAt != nil ? .delivered : nil }
}
