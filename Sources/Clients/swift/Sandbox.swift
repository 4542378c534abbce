public import Foundation

/// Numbers, time, failures and providers that belong to one test.
public final class Sandbox: Sendable {
  public let name: String
  /// The base URL for SDKs.
  public let url: String
  /// By provider, such as `credentials["twilio"]?["accountSid"]`.
  public let credentials: [String: [String: String]]
  /// Opens the control API of this sandbox, if the server asks for a token.
  public let token: String?
  public let control: Control
  let inbox: Inbox
  private let ringfence: Ringfence
  private let environment: Environment
  private let repairs = Repairs()

  struct Described: Decodable {
    struct URLs: Decodable { let prefixed: String }
    let name: String
    let urls: URLs
    let credentials: [String: [String: String]]
    let token: String?
  }

  init(_ ringfence: Ringfence, _ described: Described) {
    (name, url, credentials) = (described.name, described.urls.prefixed, described.credentials)
    token = described.token ?? ringfence.control.token
    control = Control(url: url, token: token, describe: ringfence.control.describe)
    inbox = Inbox("\(ringfence.receiver.url)/\(name)/webhooks")
    environment = Environment(name, url: url, token: token, credentials: credentials)
    self.ringfence = ringfence
  }

  /// Its page in the console.
  public var console: String { "\(url)/console" }

  /// True if it ends with the tests.
  public var isTransient: Bool { ringfence.isTransient }

  /// The variables with the base URLs and credentials that the providers' SDKs read.
  public var env: [String: String] { get async throws { try await environment.variables() } }

  /// Sets these variables in this process, until `restoreEnv`, or until the sandbox is deleted. Tests that
  /// run at once in one process must not use it.
  public func useEnv() async throws { try await environment.use() }

  public func restoreEnv() async { await environment.restore() }

  public var journal: Ringfence.Journal { Ringfence.Journal(sandbox: self) }

  /// A receiver of webhooks.
  public var webhooks: Ringfence.Webhooks { Ringfence.Webhooks(sandbox: self) }

  public func phone(_ number: String) -> Ringfence.Phone { Ringfence.Phone(sandbox: self, number: number) }

  private var path: String { "/control/sandboxes/\(segment(name))" }
}

// MARK: Messages

extension Sandbox {
  /// The newest code on the phone of this number, or in the mailbox of this address. Waits for it, up to
  /// `within` seconds, and explains why there is none. `pattern` finds it in a text: a regular expression
  /// whose first group, or match, is the code.
  public func code(
    _ to: String, provider: String? = nil, channel: String? = nil, pattern: String? = nil,
    within: Double = 5
  ) async throws -> String {
    let query = ["provider": provider, "channel": channel, "pattern": pattern]
    return try await arrived("code", "/latest/code", to, query, within).text
  }

  /// The newest message on the phone of this number, or in this mailbox. Waits for it, as `code` does.
  public func message(
    _ to: String, provider: String? = nil, channel: String? = nil, within: Double = 5
  ) async throws -> Ringfence.Message {
    try await arrived("message", "/latest", to, ["provider": provider, "channel": channel], within)
      .decoded()
  }

  /// The messages on the phone of this number, or on all phones, oldest first.
  public func messages(
    _ to: String? = nil, provider: String? = nil, channel: String? = nil
  ) async throws -> [Ringfence.Message] {
    let inbox = to.map { "/control/inbox/\(segment($0))" } ?? "/control/inbox"
    return try await control.entries(inbox, query: ["provider": provider, "channel": channel])
  }

  /// All verifications, or those of a number or provider, oldest first.
  public func verifications(
    to number: String? = nil, provider: String? = nil
  ) async throws -> [Ringfence.Verification] {
    try await control.entries("/control/verifications", query: ["number": number, "provider": provider])
  }

  private func arrived(
    _ kind: String, _ end: String, _ to: String, _ query: [String: String?], _ within: Double
  ) async throws -> Answer {
    let inbox = "/control/inbox/\(segment(to))\(end)"
    let found = try await Control.within(within) { wait in
      try await control.send(
        "GET", inbox, query: query.merging(["wait": wait]) { $1 }, missing: [404])
    }
    if let found { return found }
    throw try await Explanation(sandbox: self).error("no \(kind) for \(to) came within \(plain(within)) s")
  }
}

// MARK: Time

extension Sandbox {
  /// Moves the clock, such as by `10m`, and waits until all that was due by then is done. Returns the time.
  @discardableResult
  public func advance(_ duration: String) async throws -> Date {
    try await changeClock(["advance": .string(duration)])
  }

  /// Stops the clock, now or at a time such as `2026-01-05T12:00:00Z`.
  @discardableResult
  public func freeze(at time: String? = nil) async throws -> Date {
    try await changeClock(members(["mode": "frozen", "set": time.map(JSON.string)]))
  }

  /// Lets the clock run.
  @discardableResult
  public func release() async throws -> Date {
    try await changeClock(["mode": "real"])
  }

  public var now: Date { get async throws { try time(of: try await control.get("/control/clock")) } }

  private func changeClock(_ change: JSON) async throws -> Date {
    var clock = try await control.post("/control/clock", change, ["wait": "60"])
    while clock["towards"] != .null { clock = try await control.get("/control/clock", ["wait": "60"]) }
    return try time(of: clock)
  }

  private func time(of clock: JSON) throws -> Date {
    let text = clock["now"].string ?? ""
    return try Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains(".")).parse(text)
  }
}

// MARK: Failures, and the end

extension Sandbox {
  /// Switches a failure of `ringfence docs failures` on, such as `text-lost`; some need a number.
  public func fail(_ id: String, to: String? = nil, provider: String? = nil, times: Int? = nil) async throws {
    let path = "/control/failures/\(segment(id))"
    let limits = members([
      "number": to.map(JSON.string), "provider": provider.map(JSON.string),
      "times": times.map { .number(Double($0)) },
    ])
    let made: Ringfence.Failure = try await control.value("POST", path, limits)
    if let to, made.repair != nil { await repairs.add("\(path)?number=\(segment(to))") }
  }

  /// Removes all rules, and undoes what `fail` has changed of phones.
  public func repair() async throws {
    let lists = ["scenarios", "faults", "webhooks/faults", "latency", "limits", "chaos"]
    for path in lists.map({ "/control/\($0)" }) + (await repairs.take()) { try await control.delete(path) }
  }

  /// What was sent and refused, and why: for people who read a failed test.
  public func summary() async throws -> String { try await Explanation(sandbox: self).text() }

  public enum Outcome: String, Sendable { case passed, failed, skipped }

  /// Says which test the next requests belong to, or how it has ended; reports show both.
  public func mark(_ test: String, _ outcome: Outcome? = nil) async throws {
    let body = members([
      "name": .string(String(test.prefix(300))), "outcome": outcome.map { .string($0.rawValue) },
    ])
    try await control.post("/control/tests", body)
  }

  /// Writes a page that opens from disk: requests, phones and verifications.
  public func report(_ file: String) async throws {
    let page = try await ringfence.control.get("\(path)/report").string ?? ""
    let file = URL(fileURLWithPath: file)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(page.utf8).write(to: file)
  }

  /// Back to how it was created.
  public func reset() async throws {
    try await ringfence.control.post("\(path)/reset")
    _ = await repairs.take()
    await inbox.clear()
  }

  /// Keeps it for an hour after the last request, instead of deleting it.
  public func keep() async throws {
    await release(ringfence.receiver)
    _ = try await ringfence.control.send("PATCH", path, ["ttl": "1h"])
  }

  public func delete() async throws {
    await release(ringfence.receiver)
    try await ringfence.control.delete(path)
  }

  private func release(_ receiver: Receiver) async {
    await environment.remove()
    await receiver.forget(name)
  }
}

/// The paths that undo what `fail` did to a number.
private actor Repairs {
  private var paths: [String] = []

  func add(_ path: String) { paths.append(path) }

  func take() -> [String] {
    defer { paths = [] }
    return paths
  }
}
