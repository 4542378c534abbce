import Markup
import ProviderKit

/// Commands written for a POSIX shell, as a person can copy them into another one.
struct ShellCommands {
  /// For the shell, if it has a simple form of each; else for a POSIX shell, because one command may need a
  /// variable of another.
  private let texts: [String]
  private let needsPOSIX: Bool

  init(_ texts: [String], for shell: Shell) {
    let own = shell == .sh ? texts : Self.translated(texts, for: shell)
    needsPOSIX = own.count < texts.count
    self.texts = needsPOSIX ? texts : own
  }

  private static func translated(_ texts: [String], for shell: Shell) -> [String] {
    var names: Set<String> = []
    return texts.compactMap { text in
      guard let script = ShellScript(text) else { return nil }
      names.formUnion(script.ownNames)
      return script.text(for: shell, after: names)
    }
  }

  /// In a task: each below its title.
  func html(titles: [String]) -> HTML {
    HTML {
      note
      for (title, text) in zip(titles, texts) {
        h3 { title }
        CopyableCode(text).html
      }
    }
  }

  var html: HTML {
    HTML {
      for text in texts { CopyableCode(text).html }
      note
    }
  }

  @HTMLBuilder private var note: HTML {
    if needsPOSIX { p(.class("help")) { "For a POSIX shell: on Windows, WSL or Git Bash." } }
  }
}
