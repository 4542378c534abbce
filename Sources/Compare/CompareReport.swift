package import ProviderKit

/// The result of a comparison, without secrets once it is finished.
package struct CompareReport: Sendable {
  /// A difference, with all requests that have it.
  struct Finding: Sendable {
    let provider: String
    /// The operation, and its method and path.
    let route: String
    fileprivate(set) var path: String
    fileprivate(set) var difference: Difference
    /// The numbers of the recorded requests, in order.
    fileprivate(set) var entries: [Int]
  }

  /// Members whose values depend on the phone number.
  struct Dependence: Sendable, Hashable {
    let provider: String
    let route: String
    fileprivate(set) var place: String
  }

  private(set) var findings: [Finding] = []
  private(set) var dependences: [Dependence] = []
  private(set) var comparedCount = 0
  private(set) var differingCount = 0
  /// The number of answers whose body was not recorded.
  private(set) var withoutBodyCount = 0
  private(set) var foreignCount: Int
  let unansweredCount: Int
  private(set) var notes: [String] = []

  package var hasDifferences: Bool { !findings.isEmpty }
  package var isComplete: Bool { withoutBodyCount == 0 }
  package var isEmpty: Bool { comparedCount == 0 }

  init(_ recording: Recording) {
    foreignCount = recording.foreignCount
    unansweredCount = recording.unansweredCount
  }

  /// A request to a provider's host whose path is not the provider's.
  mutating func addForeign() { foreignCount += 1 }

  mutating func add(
    _ result: Replay.Result, of entry: Recording.Entry, _ operation: ReplayServer.Operation
  ) {
    comparedCount += 1
    if !result.differences.isEmpty { differingCount += 1 }
    if result.lacksBody { withoutBodyCount += 1 }
    let provider = operation.provider.name
    let route = operation.route?.name ?? "unknown path"
    let path = "\(operation.method.rawValue) \(operation.path)"
    for difference in result.differences {
      let known = findings.firstIndex {
        ($0.provider, $0.route, $0.difference.kind) == (provider, route, difference.kind)
          && $0.difference.generalPlace == difference.generalPlace
      }
      if let known {
        if findings[known].entries.last != entry.number { findings[known].entries.append(entry.number) }
      } else {
        findings.append(
          Finding(
            provider: provider, route: route, path: path, difference: difference, entries: [entry.number]))
      }
    }
    for place in result.dependent {
      let dependence = Dependence(provider: provider, route: route, place: place)
      if !dependences.contains(dependence) { dependences.append(dependence) }
    }
  }

  mutating func finish(_ redaction: Redaction, ownCredentials: Set<String>, problems: [String]) {
    for index in findings.indices {
      findings[index].difference = redaction.hidingSecrets(in: findings[index].difference)
      findings[index].path = redaction.text(findings[index].path)
    }
    for index in dependences.indices { dependences[index].place = redaction.text(dependences[index].place) }
    for provider in ownCredentials.sorted() {
      notes.append(
        "The recording has no valid credentials for \(provider); those of the sandbox were used instead.")
    }
    if let problem = problems.first {
      notes.append("Ringfence made a mistake, please report it: \(redaction.text(problem))")
    }
    if findings.contains(where: { $0.difference.kind == .status && $0.difference.own == "401" }) {
      notes.append("An answer 401 here can mean that credentials were removed from the recording.")
    }
  }

  /// `2 differences in 1 of 12 requests`
  var headline: String {
    guard !isEmpty else { return "No request to a provider was found" }
    guard hasDifferences else {
      let extent = isComplete ? "" : "what was recorded of "
      return "No differences in \(extent)\(Self.count(comparedCount, "request"))"
    }
    return
      "\(Self.count(findings.count, "difference")) in \(differingCount) of \(Self.count(comparedCount, "request"))"
  }

  /// What was not compared.
  var skipped: [String] {
    var lines: [String] = []
    if !isComplete { lines.append("\(Self.count(withoutBodyCount, "answer")) had no body: not compared") }
    if foreignCount > 0 {
      lines.append("\(Self.count(foreignCount, "request")) to hosts or paths of no provider skipped")
    }
    if unansweredCount > 0 {
      lines.append("\(Self.count(unansweredCount, "request")) without a recorded answer skipped")
    }
    return lines
  }

  /// The members that depend on the number, by operation.
  var dependencesByRoute: [(route: String, places: [String])] {
    dependences.grouped { "\($0.provider) \($0.route)" }.map { ($0.key, $0.elements.map(\.place)) }
  }

  static let dependenceRule =
    "Not compared, because the values depend on the phone number, and only its real network knows them:"

  private static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}

extension Sequence {
  /// The elements by a key, in the order in which the keys come first.
  func grouped(by key: (Element) -> String) -> [(key: String, elements: [Element])] {
    var groups: [(key: String, elements: [Element])] = []
    for element in self {
      let key = key(element)
      if let index = groups.firstIndex(where: { $0.key == key }) {
        groups[index].elements.append(element)
      } else {
        groups.append((key, [element]))
      }
    }
    return groups
  }
}

extension CompareReport.Finding {
  /// `3, 7, 9 and 12 more`
  var numbers: String {
    let shown = entries.prefix(3).map(String.init).joined(separator: ", ")
    return shown + (entries.count > 3 ? " and \(entries.count - 3) more" : "")
  }

  /// `request 3`, `requests 3, 7`
  var requests: String { "request\(entries.count == 1 ? "" : "s") \(numbers)" }
}

// MARK: Text and JSON

extension CompareReport {
  private static let width = 80

  /// Lines of at most 80 columns.
  package var text: String {
    var lines: [String] = []
    var heading = ""
    for finding in findings {
      let next = "\(finding.provider) \(finding.route)  \(finding.path)"
      if next != heading {
        lines += (heading.isEmpty ? [] : [""]) + [Self.cut(next)]
        heading = next
      }
      let difference = finding.difference
      lines += Self.wrapped(
        "  \(difference.place): \(difference.kind.rawValue) (\(finding.requests))", indent: "    ")
      if let recorded = difference.recorded { lines.append(Self.cut("    recorded  \(Self.line(recorded))")) }
      if let own = difference.own { lines.append(Self.cut("    here      \(Self.line(own))")) }
      if let why = difference.why {
        lines += Self.wrapped("    because \(Self.line(why))", indent: "      ")
      }
    }
    if !findings.isEmpty { lines.append("") }
    if !dependences.isEmpty {
      lines += Self.wrapped(Self.dependenceRule, indent: "")
      for group in dependencesByRoute {
        lines += Self.wrapped("  \(group.route): \(group.places.joined(separator: ", "))", indent: "    ")
      }
      lines.append("")
    }
    for note in notes { lines += Self.wrapped(note, indent: "") }
    for line in [headline] + skipped { lines += Self.wrapped("\(line).", indent: "") }
    return lines.joined(separator: "\n")
  }

  private static func line(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  private static func cut(_ text: String) -> String {
    text.count <= width ? text : text.prefix(width - 1) + "…"
  }

  private static func wrapped(_ text: String, indent: String) -> [String] {
    let first = String(text.prefix { $0 == " " })
    var lines = [first]
    for word in text.split(separator: " ") {
      let last = lines[lines.count - 1]
      let isStart = last.allSatisfy { $0 == " " }
      if isStart || last.count + word.count < width {
        lines[lines.count - 1] = last + (isStart ? "" : " ") + word
      } else {
        lines.append(indent + word)
      }
    }
    return lines.map(cut)
  }

  package var json: JSON {
    .object([
      .init("compared", comparedCount), .init("differing", differingCount),
      .init("withoutBody", withoutBodyCount), .init("skipped", foreignCount),
      .init("unanswered", unansweredCount),
      .init(
        name: "differences",
        value: .array(
          findings.map { finding in
            .object([
              .init("provider", finding.provider), .init("route", finding.route),
              .init("request", finding.path), .init("place", finding.difference.place),
              .init("kind", finding.difference.kind.rawValue),
              .init("recorded", finding.difference.recorded), .init("here", finding.difference.own),
              .init("why", finding.difference.why),
              .init(name: "requests", value: .array(finding.entries.map { .integer(Int64($0)) })),
            ])
          })),
      .init(
        name: "dependsOnNumber",
        value: .array(
          dependences.map {
            .object([.init("provider", $0.provider), .init("route", $0.route), .init("place", $0.place)])
          })),
      .init(name: "notes", value: .array(notes.map { .string($0) })),
    ])
  }
}
