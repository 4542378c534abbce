import HTTP

/// One area that `ringfence doctor` checks.
protocol Check {
  /// The area, such as `proxy`, in JSON output.
  static var name: String { get }
  /// Throws if the sandbox stops answering.
  func results() throws -> [CheckResult]
}

struct CheckResult {
  enum Status: String {
    case ok, info, warning, error
  }

  let status: Status
  /// The observation and its cause, on one line.
  let text: String
  /// Commands or instructions, one per line; empty if there is nothing to do.
  let fix: [String]

  static func ok(_ text: String, fix: String...) -> CheckResult {
    CheckResult(status: .ok, text: text, fix: fix)
  }

  static func info(_ text: String, fix: String...) -> CheckResult {
    CheckResult(status: .info, text: text, fix: fix)
  }

  /// It may be intentional.
  static func warning(_ text: String, fix: String...) -> CheckResult {
    CheckResult(status: .warning, text: text, fix: fix)
  }

  /// It does not work; the exit status will be 1.
  static func error(_ text: String, fix: String...) -> CheckResult {
    CheckResult(status: .error, text: text, fix: fix)
  }
}

extension CheckResult: CustomStringConvertible {
  var description: String { (["\(symbol) \(text)"] + fix.map { "  → \($0)" }).joined(separator: "\n") }

  private var symbol: String {
    switch status {
    case .ok: "✓"
    case .info: "·"
    case .warning: "!"
    case .error: "✗"
    }
  }
}

/// The server that `ringfence doctor` checks.
struct DoctorTarget {
  /// Its address; a path such as `/s/ci-17` selects a sandbox.
  let url: AbsoluteURL
  let tls: Handshake.ConnectionMode
  /// The folder that should hold its certificate authority.
  let authorityFolder: String
  let token: AdminTokenOption

  /// The URL to which paths are appended.
  var base: String { url.target == "/" ? url.origin : url.description }

  var hasDefaultAddress: Bool { url.origin == DefaultAddresses.http }

  var isOnThisMachine: Bool { url.isLoopback }

  /// True if a URL points to the sandbox's HTTP port.
  func matches(_ other: AbsoluteURL) -> Bool {
    other.port == url.port && (other.host == url.host || other.isLoopback && url.isLoopback)
  }
}

extension AbsoluteURL {
  fileprivate var isLoopback: Bool { HTTP.Authority(host: host, port: port).isLoopback }
}
