/// What the library prints about options and arguments, with placeholders that say what to write:
/// `--http ADDRESS:PORT` instead of `--http <http>`.
enum HelpText {
  /// Those of options whose name does not say it.
  private static let placeholders = [
    "http": "ADDRESS:PORT", "https": "ADDRESS:PORT", "gateway": "ADDRESS:PORT", "to-url": "URL",
    "data": "FOLDER", "trust": "FOLDER", "seeds": "FOLDERS", "backup": "FOLDER", "backup-keep": "COUNT",
    "backup-interval": "DURATION", "sandbox-ttl": "DURATION", "ttl": "DURATION", "span": "DURATION",
    "history": "COUNT", "max-sandboxes": "COUNT", "connections": "COUNT", "times": "COUNT",
    "port": "NUMBER", "entropy-seed": "NUMBER", "nth": "NUMBER", "every": "COUNT", "rate": "SHARE",
    "ordinal": "NUMBER", "length": "NUMBER",
    "status": "NUMBER", "after-ms": "MILLISECONDS", "latency-ms": "MILLISECONDS", "retry-after": "SECONDS",
    "clock": "TIME", "public-url": "URL", "url": "URL", "config": "FILE", "output": "FILE",
    "access-log": "FILE", "webhook-ca": "FILE", "tls-certificate": "FILE", "tls-key": "FILE",
    "admin-token-file": "FILE", "webhook-allow": "HOSTS", "proxy-tunnel": "HOSTS", "allow-host": "HOSTS",
    "trusted-proxy": "ADDRESSES", "admin-token": "TOKEN", "seed": "NAMES", "shard": "LETTERS",
    "fsync": "normal|full", "ready": "text|json", "auth": "open|strict", "numbers": "open|safe-only|any",
    "log-format": "text|json", "access-log-format": "combined|json", "log-level": "LEVEL",
    "report": "FOLDER", "html": "FILE", "handset": "NUMBER", "from": "ADDRESS", "at": "TIME",
    "answer-after-ms": "MILLISECONDS", "clock-offset-seconds": "SECONDS", "push-token": "TOKEN",
    "to-token": "TOKEN", "identity": "ID", "as": "ios|android", "when": "before|after",
    "to": "NUMBER", "sandbox": "NAME", "contains": "TEXT", "pattern": "EXPRESSION",
  ]
  /// By the words of the command, without the program's name.
  private static let examples = [
    "serve": "serve --port 8080 --data ringfence-data",
    "run": "run -- npm test",
    "env": #"eval "$(ringfence env --format sh)""#,
    "mcp": "mcp",
    "status": "status",
    "inbox": "inbox +12025550100 --follow",
    "code": "code +12025550100 --provider twilio",
    "verifications": "verifications +12025550100",
    "journal": "journal latest",
    "errors": "errors twilio 60202",
    "docs": "docs carrier",
    "send": "send +12025550100",
    "failures": "failures --flow sms",
    "failures list": "failures list --flow sms",
    "failures show": "failures show text-lost",
    "failures produce": "failures produce text-lost --to +12025550100 --times 1",
    "failures undo": "failures undo text-lost",
    "faults": "faults",
    "faults list": "faults list",
    "faults add": "faults add --provider twilio --route createVerification --code 60410 --nth 3",
    "faults remove": "faults remove 1",
    "faults options": "faults options --provider twilio",
    "scenarios": "scenarios",
    "scenarios list": "scenarios list",
    "scenarios add": "scenarios add --channel sms --outcome slow --after-ms 20000",
    "scenarios remove": "scenarios remove --all",
    "handset": "handset list",
    "handset list": "handset list",
    "handset create": "handset create +12025550100 --provider twilio",
    "handset set": "handset set +12025550100 --behaviour approve",
    "handset approve": "handset approve +12025550100",
    "handset deny": "handset deny latest",
    "handset watch": "handset watch",
    "handset qr": "handset qr +12025550100 --provider twilio",
    "clock": "clock advance 10m",
    "clock show": "clock show",
    "clock advance": "clock advance 10m",
    "clock set": "clock set 2026-01-05T10:20:30Z",
    "clock freeze": "clock freeze",
    "clock release": "clock release",
    "open": #"open "$URL" --handset +12025550100"#,
    "sandbox": "sandbox create ci-17 --ttl 1h",
    "sandbox list": "sandbox list",
    "sandbox create": "sandbox create ci-17 --ttl 1h",
    "sandbox show": "sandbox show ci-17",
    "sandbox reset": "sandbox reset ci-17",
    "sandbox export": "sandbox export ci-17 --output ci-17.json",
    "sandbox import": "sandbox import ci-17.json ci-17",
    "sandbox move": "sandbox move ci-17 --to http://127.0.0.1:6550",
    "sandbox delete": "sandbox delete ci-17",
    "seed": "seed check seeds",
    "seed check": "seed check seeds",
    "seed schema": "seed schema",
    "snapshot": "snapshot save before.snapshot",
    "snapshot save": "snapshot save before.snapshot",
    "snapshot load": "snapshot load before.snapshot",
    "restore": "restore --backup backups --data ringfence-data",
    "doctor": "doctor",
    "compare": "compare recorded.har",
    "ca": "ca --output authority.pem",
  ]
  /// Where descriptions begin.
  private static let column = 26

  /// A command's help with placeholders, and with an example after its usage.
  static func complete(_ help: String) -> String {
    let paragraphs = withPlaceholders(help).split(separator: "\n\n", omittingEmptySubsequences: false)
    guard let usage = paragraphs.firstIndex(where: { $0.hasPrefix("USAGE: ") }) else { return help }
    let words = paragraphs[usage].split(whereSeparator: \.isWhitespace).dropFirst(2)
      .prefix { $0.first.map { $0.isLowercase } ?? false }
    let command = words.joined(separator: " ")
    guard let example = examples[command] else { return withPlaceholders(help) }
    let line = example.hasPrefix("eval") ? example : "ringfence \(example)"
    var shown = paragraphs.map(String.init)
    shown.insert("EXAMPLE:\n  \(line)", at: usage + 1)
    return shown.joined(separator: "\n\n")
  }

  /// An error with placeholders. Words of the user in it are left as they are.
  static func refusal(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { index, line in
      index > 0
        ? withPlaceholders(String(line))
        : String(line).replacing(/(--[a-z-]+ |expected argument ')(<[a-z][a-z0-9-]*>)/) {
          "\($0.1)\(withPlaceholders(String($0.2)))"
        }
    }.joined(separator: "\n")
  }

  /// The library's text with these placeholders.
  static func withPlaceholders(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let replaced = String(line).replacing(/<([a-z][a-z0-9-]*)>/) { found in
        placeholders[String(found.1)] ?? found.1.uppercased()
      }
      return replaced == line ? replaced : aligned(replaced)
    }.joined(separator: "\n")
  }

  /// `  --http ADDRESS:PORT  Listen…` with the description in its column.
  private static func aligned(_ line: String) -> String {
    guard let found = line.firstMatch(of: /^(  \S.*?)  +(\S.*)$/) else { return line }
    let (label, text) = (String(found.1), String(found.2))
    let indent = String(repeating: " ", count: column)
    return label.count < column ? label.padded(to: column) + text : "\(label)\n\(indent)\(text)"
  }
}
