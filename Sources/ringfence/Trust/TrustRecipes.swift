import ProviderKit

/// Shell commands that make a system or a language trust the authority, and those that undo it.
struct TrustRecipe {
  /// The argument of `ringfence ca --trust`.
  let name: String
  /// Comment lines: what it applies to, and what it needs.
  private var about: [String]
  private var trust: [String] = []
  private var undo: [String] = []

  private init(_ name: String, _ about: String) { (self.name, self.about) = (name, [about]) }

  /// A script that trusts the authority, with the undo commands as comments.
  var script: String {
    (about.map { "# \($0)" } + trust + undo.map { "# undo: \($0)" }).joined(separator: "\n")
  }

  /// Those of `Recipes.txt`.
  static func all(for files: TrustFiles) -> [TrustRecipe] {
    let values = [
      "authority": files.authority, "bundle": files.bundle,
      "javaOptions": files.javaOptions.joined(separator: " "),
      "phpSettings": "\(files.folder)/ringfence.ini", "phpFolders": ":\(files.folder)",
    ]
    return embedded {
      try TextTable(PackageResources.Recipes_txt, columns: 2...4).rows.reduce(into: []) { recipes, row in
        let text = values.reduce(row[row.count - 1]) { text, value in
          text.replacing("{\(value.key)}", with: value.value.shellQuoted)
        }
        guard row[0].isEmpty else { return recipes.append(TrustRecipe(row[0], text)) }
        try recipes[recipes.count - 1].add(row, text)
      }
    }
  }

  private mutating func add(_ row: TextTable.Row, _ text: String) throws(TextTable.Mistake) {
    switch row[1] {
    case "about": about.append(text)
    case "run": trust.append(text)
    case "undo": undo.append(text)
    case "set":
      trust.append("export \(row[2])=\(text)")
      undo.append("unset \(row[2])")
    default: throw row.mistake(expected: "about, run, undo or set; found \(row[1])")
    }
  }
}
