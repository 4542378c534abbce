// Written by Tests/Tools/swift_types.py: run make docs.

extension Ringfence {
  /// A verification with its attempts, silent sessions and webhooks.
  public struct Verification: Decodable, Equatable, Sendable {
    /// The verification's ordinal in the sandbox.
    public let id: Int
    /// The provider.
    public let provider: String
    /// The provider's account or service.
    public let owner: String
    /// The phone number or email address.
    public let to: String
    /// The state.
    public let state: State
    /// The latest code; empty if no code is valid.
    public let code: String
    /// The number of checks so far.
    public let checks: Int
    /// When it was started.
    public let createdAt: String
    /// When it last changed.
    public let updatedAt: String
    /// When it expires.
    public let expiresAt: String
    /// The messages with its code, oldest first.
    public let attempts: [Attempt]
    /// The channels that are tried one after another.
    public let steps: [Step]
    /// The silent sessions.
    public let silentSessions: [SilentSession]
    /// The ids of its webhooks.
    public let webhooks: [String]
    /// The provider's data, with secrets masked.
    public let details: JSON

    public enum State: String, Decodable, Sendable {
      case pending
      case approved
      case denied
      case canceled
      case expired
      case exhausted
    }

    /// One of them.
    public struct Attempt: Decodable, Equatable, Sendable {
      /// The attempt, counted from 1.
      public let number: Int
      /// The channel.
      public let channel: Channel
      /// When the code was sent.
      public let sentAt: String
      /// The attempt's own code, for providers with a code per attempt.
      public let code: String?
      /// True if this attempt's code approved the verification.
      public let isAnswered: Bool

      public enum Channel: String, Decodable, Sendable {
        case sms
        case call
        case whatsapp
        case email
        case rcs
        case viber
        case telegram
        case zalo
        case silent
        case push
      }
    }

    /// One of them.
    public struct Step: Decodable, Equatable, Sendable {
      /// The channel.
      public let channel: Channel
      /// The state.
      public let state: State
      /// When the step started.
      public let begunAt: String?
      /// When the step times out.
      public let endsAt: String?
      /// Why the step failed.
      public let failure: Failure?

      public enum Channel: String, Decodable, Sendable {
        case sms
        case call
        case whatsapp
        case email
        case rcs
        case viber
        case telegram
        case zalo
        case silent
        case push
      }

      public enum State: String, Decodable, Sendable {
        case waiting
        case offered
        case ongoing
        case failed
        case verified
        case skipped
        case rejected
        case canceled
      }

      public enum Failure: String, Decodable, Sendable {
        case timeOver
        case undelivered
        case unreachable
        case mismatched
        case denied
        case passedOver
      }
    }

    /// One of them.
    public struct SilentSession: Decodable, Equatable, Sendable {
      /// The token in its URLs.
      public let token: String
      /// The attempt of the verification, counted from 1.
      public let attempt: Int
      /// When it was created.
      public let createdAt: String
      /// When it expires.
      public let expiresAt: String
      /// When a handset opened its URL first.
      public let openedAt: String?
      /// The result that the provider got.
      public let verdict: Verdict?

      public enum Verdict: String, Decodable, Sendable {
        case matched
        case mismatched
        case notMobile
        case noCoverage
        case carrierError
        case denied
        case expired
        case used
        case unknown
      }
    }
  }
}
