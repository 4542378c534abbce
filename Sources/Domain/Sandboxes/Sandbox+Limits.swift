package import Basics
package import JSON

extension Sandbox {
  /// What a sandbox may use of a server that others share; nil is no limit.
  package struct Limits: Equatable, Sendable {
    /// The messages that the sandbox holds, also those in emptied inboxes.
    package var messages: Int?
    package var requestsPerSecond: Int?
    /// The size of the sandbox's rows.
    package var storedBytes: Int?

    package init() {}

    /// The sizes that `storedBytes` can limit. The seeds fit into the least; the most can still be saved as a
    /// snapshot.
    package static let byteRange = (1 << 20)...SandboxLimits.snapshotBytes

    package static let schema = Schema<Sandbox.Limits>(
      "Limits", "What the sandbox may use.",
      [
        .optional(
          "messages", \.messages, .integer(1...10_000_000),
          "The number of messages that it holds, also those in emptied inboxes. A reset deletes them."),
        .optional(
          "requestsPerSecond", \.requestsPerSecond, .integer(1...100_000),
          "The number of requests per second."),
        .optional(
          "storedBytes", \.storedBytes, .integer(byteRange),
          "The size of its data in the database. Its journal, in memory, gets the same size at most."),
      ])

    /// Throws if a sandbox with these limits may not hold so many bytes.
    package func check(storedBytes bytes: Int) throws(LimitExceeded) {
      if let storedBytes, bytes > storedBytes {
        throw LimitExceeded(limit: .storedBytes, maximum: storedBytes)
      }
    }

    /// The limit that was exceeded by a change.
    func exceeded(from before: StoredAmount, to after: StoredAmount) -> LimitExceeded? {
      if let messages, after.messages > max(messages, before.messages) {
        return LimitExceeded(limit: .messages, maximum: messages)
      }
      if let storedBytes, after.bytes > max(storedBytes, before.bytes) {
        return LimitExceeded(limit: .storedBytes, maximum: storedBytes)
      }
      return nil
    }
  }
}

extension Sandbox {
  /// Counts a request. Throws `LimitExceeded` if there were too many in this second.
  package func countRequest() throws { try quota?.countRequest() }

  /// True if a request must run by `withinLimits`.
  package var limitsStorage: Bool { quota?.limitsStorage ?? false }

  /// Runs a request. If more is stored after it than the sandbox may hold, throws `LimitExceeded` and undoes
  /// it.
  package func withinLimits<T>(_ body: () throws -> T) throws -> T {
    guard let quota, quota.limitsStorage else { return try atomically(body) }
    let before = try quota.amount()
    do {
      return try atomically {
        let result = try body()
        // A request can remove or reset its sandbox.
        if isPresent { try quota.check(changeFrom: before) }
        return result
      }
    } catch {
      quota.restore(before)
      throw error
    }
  }

  /// How long after its last request the sandbox is removed; nil for never.
  package var ttl: Duration? { quota?.ttl }

  /// When the sandbox will be removed if no request arrives, on the machine's clock.
  package var removalTime: Timestamp? { quota?.removalTime }

  /// How much the sandbox uses of a limit, and the limit.
  package struct Use: Sendable {
    package let limit: LimitExceeded.Limit
    package let used: Int
    package let maximum: Int
  }

  /// The use of each limit that the sandbox has.
  package var uses: [Use] {
    get throws {
      guard let quota else { return [] }
      return try LimitExceeded.Limit.allCases.compactMap { limit in
        switch limit {
        case .messages:
          try quota.limits.messages.map {
            Use(limit: limit, used: try quota.measuredAmount().messages, maximum: $0)
          }
        case .requestsPerSecond:
          quota.limits.requestsPerSecond.map {
            Use(limit: limit, used: quota.countedRequests, maximum: $0)
          }
        case .storedBytes:
          try quota.limits.storedBytes.map {
            Use(limit: limit, used: try quota.measuredAmount().bytes, maximum: $0)
          }
        }
      }
    }
  }
}
