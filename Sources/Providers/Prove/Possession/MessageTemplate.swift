/// The text of a message, with a run of `#` for the code or the URL. Source: contract 4.1.
struct MessageTemplate: Equatable {
  /// How long a code is: the length of the run, 4 to 6.
  let codeLength: Int
  private let before: String
  private let after: String

  /// Nil without a run of four to six. The first one counts.
  init?(_ text: String) {
    var rest = text[...]
    while let start = rest.firstIndex(of: "#") {
      let end = rest[start...].firstIndex { $0 != "#" } ?? rest.endIndex
      let length = rest.distance(from: start, to: end)
      if (4...6).contains(length) {
        codeLength = length
        before = String(text[..<start])
        after = String(text[end...])
        return
      }
      rest = rest[end...]
    }
    return nil
  }

  private init(before: String, after: String) {
    codeLength = 4
    self.before = before
    self.after = after
  }

  func text(with content: String) -> String { before + content + after }

  /// The sandbox's own texts. Source: contract 4.1.
  static let defaultCode = MessageTemplate(before: "", after: " is your sandbox code. Do not share it.")
  static let defaultLink = MessageTemplate(
    before: "Open this link to continue. If this was not you, do not open it: ", after: "")
}
