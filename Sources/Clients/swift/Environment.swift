import Foundation

/// The variables of a sandbox, as `ringfence env` prints them.
actor Environment {
  enum Source {
    case url
    case credential(_ provider: String, _ member: String)
    /// SDKs read some credentials from files.
    case file(_ provider: String, _ member: String)
  }

  private let url: String
  private let token: String?
  private let credentials: [String: [String: String]]
  private let folder: URL
  private var made: [String: String]?
  private var earlier: [String: String?] = [:]

  init(_ name: String, url: String, token: String?, credentials: [String: [String: String]]) {
    (self.url, self.token, self.credentials) = (url, token, credentials)
    let process = ProcessInfo.processInfo.processIdentifier
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("ringfence-\(process)-\(name)")
  }

  func variables() throws -> [String: String] {
    if let made { return made }
    var variables = token.map { ["RINGFENCE_TOKEN": $0] } ?? [:]
    for (name, source) in Environment.sources { variables[name] = try value(of: source) }
    made = variables
    return variables
  }

  private func value(of source: Source) throws -> String? {
    switch source {
    case .url: return url
    case .credential(let provider, let member): return credentials[provider]?[member]
    case .file(let provider, let member):
      guard let content = credentials[provider]?[member] else { return nil }
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      let file = folder.appendingPathComponent("\(provider)-\(member)")
      try Data(content.utf8).write(to: file)
      return file.path
    }
  }

  func use() throws {
    guard earlier.isEmpty else { return }
    let present = ProcessInfo.processInfo.environment
    for (name, value) in try variables() {
      earlier.updateValue(present[name], forKey: name)
      setenv(name, value, 1)
    }
  }

  func restore() {
    for (name, value) in earlier {
      if let value { setenv(name, value, 1) } else { unsetenv(name) }
    }
    earlier = [:]
  }

  func remove() {
    restore()
    if made != nil { try? FileManager.default.removeItem(at: folder) }
  }
}
