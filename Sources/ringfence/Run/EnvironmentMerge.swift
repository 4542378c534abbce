import HTTP

// Merging the sandbox's variables with those that are set already.

extension AppEnvironment {
  /// The variables to set in a child's environment, and what its user should know about it.
  struct Difference {
    fileprivate(set) var variables: [(name: String, value: String)] = []
    /// Notes about values of the user that were kept.
    fileprivate(set) var notes: [String] = []
    /// Write them before the variables are used.
    fileprivate(set) var files: [File] = []
    /// The user's own credentials: a variable of each provider.
    fileprivate(set) var ownAccounts: [(provider: String, variable: String)] = []

    subscript(name: String) -> String? { variables.last { $0.name == name }?.value }
  }

  /// Keeps what is set already, unless `overwriting`. Extends lists, such as `NO_PROXY` and Java's options.
  ///
  /// An empty variable counts as not set: CI systems leave it for a secret that a job may not see.
  func difference(
    to present: [String: String], overwriting: Bool, read: (_ path: String) -> String? = Self.text
  ) -> Difference {
    let present = present.filter { !$0.value.isEmpty }
    var difference = Difference(files: files)
    var kept: [Entry] = []
    for entry in entries {
      guard let current = currentValue(of: entry, in: present), current != entry.value else {
        difference.variables.append((entry.name, entry.value))
        continue
      }
      if case .account(let provider) = entry.purpose,
        !difference.ownAccounts.contains(where: { $0.provider == provider })
      {
        difference.ownAccounts.append((provider, entry.name))
      }
      if overwriting, !entry.purpose.isShared {
        difference.variables.append((entry.name, entry.value))
      } else if let value = merge(entry, with: current, overwriting, read, &difference.files) {
        difference.variables.append((entry.name, value))
      } else {
        kept.append(entry)
      }
    }
    difference.notes = notes(about: kept, in: present)
    if let list = difference["NO_PROXY"] { difference.notes += notes(aboutNoProxy: list) }
    return difference
  }

  /// The user's value, also under the name in the other case if we set both.
  private func currentValue(of entry: Entry, in present: [String: String]) -> String? {
    let other = entry.name.swappingCase
    return present[entry.name] ?? (entries.contains { $0.name == other } ? present[other] : nil)
  }

  /// The user's value and ours combined; nil if they cannot be.
  private func merge(
    _ entry: Entry, with current: String, _ overwriting: Bool, _ read: (String) -> String?,
    _ files: inout [File]
  ) -> String? {
    switch entry.purpose {
    case .sandbox: return entry.value
    case .account, .example, .baseURL, .proxy: return nil
    case .noProxy: return "\(current),\(entry.value)"
    case .folders: return current + entry.value
    // The last of contradicting options wins.
    case .options: return overwriting ? "\(current) \(entry.value)" : "\(entry.value) \(current)"
    case .trust:
      guard let trusted, let theirs = read(current), let ours = read(trusted.authority) else { return nil }
      if current == trusted.systemRoots { return trusted.bundle }
      let path = "\(folder)/\(entry.name).pem"
      files.append(File(path: path, text: "\(theirs)\n\(ours)", isSecret: false))
      return path
    }
  }

  // MARK: Notes

  /// One note per purpose.
  private func notes(about kept: [Entry], in present: [String: String]) -> [String] {
    kept.map(\.purpose).withoutDuplicates.compactMap { purpose in
      let names = kept.filter { $0.purpose == purpose && present[$0.name] != nil }.map(\.name)
      let replaced = entries.filter { $0.purpose == purpose && !kept.contains($0) }.map(\.name)
      return consequence(of: purpose, besides: replaced).map {
        "kept your \(names.joined(separator: ", ")): \($0) (--overwrite replaces)"
      }
    }
  }

  private func consequence(of purpose: Purpose, besides replaced: [String]) -> String? {
    switch purpose {
    case .proxy: "requests to the providers bypass the sandbox"
    case .baseURL(let provider): "requests to \(provider) bypass the sandbox"
    case .trust: "not a readable file, so the sandbox's authority could not be added"
    case .account where !replaced.isEmpty: "does not match the sandbox's \(replaced.joined(separator: ", "))"
    case .account where acceptsUnknownAccounts: "the sandbox accepts unknown accounts"
    case .account: "the sandbox rejects unknown accounts"
    case .sandbox, .example, .noProxy, .options, .folders: nil
    }
  }

  private func notes(aboutNoProxy list: String) -> [String] {
    let hosts = NoProxyList(list).providerHosts
    guard !hosts.isEmpty else { return [] }
    return [
      "kept your NO_PROXY: requests to \(hosts.joined(separator: ", ")) bypass the sandbox (--overwrite replaces)"
    ]
  }

  /// The text of a file; nil if it cannot be read.
  static func text(_ path: String) -> String? {
    (try? Files.read(path)).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// The hosts in `NO_PROXY`, which clients reach without a proxy.
struct NoProxyList {
  /// Suffixes of host names; an empty one matches every host.
  private let suffixes: [Substring]

  /// `text` is separated by commas or spaces.
  init(_ text: String) {
    suffixes = text.split { $0 == "," || $0 == " " }.map { $0.drop { $0 == "*" || $0 == "." } }
  }

  var providerHosts: [String] {
    ProviderHosts.all.names.filter(matches)
      + ProviderHosts.all.patterns.filter { $0.knownNames.contains(where: matches) }.map(\.description)
  }

  private func matches(_ host: String) -> Bool {
    suffixes.contains { $0.isEmpty || host == $0 || host.hasSuffix(".\($0)") }
  }
}

extension String {
  fileprivate var swappingCase: String { self == uppercased() ? lowercased() : uppercased() }
}

extension Array where Element: Hashable {
  fileprivate var withoutDuplicates: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
