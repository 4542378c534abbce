import ArgumentParser
import JSON

/// A misspelt subcommand, with the one that was probably meant. ArgumentParser has hints for options only.
struct UnknownCommand: CustomStringConvertible {
  private let parent: String
  private let word: String
  private let nearest: String

  /// What other programs call some commands.
  private static let elsewhere = [
    "logs": "journal", "log": "journal", "requests": "journal", "messages": "inbox", "texts": "inbox",
    "start": "serve", "up": "serve", "ps": "status",
  ]

  /// Nil if every subcommand exists, or nothing similar does.
  init?(_ words: some Sequence<String>, of root: any ParsableCommand.Type) {
    var (command, path) = (root, [root._commandName])
    // `ringfence help COMMAND` names a command, too.
    for (index, word) in words.enumerated() where index > 0 || word != "help" {
      let subcommands = command.configuration.subcommands
      if let next = subcommands.first(where: { $0._commandName == word }) {
        (command, path) = (next, path + [word])
        continue
      }
      let names = subcommands.map { $0._commandName } + (path.count == 1 ? ["help"] : [])
      guard !names.contains(word), !word.hasPrefix("-"),
        let nearest = (path.count == 1 ? Self.elsewhere[word] : nil) ?? names.nearest(to: word)
      else {
        return nil
      }
      (parent, self.word, self.nearest) = (path.joined(separator: " "), word, nearest)
      return
    }
    return nil
  }

  var description: String {
    """
    Error: unknown command '\(word)'; did you mean '\(parent) \(nearest)'?
      See '\(parent) --help' for all commands.
    """
  }
}
