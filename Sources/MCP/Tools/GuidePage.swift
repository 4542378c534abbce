import Domain
import Guides
import ProviderKit

/// A page of the documentation in sections, with what an agent can use in its sandbox.
struct GuidePage {
  private let beginning: String
  private let sections: [(name: String, text: String)]

  /// Of a longer page only the beginning is shown, in bytes.
  private static let longest = 6_000

  init(_ guide: Guide) {
    var parts: [(name: String, lines: [String])] = [("", [])]
    var isProgram = false
    for line in guide.lines {
      if line.hasPrefix("```") { isProgram.toggle() }
      if !isProgram, line.hasPrefix("## ") { parts.append((String(line.dropFirst(3)), [])) }
      parts[parts.count - 1].lines.append(line)
    }
    let texts = parts.map { ($0.name, $0.lines.joined(separator: "\n")) }
    beginning = texts[0].1
    sections = Array(texts.dropFirst())
  }

  /// Those of the page that fit, or one by its name in any case, or `all`.
  func text(of name: String?) throws(FieldError) -> String {
    let all = ([beginning] + sections.map(\.text)).joined(separator: "\n")
    let names = sections.map(\.name)
    guard let name else { return all.utf8.count > Self.longest ? shortened : all }
    if name.lowercased() == "all" { return all }
    if let section = sections.first(where: { $0.name.lowercased() == name.lowercased() }) {
      return section.text
    }
    let meant = names.nearest(to: name).map { "; did you mean \"\($0)\"?" } ?? ""
    throw FieldError(
      path: "$.section", expected: "all, or one of \(names.joined(separator: ", "))",
      found: "\"\(name)\"\(meant)")
  }

  private var shortened: String {
    var text = beginning
    var rest = sections[...]
    while let next = rest.first, text.utf8.count + next.text.utf8.count <= Self.longest {
      text += "\n\(next.text)"
      rest = rest.dropFirst()
    }
    return "\(text)\n\nThe page goes on; give section: \(rest.map(\.name).joined(separator: ", "))."
  }

  /// The values of the default sandbox in the pages of providers, by the variables that have them.
  private static let defaults = Guide.providers.map { ($0.name.lowercased(), $0.values) }

  /// The text with the address and the credentials of a sandbox in place of those of the default one.
  static func filled(
    _ text: String, _ providers: [any Provider.Type], in sandbox: Sandbox, _ calls: ControlCalls
  ) throws -> String {
    var values = [(old: "http://127.0.0.1:5550", new: sandbox.baseURL(requestOrigin: calls.request.origin))]
    for (page, defaults) in Self.defaults {
      guard let provider = providers.first(where: { $0.name == page }) else { continue }
      let own = try provider.credentials(of: sandbox)
      for (name, old) in defaults where text.contains(old) {
        guard
          case .credential(let credential)? = provider.variables.first(where: { $0.name == name })?.content,
          let value = own.first(where: { $0.name == credential })?.value
        else { continue }
        values.append((old, value))
      }
    }
    // One value can begin with another.
    return values.filter { $0.old != $0.new }.sorted { $0.old.utf8.count > $1.old.utf8.count }
      .reduce(text) { $0.replacing($1.old, with: $1.new) }
  }
}
