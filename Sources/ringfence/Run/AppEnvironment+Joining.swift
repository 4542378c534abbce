import Providers

// What becomes of variables that are there already.

extension AppEnvironment {
  /// What a child's environment has that ours has not, and what its user should know about it.
  struct Difference {
    /// Variables with their values, in order.
    fileprivate(set) var variables: [(name: String, value: String)] = []
    /// Sentences about what was kept.
    fileprivate(set) var remarks: [String] = []

    /// The value that a variable is given, if it is.
    subscript(name: String) -> String? { variables.last { $0.name == name }?.value }
  }

  /// The difference to an environment: what was set there on purpose is kept, unless it is overwritten.
  ///
  /// An empty variable is nobody's purpose: it is what is left of a secret that a build was not given.
  func difference(to present: [String: String], overwriting: Bool) -> Difference {
    let present = present.filter { !$0.value.isEmpty }
    let kept = overwriting ? [] : entries.filter { isKept($0, in: present) }
    var difference = Difference()
    for entry in entries where !kept.contains(entry) {
      let value = joined(entry, with: standing(entry, in: present), overwriting: overwriting)
      difference.variables.append((entry.name, value))
    }
    difference.remarks = remarks(on: kept, in: present)
    if let list = difference["NO_PROXY"], let remark = remark(onDirect: list) {
      difference.remarks.append(remark)
    }
    return difference
  }

  /// Whether the user's own value stands instead of ours.
  private func isKept(_ entry: Entry, in present: [String: String]) -> Bool {
    switch entry.purpose {
    case .sandbox, .noProxy, .java, .folders: false
    case .account, .baseURL, .proxy, .trust:
      standing(entry, in: present).map { $0 != entry.value } ?? false
    }
  }

  /// What the user has set; where there are two cases of letters, in either.
  private func standing(_ entry: Entry, in present: [String: String]) -> String? {
    present[entry.name] ?? (hasTwoCases(entry) ? present[entry.name.swappingCase] : nil)
  }

  private func hasTwoCases(_ entry: Entry) -> Bool {
    entries.contains { $0.name == entry.name.swappingCase }
  }

  /// What several may have a say in: of options that contradict each other, Java obeys the last.
  private func joined(_ entry: Entry, with standing: String?, overwriting: Bool) -> String {
    guard let standing, standing != entry.value else { return entry.value }
    switch entry.purpose {
    case .java: return overwriting ? "\(standing) \(entry.value)" : "\(entry.value) \(standing)"
    case .noProxy: return overwriting ? entry.value : "\(standing),\(entry.value)"
    case .folders: return standing + entry.value
    case .sandbox, .account, .baseURL, .proxy, .trust: return entry.value
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
    case .proxy: "requests to the providers go there, NOT to the sandbox"
    case .baseURL(let provider): "requests to \(provider) go there, NOT to the sandbox"
    case .trust: "its readers refuse the sandbox's certificates, unless `ringfence ca` is among what it names"
    case .account where !given.isEmpty: "does not go with the sandbox's own \(given.joined(separator: ", "))"
    case .account where admitsUnknownAccounts: "an account of your own, which is let in"
    case .account: "an account of your own, which the sandbox refuses"
    case .sandbox, .noProxy, .java, .folders: nil
    }
  }

  /// Names that the user wants to be reached without any proxy.
  private func remark(onDirect list: String) -> String? {
    let ends = list.split { $0 == "," || $0 == " " }.map { $0.drop { $0 == "*" || $0 == "." } }
    let hosts = catalog.flatMap { $0.hosts }.filter { host in
      ends.contains { host == $0 || $0.isEmpty || host.hasSuffix(".\($0)") }
    }
    guard !hosts.isEmpty else { return nil }
    return "NO_PROXY as set before keeps \(hosts.joined(separator: ", ")) away from the sandbox (--overwrite replaces)"
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
