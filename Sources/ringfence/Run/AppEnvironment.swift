import Catalog
import Domain
import ProviderKit

/// What an app needs in its environment to reach a sandbox without a changed line, in the order in which it is shown.
struct AppEnvironment {
  /// One variable.
  struct Entry: Equatable {
    /// What it is called.
    let name: String
    /// What it holds.
    let value: String
    /// What it is for.
    let purpose: Purpose
  }

  /// What a variable is for; it decides what becomes of one that is there already.
  enum Purpose: Hashable {
    /// Says where the sandbox is.
    case sandbox
    /// Says who a client of this provider is.
    case account(provider: String)
    /// Says where this provider is.
    case baseURL(provider: String)
    /// Leads requests through the sandbox.
    case proxy
    /// Names, parted by commas, what is reached without the proxy.
    case noProxy
    /// Says whom to trust.
    case trust
    /// Options for every Java program, parted by spaces.
    case java
    /// Folders, parted by colons, that are looked into beside the usual ones.
    case folders

    /// Whether it is kept even where the rest is overwritten: the user's words in it have other purposes too.
    var isShared: Bool { self == .java || self == .folders }

    /// The provider whose clients read it, where they are only these.
    var provider: String? {
      switch self {
      case .account(let provider), .baseURL(let provider): provider
      case .sandbox, .proxy, .noProxy, .trust, .java, .folders: nil
      }
    }
  }

  /// Where a sandbox is reached.
  struct Place {
    /// Scheme, authority and, for a sandbox other than the default one, prefix.
    var url: String
    /// The same over TLS, where that is served.
    var https: String?
    /// The cellular gateway, where it listens for itself.
    var gateway: String?
  }

  /// A file that a variable names and that somebody has to write.
  struct File: Equatable {
    /// Where it belongs.
    let path: String
    /// What is in it.
    let text: String
    /// Whether nobody but its owner may look into it.
    let isSecret: Bool

    /// Writes it, and makes its folder where there is none.
    func write() throws {
      if let end = path.lastIndex(of: "/") { try Files.makeFolders(String(path[..<end])) }
      try Files.write(text, to: path, isSecret: isSecret)
    }
  }

  private var plain: [Entry] = []
  /// What every Java program is told, in one variable.
  var javaOptions: [String] = []
  /// What has to be written before the variables are of use.
  var files: [File] = []
  /// Whether a client may come with an account that the sandbox does not know.
  let acceptsUnknownAccounts: Bool
  /// Where files belong that variables name.
  let folder: String
  /// What clients of the sandbox trust, once they do.
  var trusted: TrustFiles?

  /// Where the sandbox is, and what every provider's SDK looks for. `folder`: where files with a credential belong.
  init(of sandbox: Sandbox, at place: Place, filesIn folder: String) throws {
    try self.init(admittingUnknownAccounts: sandbox.acceptsUnknownAccounts, at: place, filesIn: folder) {
      try $0.credentials(of: sandbox)
    }
  }

  /// The same for a sandbox of which only the credentials are known.
  init(
    admittingUnknownAccounts: Bool = false, at place: Place, filesIn folder: String,
    credentials: (any Provider.Type) throws -> [(name: String, value: String)]
  ) rethrows {
    self.folder = folder
    acceptsUnknownAccounts = admittingUnknownAccounts
    add("RINGFENCE_URL", place.url, .sandbox)
    if let https = place.https { add("RINGFENCE_HTTPS_URL", https, .sandbox) }
    if let gateway = place.gateway { add("RINGFENCE_GATEWAY_URL", gateway, .sandbox) }
    for provider in catalog { add(provider, with: try credentials(provider), at: place.url) }
  }

  /// All variables.
  var entries: [Entry] {
    guard !javaOptions.isEmpty else { return plain }
    return plain + [
      Entry(name: "JAVA_TOOL_OPTIONS", value: javaOptions.joined(separator: " "), purpose: .java)
    ]
  }

  /// Adds a variable.
  mutating func add(_ name: String, _ value: String, _ purpose: Purpose) {
    plain.append(Entry(name: name, value: value, purpose: purpose))
  }

  private mutating func add(
    _ provider: any Provider.Type, with credentials: [(name: String, value: String)], at url: String
  ) {
    for variable in provider.variables {
      switch variable.content {
      case .baseURL: add(variable.name, url, .baseURL(provider: provider.name))
      case .credential(let wanted):
        guard let found = credentials.first(where: { $0.name == wanted }) else { continue }
        add(variable.name, found.value, .account(provider: provider.name))
      case .fileOf(let wanted):
        guard let found = credentials.first(where: { $0.name == wanted }) else { continue }
        let path = "\(folder)/\(provider.name)-\(wanted)"
        files.append(File(path: path, text: found.value, isSecret: true))
        add(variable.name, path, .account(provider: provider.name))
      case .authorities: continue
      }
    }
  }
}
