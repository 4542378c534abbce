/// Reads the arguments of `serve` that a program writes: `--name value` and plain switches. Everything else
/// (help, mistakes, other spellings) is left to the library, which looks through the types of all commands
/// first: a sixth of the work of a start.
enum ServeArguments {
  /// A test compares these with the options of `ServeCommand`.
  static let options = [
    "http", "port", "https", "gateway", "data", "trust", "fsync", "history", "max-sandboxes", "sandbox-ttl",
    "shard", "connections", "ready", "public-url", "trusted-proxy", "tls-certificate", "tls-key",
    "admin-token", "admin-token-file", "allow-host", "backup", "backup-interval", "backup-keep",
    "access-log", "access-log-format", "log-format", "log-level", "auth", "numbers", "seeds", "seed",
    "entropy-seed", "clock", "webhook-allow", "webhook-ca", "proxy-tunnel", "config",
  ]
  static let switches = ["live", "open-control", "supervise", "until-stdin-ends"]
  /// All options of `serve`: each can also be set in the environment and in a file.
  static var names: [String] { options + switches }

  /// The values by option name, nil for those that are not set; nil if the library has to read the arguments.
  static func flags(_ arguments: some Sequence<String>) -> [String: String?]? {
    var flags = Dictionary(uniqueKeysWithValues: names.map { ($0, String?.none) })
    var rest = arguments.makeIterator()
    while let argument = rest.next() {
      guard argument.hasPrefix("--") else { return nil }
      let name = String(argument.dropFirst(2))
      if switches.contains(name) {
        flags[name] = "true"
      } else if options.contains(name), let value = rest.next(), !value.hasPrefix("-") {
        flags[name] = value
      } else {
        return nil
      }
    }
    return flags
  }
}
