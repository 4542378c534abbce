import Markup
import ProviderKit

/// Commands written for a POSIX shell, as a person can copy them into another one.
struct ShellCommand {
  /// Those of the shell, if it has a simple form of them; else those for a POSIX shell.
  private let text: String
  private let needsPOSIX: Bool

  init(_ text: String, for shell: Shell) {
    let own = shell == .sh ? text : ShellScript(text).flatMap { $0.text(for: shell) }
    self.text = own ?? text
    needsPOSIX = own == nil
  }

  var html: HTML {
    HTML {
      CopyableCode(text).html
      if needsPOSIX { p(.class("help")) { "For a POSIX shell: on Windows, WSL or Git Bash." } }
    }
  }
}
