import Console
import Markup

extension CompareReport {
  /// One file that opens from disk, with the look of the console. `name`: of the recording.
  package func document(of name: String) -> [UInt8] {
    StandaloneDocument(title: "Comparison of \(name)").bytes {
      h1 { "Comparison of \(name)" }
      p {
        span(.class(hasDifferences || !isComplete ? "pill bad" : "pill ok")) {
          hasDifferences ? "different" : isComplete ? "same" : "not complete"
        }
        " \(([headline] + skipped).joined(separator: ". "))."
      }
      for note in notes { p { note } }
      for (route, findings) in findings.grouped(by: { "\($0.provider) \($0.route)" }) {
        h2 { route }
        p(.class("soft operation")) { findings[0].path }
        Self.rows(of: findings)
      }
      if !dependences.isEmpty {
        h2 { "Depends on the number" }
        p { Self.dependenceRule }
        ul {
          for group in dependencesByRoute {
            li {
              "\(group.route): "
              code { group.places.joined(separator: ", ") }
            }
          }
        }
      }
    }
  }

  private static func rows(of findings: [Finding]) -> HTML {
    table(.class("compared")) {
      thead { tr { for name in columns { th(.init("scope", "col")) { name } } } }
      tbody {
        for finding in findings {
          let difference = finding.difference
          tr {
            cell(0) { code { difference.place } }
            cell(1) { difference.kind.rawValue }
            cell(2) { code { shown(difference.recorded) } }
            cell(3) {
              code { shown(difference.own) }
              if let why = difference.why { " \(why)" }
            }
            cell(4) { finding.numbers }
          }
        }
      }
    }
  }

  private static let columns = ["Where", "What", "Recorded", "Here", "Requests"]

  /// On narrow screens, the name of the column is in each cell.
  private static func cell(_ column: Int, @HTMLBuilder content: () -> HTML) -> HTML {
    td(.init("data-label", columns[column]), content: content)
  }

  private static func shown(_ text: String?) -> String {
    guard let text else { return "–" }
    return text.count <= valueLimit ? text : text.prefix(valueLimit - 1) + "…"
  }

  /// In characters.
  private static let valueLimit = 300
}
