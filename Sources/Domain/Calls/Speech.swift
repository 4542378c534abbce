import JSON

/// How a call reads its text. Source: `carrier.md` 1.3.
package struct Speech: Equatable, Sendable {
  /// Keys that the person can press after the text.
  package struct Menu: Equatable, Sendable {
    package struct Answer: Equatable, Sendable {
      package let key: String
      /// What is said before the call ends; may be empty.
      package let text: String

      package init(key: String, text: String) {
        self.key = key
        self.text = text
      }
    }

    /// Each ends the call.
    package var answers: [Answer]
    /// Reads the text again; nil: no key does.
    package var repeatKey: String?
    /// What is said before the text is read again; may be empty.
    package var repeatText = ""
    /// How often the text can be repeated; the next time, the caller hangs up.
    package var repeatLimit = 3

    package init(_ answers: [Answer]) { self.answers = answers }
  }

  /// In the provider's notation.
  package var language = "en"
  /// How many times the text is read.
  package var repeats = 1
  /// True if the person must press a key first, so that no voicemail hears the code.
  package var asksForKey = false
  package var question = "Please press any key to hear your code."
  /// The key to press; nil: any.
  package var key: String?
  /// How many wrong keys end the call; nil: any number is accepted.
  package var keyTries: Int?
  /// Nil: keys have no effect after the text was read.
  package var menu: Menu?
  /// What is said to, or dialled at, a switchboard before the text; nil if there is none.
  package var preamble: String?
  /// True if the call is not meant to be answered: the calling number is the code.
  package var onlyRings = false
  /// How long the phone rings if nobody answers; nil: as long as the network decides.
  package var ringTime: Duration?
  /// True if the provider says what it says during the call: see `Conversation`.
  package var isConversation = false

  package init() {}
}

extension Speech {
  /// What a person presses: the key that is asked for, then the first answer.
  var usualKeys: String {
    (asksForKey ? key ?? Keys.default : "") + (menu?.answers.first?.key ?? "")
  }
}

extension Speech.Menu {
  init(_ fields: Fields) throws {
    self.init(
      try fields.objects("answers").map { Answer(key: try $0.string("key"), text: try $0.string("text")) })
    repeatKey = try fields.optionalString("repeatKey")
    repeatText = try fields.string("repeatText")
    repeatLimit = try fields.int("repeatLimit")
  }

  func encode(to json: inout JSONWriter) {
    json.array("answers", answers) { json, answer in
      json.value { json in
        json.member("key", answer.key)
        json.member("text", answer.text)
      }
    }
    json.member("repeatKey", repeatKey)
    json.member("repeatText", repeatText)
    json.member("repeatLimit", repeatLimit)
  }
}
