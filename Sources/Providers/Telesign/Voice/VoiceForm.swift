import Domain
import JSON
import ProviderKit

/// How a text is to be read out. Source: contract 9.3 and `data/telesign-2022-voice.swagger.yaml`.
struct VoiceForm {
  /// The number that it comes from.
  let callerID: String
  /// How it is said.
  let speech: Speech

  /// Reads and checks what is there.
  init(_ submission: Submission, _ call: Call) throws {
    func refuse(_ name: String, expected: String) -> Problem {
      .invalidRequest(in: call.family).because("\(name): expected \(expected)")
    }
    var speech = Speech()
    speech.language = try Self.language(submission, call)
    let (question, key) = (try submission.text("prompt_message"), try submission.text("prompt_digit"))
    guard (question == nil) == (key == nil) else {
      throw refuse("prompt_message", expected: "prompt_digit beside it, or neither")
    }
    if let question, let key {
      guard key.count == 1, Self.areDigits(key) else { throw refuse("prompt_digit", expected: "a digit") }
      speech.asksForKey = true
      speech.question = question
      speech.key = key
    }
    if let choices = try submission.text("select_digits") {
      guard Self.areDigits(choices), Set(choices).count == choices.count else {
        throw refuse("select_digits", expected: "digits, each once")
      }
      for digit in choices { _ = try submission.text("tts_message_\(digit)") }
    }
    if let again = try submission.text("repeat_digit") {
      guard again.count == 1, Self.areDigits(again) else {
        throw refuse("repeat_digit", expected: "a digit")
      }
      _ = try submission.text("tts_repeat")
    }
    self.speech = speech
    callerID = try Self.callerID(submission, call)
  }

  /// `f-en-US` is the voice of a woman who speaks American English.
  private static func language(_ submission: Submission, _ call: Call) throws -> String {
    guard let voice = try submission.text("voice") else { return "en-US" }
    let language = String(voice.dropFirst(2))
    guard voice.hasPrefix("f-") || voice.hasPrefix("m-"), languages.contains(language) else {
      throw Problem(11018, in: call.family).because("voice: expected a tag such as f-en-US")
    }
    return language
  }

  private static func callerID(_ submission: Submission, _ call: Call) throws -> String {
    guard let text = try submission.text("caller_id") else { return defaultCallerID }
    guard let number = Number(text, call.settings) else {
      throw Problem.invalidRequest(in: call.family).because("caller_id: expected a phone number")
    }
    return number.digits
  }

  private static func areDigits(_ text: String) -> Bool {
    text.utf8.count <= 10 && text.utf8.allSatisfy { $0.isDigit }
  }

  /// Source: `data/telesign-2022-voice.swagger.yaml`, the table of voices.
  private static let languages: Set<String> = [
    "zh-HK", "zh-CN", "zh-TW", "da-DK", "nl-NL", "en-AU", "en-GB", "en-US", "en-CA", "en-IN", "fi-FI",
    "fr-FR", "fr-CA", "de-DE", "it-IT", "ja-JP", "ko-KR", "nb-NO", "pl-PL", "pt-BR", "pt-PT", "ru-RU",
    "es-MX", "es-ES", "ca-ES", "sv-SE",
  ]
}
