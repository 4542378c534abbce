import ArgumentParser
import ProviderKit

/// The output formats of `ringfence env`.
enum EnvironmentFormat: String, CaseIterable, ExpressibleByArgument {
  /// `NAME=value` lines, for `.env` files.
  case dotenv
  /// For a POSIX shell: `eval "$(ringfence env --format sh)"`.
  case sh
  /// For fish: `ringfence env --format fish | source`.
  case fish
  /// A batch file for the command prompt of Windows: `ringfence env --format cmd > env.cmd`, then `env.cmd`.
  case cmd
  /// For PowerShell: `ringfence env --format powershell | Out-String | Invoke-Expression`.
  case powershell
  /// One JSON object.
  case json
  /// A block of a service in `docker-compose.yml`.
  case compose
  /// For the file named by `$GITHUB_ENV`.
  case github

  /// The variables as complete lines.
  func text(of entries: [AppEnvironment.Entry]) -> String {
    switch self {
    case .dotenv: Self.lines(entries) { "\($0)=\(Self.dotenv($1))" }
    case .sh: Self.lines(entries, for: .sh)
    case .fish: Self.lines(entries, for: .fish)
    case .cmd: Self.lines(entries.map(\.inBatchFile), for: .cmd)
    case .powershell: Self.lines(entries, for: .powershell)
    case .json: Self.json(entries)
    case .compose: "environment:\n" + Self.lines(entries) { "  \($0): \(Self.compose($1))" }
    case .github: Self.lines(entries) { Self.github($0, $1) }
    }
  }

  private static func lines(
    _ entries: [AppEnvironment.Entry], line: (_ name: String, _ value: String) -> String
  ) -> String {
    entries.map { "\(line($0.name, $0.value))\n" }.joined()
  }

  private static func lines(_ entries: [AppEnvironment.Entry], for shell: Shell) -> String {
    entries.map { entry in
      let line = shell.line(setting: entry.name, to: entry.value)
      return "\(line ?? "rem \(entry.name) has several lines, which a variable here cannot have")\n"
    }.joined()
  }

  /// Unquoted if all characters are harmless; else in single quotes if possible, since readers differ on
  /// the escapes in double quotes.
  private static func dotenv(_ value: String) -> String {
    if value.utf8.allSatisfy(isPlain) { return value }
    if !value.contains("'"), !value.contains(#"\"#) { return "'\(value)'" }
    let escapes = [(#"\"#, #"\\"#), ("\"", #"\""#), ("\n", #"\n"#)]
    return "\"\(escapes.reduce(value) { $0.replacing($1.0, with: $1.1) })\""
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte.isAlphanumeric || "_-.,:;/@%+=".utf8.contains(byte)
  }

  private static func json(_ entries: [AppEnvironment.Entry]) -> String {
    let object = JSON.object(entries.map { .init(name: $0.name, value: .string($0.value)) })
    return String(decoding: object.encoded(), as: UTF8.self) + "\n"
  }

  /// A JSON string is valid YAML. Compose substitutes variables after a single dollar.
  private static func compose(_ value: String) -> String {
    String(decoding: JSON.string(value.replacing("$", with: "$$")).encoded(), as: UTF8.self)
  }

  /// A value of several lines is enclosed in a delimiter that it does not contain.
  private static func github(_ name: String, _ value: String) -> String {
    guard value.contains("\n") else { return "\(name)=\(value)" }
    var delimiter = "END"
    while value.split(separator: "\n").contains(Substring(delimiter)) { delimiter += "_" }
    return "\(name)<<\(delimiter)\n\(value)\n\(delimiter)"
  }
}

extension AppEnvironment.Entry {
  /// In a batch file, one percent sign begins a variable and two are one.
  fileprivate var inBatchFile: Self {
    Self(name: name, value: value.replacing("%", with: "%%"), purpose: purpose)
  }
}
