/// A page of `Docs` that the program shows: `Assets/Pages` has links to them.
package struct Guide: Sendable {
  /// `Agents`, `Carrier`, or a provider's, as the provider writes it.
  let name: String
  private let bytes: [UInt8]

  static let providers = inFolder("Providers")
  private static let others = inFolder("Pages")

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The page with this name in lower case.
  package static func named(_ name: String) -> Guide? {
    (others + providers).first { $0.name.lowercased() == name }
  }

  private static func inFolder(_ folder: String) -> [Guide] {
    PackageResources.files(in: folder).map { Guide(name: $0.name, bytes: $0.text) }
  }
}

extension Guide {
  /// A program in the page.
  struct Program {
    /// The word after the fence, such as `sh`.
    let language: String
    /// The words after the language, which say how tests run it, such as `serve`.
    let ways: [String]
    let text: String
  }

  var programs: [Program] {
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
  var values: [(name: String, value: String)] {
    lines.filter { $0.hasPrefix("| ") }.compactMap { line in
      line.wholeMatch(of: /.*\(`([A-Z0-9_]+)`\).* \| `([^`]+)` \|/).map { (String($0.1), String($0.2)) }
    }
  }

  private var lines: [String] {
    bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }
}
