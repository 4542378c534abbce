import Domain
import JSON
import ProviderKit

/// A message over one channel after another, read from a request. Source: contract 9.2.
struct OmnichannelForm {
  /// One channel with its words.
  struct Step {
    /// How the message travels.
    let channel: Channel
    /// What it says there.
    let text: String
    /// How long it is waited for before the next one is tried.
    let timeout: Duration
  }

  /// Where it goes.
  let number: Number
  /// The channels in order.
  let steps: [Step]
  /// Whether it is said to hold a code.
  let isPassword: Bool
  /// What the request says of its user.
  let circumstances: Circumstances
  /// Where its callback goes.
  let callbackURL: String?

  /// Reads and checks what is there.
  init(_ call: Call) throws {
    let submission = try Submission(call.request)
    let recipient = try submission.object("recipient")
    let digits = try recipient?.optionalString("phone_number") ?? submission.text("phone_number")
    guard let digits, !digits.isEmpty else { throw Problem(3302, in: call.family) }
    number = try call.number(digits)
    guard let message = try submission.object("message") else { throw Problem(3303, in: call.family) }
    guard let type = try submission.text("message_type") else { throw Problem(3304, in: call.family) }
    guard messageTypes.contains(type) else {
      throw Problem(3102, in: call.family)
        .because("message_type: expected one of \(messageTypes.joined(separator: ", "))")
    }
    isPassword = type == "OTP"
    circumstances = try Circumstances(submission, in: call.family)
    callbackURL = try call.callbackURL(in: submission)
    steps = try Self.channels(submission, call).map { try Self.step($0, message, call) }
  }

  private static func channels(_ submission: Submission, _ call: Call) throws -> [Fields] {
    guard case .json(let fields) = submission, let channels = try fields.optionalObjects("channels"),
      !channels.isEmpty
    else { throw Problem(3300, in: call.family) }
    guard channels.count <= OmnichannelChannel.allCases.count else {
      throw Problem.invalidRequest(in: call.family)
        .because("channels: expected up to \(OmnichannelChannel.allCases.count)")
    }
    return channels
  }

  private static func step(_ fields: Fields, _ message: Fields, _ call: Call) throws -> Step {
    guard let word = try fields.optionalString("channel") else { throw Problem(3301, in: call.family) }
    guard let channel = OmnichannelChannel(rawValue: word) else {
      throw Problem(3100, in: call.family)
        .because("channel: expected one of \(OmnichannelChannel.allCases.map(\.rawValue))")
    }
    let seconds = try fields.optionalInt("fallback_time") ?? 300
    guard (1...86_400).contains(seconds) else {
      throw Problem.invalidRequest(in: call.family)
        .because("fallback_time: expected 1 to 86400 seconds")
    }
    let wording = try channel.names.lazy.compactMap { try message.optionalObject($0) }.first
    guard let wording else { throw Problem(3306, in: call.family) }
    return Step(
      channel: channel.channel, text: try MessageTemplate.words(wording, over: channel, call),
      timeout: .seconds(seconds))
  }
}
