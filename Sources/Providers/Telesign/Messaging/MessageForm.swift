import Domain
import ProviderKit

/// A text to be sent or read out, as messaging and voice have it in common. Source: contract 9.1 and 9.3.
struct MessageForm {
  /// Where it goes.
  let number: Number
  /// What it says.
  let text: String
  /// Whether it is said to hold a code.
  let isPassword: Bool
  /// What the request says of its user.
  let circumstances: Circumstances
  /// Where its callback goes.
  let callbackURL: String?

  /// Reads and checks what is there.
  init(_ submission: Submission, _ call: Call) throws {
    guard let digits = try submission.text("phone_number") else { throw Problem(12000, in: call.family) }
    number = try call.number(digits)
    guard let text = try submission.text("message") else { throw Problem(12009, in: call.family) }
    guard text.count <= 1600 else {
      throw Problem(11009, in: call.family).because("message: expected up to 1600 characters")
    }
    guard let type = try submission.text("message_type") else { throw Problem(12017, in: call.family) }
    guard messageTypes.contains(type) else {
      throw Problem(11017, in: call.family)
        .because("message_type: expected one of \(messageTypes.joined(separator: ", "))")
    }
    self.text = text
    isPassword = type == "OTP"
    circumstances = try Circumstances(submission, in: call.family)
    callbackURL = try call.callbackURL(in: submission)
  }

  /// The code in it: of a one-time password the only digits that can be one.
  var code: String? { isPassword ? passcode(in: text) : nil }
}

/// What a message may be for: a one-time password, a notification, marketing. Source: contract 9.1.
let messageTypes = ["OTP", "ARN", "MKT"]

/// The only run of 4 to 8 digits in a text, so that an inbox can show it as the code.
func passcode(in text: String) -> String? {
  let runs = text.split { !("0"..."9").contains($0) }.filter { (4...8).contains($0.count) }
  return runs.count == 1 ? String(runs[0]) : nil
}

extension Call {
  /// Where the callbacks of a request go: where it says, if the account may say so; else where the account has set.
  /// Source: contract 9.1, 9.2 and 13.1.
  func callbackURL(in submission: Submission) throws -> String? {
    guard let text = try submission.text("callback_url") else {
      return settings.callbackURL.isEmpty ? nil : settings.callbackURL
    }
    guard isCallbackURL(text) else {
      throw Problem(family == .omnichannel ? 3106 : 11004, in: family)
        .because("callback_url: expected a URL of http or https")
    }
    guard settings.allowsCallback else {
      throw Problem(family == .omnichannel ? 3203 : 10012, in: family)
        .because("callback_url: the account may not set it (setting verify.callback_allowed)")
    }
    return text
  }

  /// Sends a message of a transaction, and promises its callback.
  func dispatch(
    _ draft: MessageDraft, to number: Number, externalID: String?, callbackURL: String?
  ) throws -> Message {
    let message = try sandbox.messages.submit(draft, to: sandbox.subscribers[number.number])
    var callback = Callback(
      .messageDelivery, of: message.ordinal, as: draft.reference, for: customer)
    callback.externalID = externalID
    try promise(
      callback, at: Course(of: message, in: sandbox).end, to: callbackURL, in: sandbox)
    return message
  }
}
