/// The results of a workshop as CSV (RFC 4180): a row for each participant, two columns for each task.
struct ResultsTable {
  private let rows: [[String]]

  init(_ workshop: Workshop, _ participants: [Participant], at now: Timestamp) {
    let head =
      ["participant", "sandbox", "done", "last active"]
      + workshop.tasks.flatMap { [$0.title, "minutes: \($0.title)"] }
    rows =
      [head]
      + participants.map { participant in
        [
          participant.name, participant.sandboxName, String(participant.current),
          participant.activeAt?.iso8601 ?? "",
        ] + participant.results.flatMap { [Self.cell($0), $0.minutes(at: now).map(String.init) ?? ""] }
      }
  }

  private static func cell(_ result: TaskResult) -> String {
    switch result.state {
    case .untouched: ""
    case .started, .tried:
      result.refusal.map { "\(result.state.rawValue): \($0.why)" } ?? result.state.rawValue
    case .done: result.doneAt?.iso8601 ?? ""
    }
  }

  var csv: String { rows.map { $0.map(Self.escaped).joined(separator: ",") + "\r\n" }.joined() }

  /// A text that a spreadsheet would take for a formula gets an apostrophe.
  static func escaped(_ text: String) -> String {
    let isFormula = text.unicodeScalars.first.map { "=+-@\t\r".unicodeScalars.contains($0) } ?? false
    let text = isFormula ? "'\(text)" : text
    let needsQuotes = text.unicodeScalars.contains { ",\"\r\n".unicodeScalars.contains($0) }
    return needsQuotes ? "\"\(text.replacing("\"", with: "\"\""))\"" : text
  }
}
