import ArgumentParser
import Control
import Loop

/// The options of `serve` about who may call the control API.
struct AccessOptions: ParsableArguments {
  @Option(
    help: """
      Require this token in requests to the control API. Default: no token on loopback addresses; else a new token, \
      which is printed and stored in the data folder.
      """)
  var adminToken: String?
  @Option(help: "A file with the admin token.")
  var adminTokenFile: String?
  @Flag(help: "Require no token, even beyond loopback addresses.")
  var openControl = false
  @Option(
    help: """
      Host names, other than localhost and the host of --public-url, by which clients call the control API without a \
      token; separated by commas; *.NAME is allowed.
      """)
  var allowHost: String?

  /// The command line's values by option name.
  var flags: [String: String?] {
    [
      "admin-token": adminToken, "admin-token-file": adminTokenFile,
      "open-control": openControl ? "true" : nil, "allow-host": allowHost,
    ]
  }
}

/// Who may call the control API.
struct AccessSettings {
  /// Nil if no token is required.
  var tokens: AccessTokens?
  /// The admin token, if this start generated it.
  var newAdminToken: String?
  /// The file with the generated admin token, if there is one.
  var adminTokenFile: String?
  /// Host names that clients without a token may use.
  var allowedHosts = HostList()

  init() {}

  /// A token is required beyond loopback addresses, and wherever one is set.
  ///
  /// Generated secrets are kept in the data folder. Without one, they are those of the supervisor, if there
  /// is one.
  init(
    _ options: Configuration, on listeners: [SocketAddress], supervised: SupervisedServer? = nil
  ) throws {
    allowedHosts = HostList(try options.hosts("allow-host"))
    let given = try Self.givenToken(options)
    let isOpen = try options.isOn("open-control")
    guard !isOpen || given == nil else {
      throw ValidationError("--open-control: cannot be combined with --admin-token or --admin-token-file")
    }
    guard given == nil || options.text("allow-host") == nil else {
      throw ValidationError("\(options.source(of: "allow-host")): has no effect with an admin token")
    }
    guard given != nil || !isOpen && !listeners.allSatisfy(\.isLoopback) else { return }
    let folder = options.text("data")
    if given == nil { adminTokenFile = folder.map { "\($0)/admin-token" } }
    let shared = folder == nil ? supervised?.status.secrets : nil
    let admin =
      try given ?? Self.secret("admin-token", in: folder, else: shared?.admin) { newAdminToken = $0 }
    tokens = AccessTokens(
      admin: admin,
      sandboxKey: Array(try Self.secret("sandbox-token-key", in: folder, else: shared?.sandboxes).utf8))
  }

  private static func givenToken(_ options: Configuration) throws -> String? {
    var file = options.text("admin-token-file")
    if file != nil, options.text("admin-token") != nil {
      // Of two words for the same, that of the command line wins, as for all options.
      let isFlag = { (name: String) in options.source(of: name) == "--\(name)" }
      guard isFlag("admin-token") != isFlag("admin-token-file") else {
        throw ValidationError("--admin-token-file: cannot be combined with --admin-token")
      }
      if isFlag("admin-token") { file = nil }
    }
    let source = file == nil ? options.source(of: "admin-token") : "--admin-token-file: \(file ?? "")"
    let text = try file.map { String(decoding: try Files.read($0), as: UTF8.self).trimmed }
    guard let token = text ?? options.text("admin-token") else { return nil }
    guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw ValidationError("\(source): expected visible ASCII characters without spaces")
    }
    guard token.utf8.count >= shortestToken else {
      throw ValidationError(
        "\(source): expected at least \(shortestToken) characters, so that nobody guesses it; found "
          + "\(token.utf8.count). A new one: openssl rand -hex 32")
    }
    return token
  }

  /// 32 random bytes as text, kept in the data folder if there is one. `bytes` replaces new ones.
  private static func secret(
    _ name: String, in folder: String?, else bytes: [UInt8]?, onNew: (String) -> Void = { _ in }
  ) throws -> String {
    let path = folder.map { "\($0)/\(name)" }
    if let path, Files.exists(path) {
      let stored = String(decoding: try Files.read(path), as: UTF8.self).trimmed
      guard stored.utf8.count >= secretLength else {
        throw Files.Failure(
          path: path, reason: "expected \(secretLength) digits; delete it to get a new one")
      }
      return stored
    }
    let fresh = Hex.encode(try bytes ?? EventLoop.randomBytes(secretLength / 2))
    if let path { try Files.write("\(fresh)\n", to: path, isSecret: true) }
    onNew(fresh)
    return fresh
  }

  private static let shortestToken = 16
  /// In hexadecimal digits.
  private static let secretLength = 64
}

extension String {
  /// The text without spaces and line ends around it.
  fileprivate var trimmed: String {
    let kept = drop(while: \.isWhitespace)
    return String(kept[..<(kept.lastIndex { !$0.isWhitespace }.map(kept.index(after:)) ?? kept.startIndex)])
  }
}
