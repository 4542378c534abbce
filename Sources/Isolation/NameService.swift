import Glibc

/// Host name resolution inside the namespace: `/etc/hosts`, and nothing outside.
enum NameService {
  /// Folders with the sockets of daemons that would answer instead of the files.
  private static let daemons = ["/run/nscd", "/var/run/nscd"]

  /// Resolves these names to the loopback. Lookups of all others fail immediately.
  static func replace(
    with names: [String], in folder: String, _ mounts: inout Mounts
  ) throws(IsolationError) {
    func write(_ name: String, _ text: String) throws(IsolationError) -> String {
      let file = SystemFile("\(folder)/\(name)")
      try file.write(text, doing: "writing \(file.path)")
      return file.path
    }
    let oldHosts = SystemFile("/etc/hosts").text ?? ""
    try mounts.replace("/etc/hosts", with: write("hosts", hosts(names + machine, keeping: oldHosts)))
    let oldSwitch = SystemFile("/etc/nsswitch.conf").text ?? ""
    let files = [("nsswitch.conf", nsswitch(oldSwitch)), ("resolv.conf", resolvConf)]
    for (name, text) in files {
      try mounts.replace("/etc/\(name)", with: write(name, text), ifExists: true)
    }
    let empty = "\(folder)/empty"
    guard mkdir(empty, 0o755) == 0 else { throw IsolationError("creating \(empty)") }
    for daemon in daemons { try mounts.replace(daemon, with: empty, ifExists: true) }
  }

  /// This machine's host name, if it has one.
  private static var machine: [String] {
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, name.count - 1)
    let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.isEmpty ? [] : [text]
  }

  /// A hosts file with these names on the loopback. Keeps the old file's loopback entries only.
  static func hosts(_ names: [String], keeping old: String) -> String {
    let kept = old.split(separator: "\n").filter { line in
      let words = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" }
      guard let address = words.first, words != ["127.0.0.1", "localhost"] else { return false }
      return (address.hasPrefix("127.") || address == "::1")
        && !words.contains { names.contains($0.lowercased()) }
    }
    let ours = (["localhost"] + names).map { "127.0.0.1 \($0)" }
    return (ours + kept.map(String.init)).map { "\($0)\n" }.joined()
  }

  /// Changes the `hosts` line: no daemon, no multicast, only files and a resolver that fails immediately.
  static func nsswitch(_ old: String) -> String {
    let kept = old.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("hosts:") }
    return (kept + ["hosts: files dns"]).map { "\($0)\n" }.joined()
  }

  /// No server listens there, so lookups fail immediately.
  private static let resolvConf = "nameserver 127.0.0.1\noptions timeout:1 attempts:1\n"
}
