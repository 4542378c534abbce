// Written by Tests/Tools/swift_types.py: run make docs.

extension Ringfence {
  /// A request with its answer, secrets masked.
  public struct Exchange: Decodable, Equatable, Sendable {
    /// The id.
    public let id: String
    /// When it was answered.
    public let at: String
    /// The owner of the route; null for an unknown path.
    public let provider: String?
    /// The route's name; null if no route matched.
    public let route: String?
    /// The request.
    public let request: Request
    /// The answer.
    public let response: Response
    /// For an error: the reason, in plain words.
    public let why: String?
    /// What to change, where that is known.
    public let change: String?
    /// Fields that the client sent and no handler read.
    public let unread: [String]
    /// How long the answer was held back: by latency, a fault, or the route itself.
    public let delayMs: Int?
    /// For an unknown path: the most similar routes.
    public let nearest: [String]?

    /// The request.
    public struct Request: Decodable, Equatable, Sendable {
      /// The method.
      public let method: String
      /// Path and query.
      public let target: String
      /// The header lines.
      public let headers: [String]
      /// The body.
      public let body: String
    }

    /// The answer.
    public struct Response: Decodable, Equatable, Sendable {
      /// The status.
      public let status: Int
      /// The header lines.
      public let headers: [String]
      /// The body.
      public let body: String
    }
  }
}
