/// One line of the transcript of a call.
package struct TranscriptLine: Equatable, Sendable {
  package enum Speaker: String, CaseIterable, Sendable {
    /// Tones and announcements.
    case network
    /// The provider's voice.
    case caller
    case person
    /// A voicemail system.
    case machine
  }

  /// Counted from the call's start.
  package let after: Duration
  package let speaker: Speaker
  package let text: String

  package init(after: Duration, speaker: Speaker, text: String) {
    self.after = after
    self.speaker = speaker
    self.text = text
  }
}

extension Call {
  /// What was heard so far, in order. The inbox shows it instead of sound.
  package func transcript(by elapsed: Duration) -> [TranscriptLine] {
    let lines =
      conversation.map { transcript(of: $0) } ?? (opening + preamble + question + reading + menu + ending)
    return lines.filter { $0.after <= elapsed }
  }

  var opening: [TranscriptLine] {
    let ringing = TranscriptLine(after: .zero, speaker: .network, text: "(ringing)")
    let outcome: TranscriptLine.Speaker =
      switch result {
      case .answered, .hungUp, .declined: .person
      case .voicemail: .machine
      case .busy, .noAnswer, .unreachable: .network
      }
    let line =
      switch result {
      case .answered, .hungUp: "(answers)"
      case .declined: "(declines)"
      case .voicemail: "Nobody is here. Please speak after the tone."
      case .busy: "(busy tone)"
      case .noAnswer: "(nobody answers)"
      case .unreachable: "(the handset cannot be reached)"
      }
    return [ringing, TranscriptLine(after: settledAfter, speaker: outcome, text: line)]
  }

  private var preamble: [TranscriptLine] {
    guard let preamble = speech.preamble, result.isTaken else { return [] }
    return [TranscriptLine(after: settledAfter, speaker: .caller, text: preamble)]
  }

  private var question: [TranscriptLine] {
    guard speech.asksForKey, result.isTaken else { return [] }
    let asked = TranscriptLine(after: settledAfter, speaker: .caller, text: speech.question)
    guard let pressedAfter else { return [asked] }
    let pressed = speech.menu == nil ? keys : dialogue.questionKeys
    return [asked, TranscriptLine(after: pressedAfter, speaker: .person, text: "(presses \(pressed))")]
  }

  private var reading: [TranscriptLine] {
    guard isHeard, !speech.onlyRings else { return [] }
    let start = pressedAfter ?? settledAfter
    return (0..<speech.repeats).map { _ in TranscriptLine(after: start, speaker: .caller, text: text) }
  }

  private var menu: [TranscriptLine] {
    guard let answeredAfter, speech.menu != nil else { return [] }
    return dialogue.menuKeys.map(String.init).flatMap { key in
      [TranscriptLine(after: answeredAfter, speaker: .person, text: "(presses \(key))")]
        + dialogue.reply(to: key, text: text).map {
          TranscriptLine(after: answeredAfter, speaker: .caller, text: $0)
        }
    }
  }

  private var ending: [TranscriptLine] {
    guard result.isTaken, !isHeard || dialogue.isOver else { return [] }
    return [
      TranscriptLine(
        after: endsAfter, speaker: result == .hungUp ? .person : .network,
        text: result == .hungUp ? "(hangs up)" : "(the call ends)")
    ]
  }
}
