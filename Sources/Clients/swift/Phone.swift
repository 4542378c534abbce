extension Ringfence {
  /// The phone of a number, and the person who has it. More members of the requests' bodies, such as
  /// `["identity": "user-1"]`, are in `ringfence docs handsets` and `carrier`.
  public struct Phone: Sendable {
    let sandbox: Sandbox
    public let number: String

    /// What it shows, oldest first.
    public func messages(provider: String? = nil, channel: String? = nil) async throws -> [Message] {
      try await sandbox.messages(number, provider: provider, channel: channel)
    }

    public func message(provider: String? = nil, channel: String? = nil, within: Double = 5) async throws
      -> Message
    {
      try await sandbox.message(number, provider: provider, channel: channel, within: within)
    }

    public func code(
      provider: String? = nil, channel: String? = nil, pattern: String? = nil, within: Double = 5
    ) async throws -> String {
      try await sandbox.code(number, provider: provider, channel: channel, pattern: pattern, within: within)
    }

    /// Answers the newest message, or another sender.
    @discardableResult
    public func reply(_ text: String, to sender: String? = nil) async throws -> Message {
      let body = members(["text": .string(text), "to": sender.map(JSON.string)])
      return try await sandbox.control.value("POST", "/control/inbox/\(segment(number))/reply", body)
    }

    /// Registers the app of a provider, which then gets its pushes.
    @discardableResult
    public func register(_ provider: String, _ more: [String: JSON] = [:]) async throws -> JSON {
      let body = more.merging(["number": .string(number), "provider": .string(provider)]) { _, own in own }
      return try await sandbox.control.post("/control/devices", .object(body))
    }

    /// Approves the newest challenge. A `fault` is refused by the provider: `wrongKey`, `late`.
    @discardableResult
    public func approve(fault: String? = nil) async throws -> Challenge {
      try await answer("approve", members(["fault": fault.map(JSON.string)]))
    }

    @discardableResult
    public func deny(fault: String? = nil) async throws -> Challenge {
      try await answer("deny", members(["fault": fault.map(JSON.string)]))
    }

    /// Opens a silent URL over mobile data, and follows its redirects.
    @discardableResult
    public func open(_ url: String, _ more: [String: JSON] = [:]) async throws -> WalkResult {
      try await answer("open", .object(more.merging(["url": .string(url)]) { _, own in own }))
    }

    /// What happens to the line: `simSwap`, `deviceSwap`, `port`, `recycle`, `deactivate`, `roam`,
    /// `attach` or `detach`.
    @discardableResult
    public func event(_ event: String, _ more: [String: JSON] = [:]) async throws -> JSON {
      let body = more.merging(["event": .string(event)]) { _, own in own }
      return try await sandbox.control.post("/control/subscribers/\(segment(number))/events", .object(body))
    }

    /// Changes the record of the line, such as `["lineType": "landline"]`.
    @discardableResult
    public func set(_ change: [String: JSON]) async throws -> JSON {
      try await sandbox.control.put("/control/subscribers/\(segment(number))", .object(change))
    }

    private func answer<Result: Decodable>(_ action: String, _ body: JSON) async throws -> Result {
      try await sandbox.control.value("POST", "/control/devices/\(segment(number))/\(action)", body)
    }
  }
}
