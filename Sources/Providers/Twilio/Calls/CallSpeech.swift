import ProviderKit

/// What a document says up to the next verb that does something else.
struct CallSpeech {
  private(set) var lines: [TranscriptLine] = []
  /// When it ends, counted from the start of the call.
  private(set) var end: Duration
  /// What the sandbox leaves out, for the journal.
  private(set) var omissions: [String] = []

  init(at elapsed: Duration) { end = elapsed }

  /// Says a verb; false for one that does something else.
  mutating func add(_ verb: XMLElement) -> Bool {
    switch verb.name {
    case "Say": say(SpokenText(of: verb).text, verb)
    case "Play": play(verb)
    case "Pause": pause(verb["length"].flatMap { Int($0) } ?? 1)
    case "Gather", "Redirect", "Hangup", "Reject": return false
    default:
      let why = Self.notEmulated.contains(verb.name) ? "not emulated" : "unknown verb"
      add("(\(verb.name): \(why))", by: .network)
      omissions.append("\(verb.name): \(why)")
    }
    return true
  }

  private static let notEmulated: Set<String> = ["Dial", "Record", "Enqueue", "Connect", "Start", "Refer"]

  mutating func say(_ text: String, _ verb: XMLElement? = nil) {
    guard !text.isEmpty else { return }
    let text = String(text.prefix(Self.maxText))
    let loop = verb?["loop"].flatMap { Int($0) } ?? 1
    for _ in 0..<min(max(loop, 1), Self.maxLoop) {
      add(text, by: .caller)
      end += .seconds(1)
    }
    if loop == 0 { add("(this is repeated without end)", by: .network) }
  }

  /// The name of a file may say a digit, so its URL is what is heard.
  private mutating func play(_ verb: XMLElement) {
    if let digits = verb["digits"], !digits.isEmpty {
      add("(plays the keys \(digits.prefix(64)))", by: .network)
    }
    say(verb.text.split(whereSeparator: \.isWhitespace).joined(separator: "%20"), verb)
  }

  private mutating func pause(_ length: Int) {
    let length = min(max(length, 0), Self.maxPause)
    add("(pause of \(length) s)", by: .network)
    end += .seconds(length)
  }

  private mutating func add(_ text: String, by speaker: TranscriptLine.Speaker) {
    lines.append(TranscriptLine(after: end, speaker: speaker, text: text))
  }

  /// Characters of one `Say`. Source: https://www.twilio.com/docs/voice/twiml/say
  private static let maxText = 4096
  private static let maxLoop = 20
  /// Seconds.
  private static let maxPause = 3600
}
