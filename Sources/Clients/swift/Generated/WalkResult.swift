// Written by Tests/Tools/swift_types.py: run make docs.

extension Ringfence {
  /// The hops of a silent chain, and how it ended.
  public struct WalkResult: Decodable, Equatable, Sendable {
    /// How the chain ended.
    public let ending: Ending
    /// The code for the app's back end.
    public let code: String?
    /// The URL of the app to which the last hop redirects, with its fragment.
    public let url: String?
    /// The text of the last answer.
    public let text: String?
    /// Why the chain failed, or the error in the URL of the app.
    public let why: String?
    /// The requests, in order.
    public let hops: [Hop]

    public enum Ending: String, Decodable, Sendable {
      case code
      case text
      case redirect
      case failure
    }

    /// One of them.
    public struct Hop: Decodable, Equatable, Sendable {
      /// The URL.
      public let url: String
      /// The status of the answer.
      public let status: Int
    }
  }
}
