// Written by Tests/Tools/swift_types.py: run make docs.

extension Ringfence {
  /// A call that reads a text out.
  public struct Call: Decodable, Equatable, Sendable {
    /// How the call ends.
    public let result: Result
    /// The language, by the provider's name for it.
    public let language: String
    /// How often the text is read out.
    public let repeats: Int
    /// Whether the call asked for a key, and whether one was pressed.
    public let key: Key
    /// The keys that were pressed.
    public let keys: String
    /// The transcript so far.
    public let transcript: [Transcript]

    public enum Result: String, Decodable, Sendable {
      case answered
      case hungUp
      case busy
      case noAnswer
      case declined
      case voicemail
      case unreachable
    }

    public enum Key: String, Decodable, Sendable {
      case notAsked
      case pressed
      case none
    }

    /// One of them.
    public struct Transcript: Decodable, Equatable, Sendable {
      /// Milliseconds since the call's start.
      public let atMs: Int
      /// The speaker.
      public let who: Who
      /// The words or the sound.
      public let text: String

      public enum Who: String, Decodable, Sendable {
        case network
        case caller
        case person
        case machine
      }
    }
  }
}
