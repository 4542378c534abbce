/// A call's reaction to the keys that a person presses.
///
/// ```
/// question ──expected key──> text ──key of an answer──> answer ──> the call ends
///   └──other key──> question   └──repeat key──> text
/// ```
/// Too many wrong keys, repeats or keys end the call too.
struct KeyDialogue {
  /// True if the text is read.
  private(set) var isHeard: Bool
  /// True if the caller has hung up. Later keys have no effect.
  private(set) var isOver = false
  /// The keys up to the one that starts the reading.
  private(set) var questionKeys = ""
  /// The keys after it that are answers, or repeat the text.
  private(set) var menuKeys = ""

  private let speech: Speech
  private var keys = 0
  private var wrongKeys = 0
  private var repeats = 0

  init(_ speech: Speech, keys: String) {
    self.speech = speech
    isHeard = !speech.asksForKey
    for key in keys { press(String(key)) }
  }

  /// The caller's reply to a menu key.
  func reply(to key: String, text: String) -> [String] {
    guard let menu = speech.menu else { return [] }
    if key == menu.repeatKey { return [menu.repeatText, text].filter { !$0.isEmpty } }
    return menu.answers.filter { $0.key == key && !$0.text.isEmpty }.map(\.text)
  }

  mutating func press(_ key: String) {
    guard !isOver else { return }
    if isHeard { choose(key) } else { answer(key) }
    keys += 1
    if keys == Keys.perCall { isOver = true }
  }

  private mutating func answer(_ key: String) {
    questionKeys += key
    if speech.key.map({ $0 == key }) ?? true {
      isHeard = true
    } else {
      wrongKeys += 1
      isOver = wrongKeys == speech.keyTries
    }
  }

  private mutating func choose(_ key: String) {
    guard let menu = speech.menu else { return }
    if key == menu.repeatKey {
      guard repeats < menu.repeatLimit else { return isOver = true }
      repeats += 1
    } else if menu.answers.contains(where: { $0.key == key }) {
      isOver = true
    } else {
      return
    }
    menuKeys += key
  }
}
