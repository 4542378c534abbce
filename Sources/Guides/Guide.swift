import JSON

/// A page of `Docs` for users. `Docs` in this folder is a link to it; `Package.swift` leaves out the pages
/// for those who change the program.
package struct Guide: Sendable {
  /// Its file's: `Carrier`, or a provider's as the provider writes it.
  package let name: String
  /// Empty, `Providers` or `Recipes`.
  package let folder: String
  private let bytes: [UInt8]

  package static let all = inFolder("Docs", named: "") + providers + inFolder("Recipes")
  package static let providers = inFolder("Providers")

  private static func inFolder(_ folder: String, named name: String? = nil) -> [Guide] {
    PackageResources.files(in: folder).map { Guide(name: $0.name, folder: name ?? folder, bytes: $0.text) }
  }

  /// `Carrier`, `Providers/Twilio`
  package var path: String { folder.isEmpty ? name : "\(folder)/\(name)" }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  package var title: String { lines.first.map { String($0.drop { "# ".contains($0) }) } ?? name }

  /// The page with this path, or else this name, in any case: `carrier`, `Providers/Twilio.md`, `twilio`.
  package static func named(_ text: String) -> Guide? {
    let wanted = text.lowercased()
    let name = wanted.hasSuffix(".md") ? String(wanted.dropLast(3)) : wanted
    return all.first { $0.path.lowercased() == name } ?? all.first { $0.name.lowercased() == name }
  }

  /// `carier; did you mean Carrier?`, for a name that no page has.
  package static func unknown(_ text: String) -> String {
    let names = all.flatMap { [$0.path, $0.name] }.map { $0.lowercased() }
    return text + (names.nearest(to: text.lowercased()).map { "; did you mean \($0)?" } ?? "")
  }
}

extension Guide {
  /// A program in the page.
  package struct Program {
    /// The word after the fence, such as `sh`.
    package let language: String
    /// The words after the language, which say how tests run it, such as `serve`.
    package let ways: [String]
    package let text: String
  }

  package var programs: [Program] {
    var programs: [Program] = []
    var open: (words: [String], text: String)?
    for line in lines {
      if let program = open, line == "```" {
        programs.append(
          Program(
            language: program.words.first ?? "", ways: Array(program.words.dropFirst()), text: program.text))
        open = nil
      } else if open != nil {
        open?.text += "\(line)\n"
      } else if line.hasPrefix("```") {
        open = (line.dropFirst(3).split(separator: " ").map(String.init), "")
      }
    }
    return programs
  }

  /// The values of the default sandbox by the variables of `ringfence env`, from rows such as
  /// "| client id (`CAMARA_CLIENT_ID`) | `sandbox-app` |".
  package var values: [(name: String, value: String)] {
    lines.filter { $0.hasPrefix("| ") }.compactMap { line in
      line.wholeMatch(of: /.*\(`([A-Z0-9_]+)`\).* \| `([^`]+)` \|/).map { (String($0.1), String($0.2)) }
    }
  }

  package var lines: [String] {
    bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }
}
