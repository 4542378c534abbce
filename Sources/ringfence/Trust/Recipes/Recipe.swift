/// How a system or a language is brought to trust the authority, and how that is undone: lines for a shell.
struct Recipe {
  /// The word that chooses it.
  let name: String
  /// Whom it is for, and what has to be known.
  let about: [String]
  /// What has to be done.
  let trust: [String]
  /// What takes it back.
  let undo: [String]

  /// A recipe; a remark is parted into lines.
  init(_ name: String, _ about: String, trust: [String], undo: [String]) {
    self.name = name
    self.about = about.split(separator: "\n").map(String.init)
    self.trust = trust
    self.undo = undo
  }

  /// A script that trusts, and says in remarks how to undo it.
  var script: String {
    let lines = about.map { "# \($0)" } + trust + undo.map { Self.undoMark + $0 }
    return lines.joined(separator: "\n")
  }

  /// What stands before a line that undoes.
  private static let undoMark = "# undo: "

  /// All of them, with the paths of these files.
  static func all(for files: TrustFiles) -> [Recipe] {
    systems(files) + browsers(files) + devices(files) + languages(files)
  }
}
