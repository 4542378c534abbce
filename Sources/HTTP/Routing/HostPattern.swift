import JSON

/// Host names that differ in some labels: `{product}.{region}.provider.example`.
package struct HostPattern: Sendable, CustomStringConvertible {
  /// The text between two dots.
  private enum Label: Sendable {
    case literal(String)
    case oneOf([String])
    /// Any label. The known ones are for files without wildcards.
    case any(known: [String])

    func matches(_ label: Substring) -> Bool {
      switch self {
      case .literal(let text): label == text
      case .oneOf(let choices): choices.contains { label == $0 }
      case .any: HostPattern.isLabel(label)
      }
    }

    var knownLabels: [String] {
      switch self {
      case .literal(let text): [text]
      case .oneOf(let labels), .any(let labels): labels
      }
    }

    var expression: String {
      switch self {
      case .literal(let text): text
      case .oneOf(let labels): "(?:\(labels.joined(separator: "|")))"
      case .any: "[a-z0-9-]+"
      }
    }
  }

  /// The pattern as written.
  package let description: String
  private let labels: [Label]

  /// A place in braces takes one of its `choices`; a place without choices takes any label. `known` has the
  /// labels that clients use in such places.
  package init(_ text: String, choices: [String: [String]], known: [String: [String]]) {
    description = text
    labels = text.split(separator: ".").map { part in
      guard part.first == "{", part.last == "}" else { return .literal(String(part)) }
      let name = String(part.dropFirst().dropLast())
      return choices[name].map { .oneOf($0) } ?? .any(known: known[name] ?? [])
    }
  }

  /// `host` is in lower case, without a port.
  package func matches(_ host: String) -> Bool {
    let parts = host.split(separator: ".", maxSplits: labels.count, omittingEmptySubsequences: false)
    return parts.count == labels.count && zip(labels, parts).allSatisfy { $0.matches($1) }
  }

  /// The names that clients use.
  package var knownNames: [String] {
    labels.reduce([""]) { names, label in
      names.flatMap { name in label.knownLabels.map { name.isEmpty ? $0 : "\(name).\($0)" } }
    }
  }

  /// A regular expression of the names.
  fileprivate var expression: String { labels.map(\.expression).joined(separator: "\\.") }

  /// The narrowest domain that has all its names: the literal labels at the end.
  package var domain: String {
    let literals = labels.reversed().prefix {
      if case .literal = $0 { true } else { false }
    }
    return literals.reversed().flatMap(\.knownLabels).joined(separator: ".")
  }

  /// Letters, digits and hyphens, at most 63 (RFC 1035, 2.3.4).
  private static func isLabel(_ text: Substring) -> Bool {
    (1...63).contains(text.utf8.count) && text.utf8.first != UInt8(ascii: "-")
      && text.utf8.last != UInt8(ascii: "-")
      && text.utf8.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "-") }
  }
}

/// Names and patterns of hosts.
package struct HostNames: Sendable {
  package let names: [String]
  package let patterns: [HostPattern]
  private let index: Set<String>

  package init(_ names: [String] = [], patterns: [HostPattern] = []) {
    self.names = names
    self.patterns = patterns
    index = Set(names)
  }

  /// `host` is in lower case, without a port.
  package func contains(_ host: String) -> Bool {
    index.contains(host) || patterns.contains { $0.matches(host) }
  }

  /// A regular expression of all of them, such as `api\.acme\.example|[a-z0-9-]+\.acme\.example`.
  package var expression: String {
    (names.map { $0.replacing(".", with: "\\.") } + patterns.map(\.expression)).joined(separator: "|")
  }
}
