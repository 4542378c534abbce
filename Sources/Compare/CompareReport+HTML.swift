import Console
import Markup

extension CompareReport {
  /// One file that opens from disk, with the look of the console. `name`: of the recording.
  package func document(of name: String) -> [UInt8] {
    StandaloneDocument(title: "Comparison of \(name)").bytes {
      h1 { "Comparison of \(name)" }
      p {
        span(.class(hasDifferences ? "pill bad" : "pill ok")) { hasDifferences ? "different" : "same" }
        " \(([headline] + skipped).joined(separator: ". "))."
      }
      for note in notes { p { note } }
      for (route, findings) in findingsByRoute {
        h2 { route }
        p(.class("soft")) { findings[0].path }
        div(.class("wide")) { Self.rows(of: findings) }
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

  private var findingsByRoute: [(String, [Finding])] {
    var groups: [(String, [Finding])] = []
    for finding in findings {
      let route = "\(finding.provider) \(finding.route)"
      if let index = groups.firstIndex(where: { $0.0 == route }) {
        groups[index].1.append(finding)
      } else {
        groups.append((route, [finding]))
      }
    }
    return groups
  }

  private static func rows(of findings: [Finding]) -> HTML {
    table(.class("compared")) {
      thead { tr { for name in ["Where", "What", "Recorded", "Here", "Requests"] { heading(name) } } }
      tbody {
        for finding in findings {
          tr {
            td { code { finding.difference.place } }
            td { finding.difference.kind.rawValue }
            td { code { shown(finding.difference.recorded) } }
            td {
              code { shown(finding.difference.own) }
              if let why = finding.difference.why { " \(why)" }
            }
            td { finding.requests }
          }
        }
      }
    }
  }

  private static func heading(_ name: String) -> HTML { th(.init("scope", "col")) { name } }

  private static func shown(_ text: String?) -> String {
    guard let text else { return "–" }
    return text.count <= valueLimit ? text : text.prefix(valueLimit - 1) + "…"
  }

  /// In characters.
  private static let valueLimit = 300
}
