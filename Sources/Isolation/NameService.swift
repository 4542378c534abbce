import Glibc

/// How programs find the address of a name: by `/etc/hosts`, and by nothing that would answer from outside.
enum NameService {
  /// Daemons that answer instead of the files, by a socket in the file system.
  private static let daemons = ["/run/nscd", "/var/run/nscd"]

  /// Puts these names on the loopback, and lets look-ups of all others fail at once.
  static func replace(
    with names: [String], in folder: String, _ mounts: inout Mounts
  ) throws(IsolationError) {
    func write(_ name: String, _ text: String) throws(IsolationError) -> String {
      let file = SystemFile("\(folder)/\(name)")
      try file.write(text, doing: "writing \(file.path)")
      return file.path
    }
    let known = SystemFile("/etc/hosts").text ?? ""
    try mounts.show(write("hosts", hosts(names + machine, besides: known)), at: "/etc/hosts")
    let present = SystemFile("/etc/nsswitch.conf").text ?? ""
    try mounts.show(write("nsswitch.conf", switching(present)), ifAnythingAt: "/etc/nsswitch.conf")
    try mounts.show(write("resolv.conf", resolver), ifAnythingAt: "/etc/resolv.conf")
    let empty = "\(folder)/empty"
    guard mkdir(empty, 0o755) == 0 else { throw IsolationError("making \(empty)") }
    for daemon in daemons { try mounts.show(empty, ifAnythingAt: daemon) }
  }

  /// What this machine calls itself, where it has a name.
  private static var machine: [String] {
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, name.count - 1)
    let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.isEmpty ? [] : [text]
  }

  /// Names on the loopback, and what the machine had there before; what else it knew cannot be reached.
  static func hosts(_ names: [String], besides present: String) -> String {
    let kept = present.split(separator: "\n").filter { line in
      let words = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" }
      guard let address = words.first, words != ["127.0.0.1", "localhost"] else { return false }
      return (address.hasPrefix("127.") || address == "::1")
        && !words.contains { names.contains($0.lowercased()) }
    }
    let ours = (["localhost"] + names).map { "127.0.0.1 \($0)" }
    return (ours + kept.map(String.init)).map { "\($0)\n" }.joined()
  }

  /// The switch with one line changed: no daemon, no multicast; the resolver behind the files fails at once.
  static func switching(_ present: String) -> String {
    let kept = present.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("hosts:") }
    return (kept + ["hosts: files dns"]).map { "\($0)\n" }.joined()
  }

  /// Nobody listens there, and the loopback says so at once.
  private static let resolver = "nameserver 127.0.0.1\noptions timeout:1 attempts:1\n"
}
