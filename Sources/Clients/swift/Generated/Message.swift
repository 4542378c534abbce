// Written by Tests/Tools/swift_types.py: run make docs.

extension Ringfence {
  /// A message to a handset, or from one.
  public struct Message: Decodable, Equatable, Sendable {
    /// The id.
    public let id: String
    /// The channel.
    public let channel: Channel
    /// The phone number or email address.
    public let to: String
    /// The sender: a number, a short code or a name.
    public let from: String
    /// The provider; empty for a text to no provider.
    public let provider: String
    /// The provider's id of the verification.
    public let verificationId: String
    /// The text, as the handset shows it or as the call reads it.
    public let text: String
    /// The code in the text.
    public let code: String?
    /// `verification`: the provider made the code. Else the app did, and this is where it was found: the
    /// `variables` of a template, the `text` of a message, or the `speech` of a call.
    public let codeFrom: String?
    /// What could be the code, in the order of the text.
    public let codeCandidates: [String]
    /// The text's encoding.
    public let encoding: Encoding
    /// The number of charged parts.
    public let segments: Int
    /// When the provider submitted the message.
    public let submittedAt: String
    /// When the handset showed it; null if it does not.
    public let arrivedAt: String?
    /// Who has the message: whoever had the phone number when it arrived.
    public let holder: Holder?
    /// The state of the latest receipt.
    public let state: State
    /// The carrier's receipts so far.
    public let receipts: [Receipt]
    /// Why a text from a handset has no effect.
    public let why: String?
    /// The call, for the channel call.
    public let call: Call?
    /// The push, for the channel push.
    public let push: MessagePush?

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

    public enum Encoding: String, Decodable, Sendable {
      case gsm7
      case ucs2
    }

    public enum State: String, Decodable, Sendable {
      case acceptd = "ACCEPTD"
      case enroute = "ENROUTE"
      case delivrd = "DELIVRD"
      case expired = "EXPIRED"
      case undeliv = "UNDELIV"
      case rejectd = "REJECTD"
      case read = "READ"
      case refused = "REFUSED"
    }

    /// One of them.
    public struct Receipt: Decodable, Equatable, Sendable {
      /// The state.
      public let state: State
      /// Milliseconds since the submission.
      public let atMs: Int
      /// The carrier's error number.
      public let err: Int?

      public enum State: String, Decodable, Sendable {
        case acceptd = "ACCEPTD"
        case enroute = "ENROUTE"
        case delivrd = "DELIVRD"
        case expired = "EXPIRED"
        case undeliv = "UNDELIV"
        case rejectd = "REJECTD"
        case read = "READ"
        case refused = "REFUSED"
      }
    }
  }
}
