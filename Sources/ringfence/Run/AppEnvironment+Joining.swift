// What becomes of variables that are there already.

extension AppEnvironment {
  /// What a child's environment has that ours has not, and what its user should know about it.
  struct Difference {
    /// Variables with their values, in order.
    fileprivate(set) var variables: [(name: String, value: String)] = []
    /// Sentences about what was kept.
    fileprivate(set) var remarks: [String] = []
    /// What has to be written before the variables are of use.
    fileprivate(set) var files: [File] = []

    /// The value that a variable is given, if it is.
    subscript(name: String) -> String? { variables.last { $0.name == name }?.value }
  }

  /// The difference to an environment: what was set there on purpose stays, unless it is overwritten. Where several
  /// may have a say, ours is added to it.
  ///
  /// An empty variable is nobody's purpose: it is what is left of a secret that a build was not given.
  func difference(
    to present: [String: String], overwriting: Bool, read: (_ path: String) -> String? = Self.text
  ) -> Difference {
    let present = present.filter { !$0.value.isEmpty }
    var difference = Difference(files: files)
    var kept: [Entry] = []
    for entry in entries {
      guard let standing = standing(entry, in: present), standing != entry.value else {
        difference.variables.append((entry.name, entry.value))
        continue
      }
      if overwriting, !entry.purpose.isShared {
        difference.variables.append((entry.name, entry.value))
      } else if let value = joined(entry, with: standing, overwriting, read, &difference.files) {
        difference.variables.append((entry.name, value))
      } else {
        kept.append(entry)
      }
    }
    difference.remarks = remarks(on: kept, in: present)
    if let list = difference["NO_PROXY"] { difference.remarks += remark(onDirect: list) }
    return difference
  }

  /// What the user has set; where there are two cases of letters, in either.
  private func standing(_ entry: Entry, in present: [String: String]) -> String? {
    let other = entry.name.swappingCase
    return present[entry.name] ?? (entries.contains { $0.name == other } ? present[other] : nil)
  }

  /// The user's value and ours in one; nil where that cannot be.
  private func joined(
    _ entry: Entry, with standing: String, _ overwriting: Bool, _ read: (String) -> String?,
    _ files: inout [File]
  ) -> String? {
    switch entry.purpose {
    case .sandbox: return entry.value
    case .account, .baseURL, .proxy: return nil
    case .noProxy: return "\(standing),\(entry.value)"
    case .folders: return standing + entry.value
    // Of options that contradict each other, Java obeys the last.
    case .java: return overwriting ? "\(standing) \(entry.value)" : "\(entry.value) \(standing)"
    case .trust:
      guard let trusted, let theirs = read(standing), let ours = read(trusted.authority) else { return nil }
      if standing == trusted.systemRoots { return trusted.bundle }
      let path = "\(folder)/\(entry.name).pem"
      files.append(File(path: path, text: "\(theirs)\n\(ours)", isSecret: false))
      return path
    }
  }

  // MARK: Remarks

  /// A sentence for each purpose, with the names of what was kept.
  private func remarks(on kept: [Entry], in present: [String: String]) -> [String] {
    kept.map(\.purpose).withoutRepetitions.compactMap { purpose in
      let names = kept.filter { $0.purpose == purpose && present[$0.name] != nil }.map(\.name)
      let given = entries.filter { $0.purpose == purpose && !kept.contains($0) }.map(\.name)
      return consequence(of: purpose, besides: given).map {
        "\(names.joined(separator: ", ")) kept as set before: \($0) (--overwrite replaces)"
      }
    }
  }

  private func consequence(of purpose: Purpose, besides given: [String]) -> String? {
    switch purpose {
    case .proxy: "requests to the providers go past the sandbox"
    case .baseURL(let provider): "requests to \(provider) go past the sandbox"
    case .trust: "no file with authorities that the sandbox's could be added to"
    case .account where !given.isEmpty: "does not go with the sandbox's own \(given.joined(separator: ", "))"
    case .account where acceptsUnknownAccounts: "an account of your own, which is let in"
    case .account: "an account of your own, which the sandbox refuses"
    case .sandbox, .noProxy, .java, .folders: nil
    }
  }

  /// Names that the user wants to be reached without any proxy.
  private func remark(onDirect list: String) -> [String] {
    let hosts = DirectList(list).providersHosts
    guard !hosts.isEmpty else { return [] }
    return [
      "NO_PROXY as set before: requests to \(hosts.joined(separator: ", ")) go past the sandbox (--overwrite replaces)"
    ]
  }
}

extension AppEnvironment {
  /// What a file holds; nil for a folder, and for what cannot be read.
  static func text(_ path: String) -> String? {
    (try? Files.read(path)).map { String(decoding: $0, as: UTF8.self) }
  }
}

extension String {
  fileprivate var swappingCase: String { self == uppercased() ? lowercased() : uppercased() }
}

extension Array where Element: Hashable {
  fileprivate var withoutRepetitions: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
