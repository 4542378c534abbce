import Markup

/// A reason in plain words. Two signed strings that should be equal are compared line by line. If the one of
/// the client is unknown, the lines to sign are listed.
struct Explanation {
  private let sentences: [String]
  private let compared: [(expected: String, received: String)]
  private let toSign: [String]
  private let signature: String?
  private let layout: Layout

  init(_ why: String, _ layout: Layout) {
    self.layout = layout
    let lines = why.split(separator: "\n").map(String.init)
    func text(after label: String) -> String? {
      lines.first { $0.hasPrefix(label) }.map { String($0.dropFirst(label.count)) }
    }
    if let expected = text(after: "expected: "), let received = text(after: "received: ") {
      compared = Self.pairs(expected, received)
      toSign = []
    } else {
      compared = []
      toSign = text(after: "to sign: ").map(Self.lines) ?? []
    }
    signature = text(after: "received signature: ")
    sentences = Array(lines.prefix { !$0.hasPrefix("expected: ") && !$0.hasPrefix("to sign: ") })
  }

  /// The lines of a string whose line breaks are written as `\n`.
  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\\n", omittingEmptySubsequences: false).map(String.init)
  }

  private static func pairs(_ expected: String, _ received: String) -> [(String, String)] {
    let (ours, theirs) = (lines(expected), lines(received))
    return (0..<max(ours.count, theirs.count)).map { index in
      (index < ours.count ? ours[index] : "", index < theirs.count ? theirs[index] : "")
    }
  }

  var html: HTML {
    HTML {
      for sentence in sentences { p(.class("why")) { Reason(sentence, layout).html } }
      if !compared.isEmpty { comparison }
      if !toSign.isEmpty {
        p { "The string to sign, line by line:" }
        ol(.class("to-sign")) { for line in toSign { li { code { line.isEmpty ? "(empty)" : line } } } }
      }
      if let signature {
        p {
          "The signature that came: "
          code { signature }
        }
      }
    }
  }

  private var comparison: HTML {
    table(.class("compared")) {
      tableHead("Line", "To sign", "Signed")
      tbody {
        for (number, pair) in compared.enumerated() {
          let common = zip(pair.expected, pair.received).prefix { $0 == $1 }.count
          tr(.class(pair.expected == pair.received ? "same" : "differs")) {
            td { String(number + 1) }
            for text in [pair.expected, pair.received] {
              td {
                code {
                  if pair.expected == pair.received {
                    text
                  } else {
                    String(text.prefix(common))
                    mark { text.count > common ? String(text.dropFirst(common)) : "(ends here)" }
                  }
                }
              }
            }
          }
        }
      }
    }
  }
}
