// Written by Tests/Tools/swift_types.py: run make docs.

extension Ringfence {
  /// The notification of a message of the channel push.
  public struct MessagePush: Decodable, Equatable, Sendable {
    /// The push token.
    public let to: String
    /// The target that the sender named: kind and value.
    public let target: [String: String]?
    /// The sender's project at the gateway.
    public let project: String?
    /// The gateway's API.
    public let via: String?
    /// The origin of the push.
    public let source: String?
    /// The number of requests until the push was accepted.
    public let attempts: Int?
    /// The priority.
    public let priority: String?
    /// The lifetime.
    public let ttlSeconds: Int?
    /// True if the handset shows a notification.
    public let visible: Bool?
    /// The data for the app.
    public let data: [String: JSON]?
    /// Data values that contain JSON, decoded.
    public let decoded: [String: JSON]?
    /// The title and text of the notification.
    public let notification: [String: JSON]?
    /// The headers and payload for iOS.
    public let apns: [String: JSON]?
    /// The sender's message.
    public let raw: [String: JSON]?
    /// The device's id.
    public let device: String?
    /// The app's name.
    public let app: String?
    /// The handset's operating system.
    public let platform: Platform?
    /// When the push was delivered.
    public let deliveredAt: String?
    /// When the person opened the notification.
    public let readAt: String?
    /// The id of the newer push that took its place.
    public let replacedBy: String?
    /// The state of the challenge in the push.
    public let state: State?
    /// When the challenge was created.
    public let askedAt: String?
    /// When the challenge expires.
    public let expiresAt: String?
    /// When the person answered the challenge.
    public let answeredAt: String?

    public enum Platform: String, Decodable, Sendable {
      case android
      case ios
    }

    public enum State: String, Decodable, Sendable {
      case pending
      case approved
      case denied
      case expired
    }
  }
}
