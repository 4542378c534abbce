// Written by Tests/Tools/swift_types.py: run make docs.

extension Ringfence {
  /// A request for a person's approval on a device.
  public struct Challenge: Decodable, Equatable, Sendable {
    /// The provider.
    public let provider: String
    /// The provider's id of the request that needs approval.
    public let reference: String
    /// The phone number, or another id of the person at the provider.
    public let number: String
    /// The state.
    public let state: State
    /// When the challenge was created.
    public let askedAt: String
    /// When it expires.
    public let expiresAt: String
    /// When the person answered.
    public let answeredAt: String?

    public enum State: String, Decodable, Sendable {
      case pending
      case approved
      case denied
      case expired
    }
  }
}
