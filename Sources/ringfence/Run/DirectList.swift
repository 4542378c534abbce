/// What `NO_PROXY` holds: the hosts that clients are told to reach without any proxy.
struct DirectList {
  /// Ends of host names; an empty one is the end of all.
  private let ends: [Substring]

  /// The list in a text, parted by commas or blanks.
  init(_ text: String) {
    ends = text.split { $0 == "," || $0 == " " }.map { $0.drop { $0 == "*" || $0 == "." } }
  }

  /// The providers' hosts that it keeps from the proxy.
  var providersHosts: [String] {
    Authority.names.filter { host in
      ends.contains { $0.isEmpty || host == $0 || host.hasSuffix(".\($0)") }
    }
  }
}
