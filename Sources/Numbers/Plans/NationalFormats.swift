import Basics
import JSON

/// How phone numbers are written in their own countries. Read from generated files on first use.
struct NationalFormats: Sendable {
  static let world = NationalFormats()

  private let automaton = DigitAutomaton(PackageResources.FormatStates_txt)
  private let templates = TextTable.lines(of: PackageResources.FormatTemplates_txt).map { Array($0.text) }

  /// Writes the digits after a calling code; unchanged if the country has no format for them.
  func format(_ digits: Substring.UTF8View, from state: Int) -> String {
    let label = automaton.label(after: digits, from: state)
    guard let template = templates[safe: label - 1] else { return String(decoding: digits, as: UTF8.self) }
    let digits = Array(digits)
    return String(decoding: template.map { digits[safe: Int($0) - 0x61] ?? $0 }, as: UTF8.self)
  }
}
