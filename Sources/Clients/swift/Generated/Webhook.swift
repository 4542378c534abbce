// Written by Tests/Tools/swift_types.py: run make docs.

extension Ringfence {
  /// A webhook with its attempts.
  public struct Webhook: Decodable, Equatable, Sendable {
    /// The id.
    public let id: String
    /// The provider.
    public let provider: String
    /// The kind, by the provider's name for it.
    public let kind: String
    /// The URL, with secrets masked.
    public let url: String
    /// The state.
    public let state: State
    /// The why if it ended without delivery.
    public let why: String?
    /// What is wrong with it on purpose: a webhook fault, or a forgery.
    public let fault: String?
    /// When it was enqueued.
    public let createdAt: String
    /// When the next attempt is due.
    public let nextAttemptAt: String?
    /// True if an attempt is due or in progress.
    public let underWay: Bool
    /// The request of every attempt; from the first one on.
    public let request: Request?
    /// The attempts, oldest first.
    public let attempts: [Attempt]

    public enum State: String, Decodable, Sendable {
      case pending
      case delivered
      case failed
      case refused
      case dropped
      case lost
    }

    /// The request of every attempt; from the first one on.
    public struct Request: Decodable, Equatable, Sendable {
      /// The method, if it is not POST.
      public let method: String?
      /// The header lines, with secrets masked.
      public let headers: [String]
      /// The body, with secrets masked.
      public let body: String
    }

    /// One of them.
    public struct Attempt: Decodable, Equatable, Sendable {
      /// The attempt, counted from 1.
      public let number: Int
      /// When it was made.
      public let at: String
      /// The status of the receiver's answer.
      public let status: Int?
      /// Why there was no answer.
      public let error: String?
      /// The beginning of the receiver's answer, with secrets masked.
      public let answer: String?
    }
  }
}
