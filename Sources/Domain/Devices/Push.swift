/// A notification to an app on a handset: the payload of a message of the channel `push`.
package struct Push: Equatable, Sendable {
  /// A receipt from the app.
  package enum Mark: String, CaseIterable, Sendable {
    case delivered
    /// The person has opened the notification.
    case read
  }

  /// The ordinal of its message.
  package let ordinal: Int
  /// The ordinal of the device.
  package let device: Int
  package let token: String
  /// A JSON object for the app.
  package let payload: String
  /// When the app confirmed the delivery.
  package internal(set) var deliveredAt: Timestamp?
  /// When the app confirmed that the notification was opened.
  package internal(set) var readAt: Timestamp?

  /// The latest receipt.
  package var mark: Mark? { readAt != nil ? .read : deliveredAt != nil ? .delivered : nil }
}
